package org.sluice.ib.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluice.device.option.Options;
import org.sluice.jni.Errno;
import org.sluice.jni.verbs.VerbsCalls;

/** Adapters that no guest has: InfiniBand with partitions, RoCE of both versions; by scripted answers. */
final class PathWishesTest {
    private static final long OWN_LOW = 0x0000ffff0a000001L;

    private long linkLayer = VerbsCalls.LINK_LAYER_ETHERNET;
    private int ownKey;
    private int[] keys = {0xffff};
    private int gidErrno = Errno.ENODATA;
    private long[] types = {VerbsCalls.GID_TYPE_ROCE_V1, VerbsCalls.GID_TYPE_ROCE_V2};

    private Object answer(String call, Object[] arguments) {
        long[] out = arguments[arguments.length - 1] instanceof long[] array ? array : null;
        switch (call) {
            case "cmContext":
                return 8L;
            case "cmPort":
                return 2;
            case "queryPort":
                out[VerbsCalls.PORT_STATE] = VerbsCalls.PORT_STATE_ACTIVE;
                out[VerbsCalls.PORT_ACTIVE_MTU_BYTES] = 2048;
                out[VerbsCalls.PORT_LINK_LAYER] = linkLayer;
                out[VerbsCalls.PORT_GIDS] = types.length + 1;
                return 0;
            case "queryGid":
                if ((int) arguments[2] == types.length) {
                    return -gidErrno;
                }
                out[VerbsCalls.GID_LOW] = OWN_LOW;
                out[VerbsCalls.GID_TYPE] = types[(int) arguments[2]];
                return 0;
            case "cmGid":
                out[VerbsCalls.CM_GID_LOW] = OWN_LOW;
                out[VerbsCalls.CM_GID_PKEY] = ownKey;
                return 0;
            case "queryPkey":
                return (int) arguments[2] < keys.length ? keys[(int) arguments[2]] : -Errno.EINVAL;
            case "deviceName":
                byte[] name = "mlx5_1".getBytes(StandardCharsets.UTF_8);
                System.arraycopy(name, 0, (byte[]) arguments[1], 0, name.length);
                return name.length;
            default:
                throw new IllegalStateException(call);
        }
    }

    private String fault(String option, String value) {
        VerbsCalls verbs = (VerbsCalls) Proxy.newProxyInstance(
                VerbsCalls.class.getClassLoader(),
                new Class<?>[] {VerbsCalls.class},
                (proxy, method, arguments) -> answer(method.getName(), arguments));
        return new PathWishes(verbs, Options.of(Map.of("sluice.ib." + option, value), Map.of(), Map.of())).fault(16);
    }

    @Test
    void ofOneAddressInBothVersionsOnlyRoceVersion2IsTaken() {
        assertNull(fault("gid", "1"));
        String told = fault("gid", "0");
        assertTrue(told.startsWith("place 0 of its port (sluice.ib.gid) is RoCE v1"), told);
        assertTrue(told.endsWith("0: 10.0.0.1 (RoCE v1), 1: 10.0.0.1 (RoCE v2)"), told);
        types = new long[] {VerbsCalls.GID_TYPE_ROCE_V1};
        assertNull(fault("gid", "0"), "an adapter that has no other");
        assertTrue(fault("gid", "1").contains("doesn't stand at place 1"), "an empty place");
    }

    @Test
    void aTableThatCanNotBeReadIsNoEmptyPlace() {
        gidErrno = Errno.EIO;
        String told = fault("gid", "2");
        assertTrue(told.startsWith("ibv_query_gid: EIO"), told);
        gidErrno = Errno.ENODATA;
        assertTrue(fault("gid", "2").startsWith("it doesn't stand at place 2 of its port's address table"));
        assertTrue(
                fault("gid", "7").startsWith("it doesn't stand at place 7"), "behind the table nothing is asked for");
    }

    @Test
    void partitionsAreThoseOfTheInterface() {
        linkLayer = VerbsCalls.LINK_LAYER_INFINIBAND;
        keys = new int[] {0xffff, 0x8001, 0x0000, 0x0002};
        ownKey = 0x8001;
        assertNull(fault("pkey", "0x8001"));
        assertNull(fault("pkey", "1"), "a full member is a member");
        String told = fault("pkey", "0x8002");
        assertEquals(
                "it is in the partition 0x8001, and sluice.ib.pkey is 0x8002; its port is in 0xffff, 0x8001, 0x0002:"
                        + " each needs an interface of its own (IP over IB, such as ib0.8001) with an address",
                told);
    }

    @Test
    void deviceAndPortAreCompared() {
        assertNull(fault("device", "mlx5_1"));
        assertNull(fault("device", "mlx5_1:2"));
        assertEquals("it is of mlx5_1:2, and sluice.ib.device is mlx5_1:1", fault("device", "mlx5_1:1"));
    }

    @Test
    void packetsMayBeShorterThanThePortTakesAndNotLonger() {
        assertNull(fault("mtu", "2048"));
        assertTrue(fault("mtu", "4096")
                .startsWith("its port carries packets of 2048 bytes at most, and sluice.ib.mtu is 4096"));
    }
}
