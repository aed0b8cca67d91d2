package org.sluice.ib.adapter;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.jvm.UpInterfaces;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * The RDMA device of this rank and the identifier on which it listens: found through an address of this machine that a
 * device serves, which is right for InfiniBand (its IP over IB address) and for RoCE (the interface's).
 *
 * <p><i>Owns</i>: the connection events' channel and the listening identifier. <i>Fails</i>: OPEN_FAILED that lists the
 * addresses tried and the devices seen. <i>Proof</i>: {@code VerbsFaultsRxeTest}, {@code PathRxeTest}.
 */
public final class Adapter implements AutoCloseable {
    private static final int BACKLOG = 1024;
    private static final int NAMES_BYTES = 4096;
    private static final int NAME_BYTES = 256;
    /** Where ::ffff:a.b.c.d has its mark. */
    private static final int MAPPED_AT = 10;

    private final VerbsCalls verbs;
    private final PathWishes wishes;
    private final long eventChannel;
    private long listener;
    private byte[] address;
    private final GivingBack back = new GivingBack();

    /**
     * Takes sluice.ib.address, or the first that an RDMA device serves, whose port is up, and that is as
     * {@link PathWishes} say.
     */
    public Adapter(VerbsCalls verbs, Options options) {
        this.verbs = verbs;
        wishes = new PathWishes(verbs, options);
        eventChannel = VerbsFailure.check("rdma_create_event_channel", verbs.createEventChannel());
        try {
            find(options.text(Option.IB_ADDRESS));
            VerbsFailure.check("rdma_listen", verbs.listen(listener, BACKLOG));
        } catch (RuntimeException e) {
            GivingBack.after(e, this);
            throw e;
        }
    }

    private void find(String wanted) {
        List<String> tried = new ArrayList<>();
        for (InetAddress candidate : candidates(wanted)) {
            String reason = bind(candidate);
            if (reason == null) {
                address = candidate.getAddress();
                return;
            }
            tried.add(candidate.getHostAddress() + ": " + reason);
        }
        throw new SluiceException(
                ErrorCode.OPEN_FAILED,
                -1,
                "the ib channel found no address that an RDMA device serves as it should. Devices: "
                        + deviceNames(verbs) + ". Tried: "
                        + (tried.isEmpty() ? "nothing, as no interface is up" : String.join("; ", tried))
                        + ". Give the interface of the device an address (RoCE: of its network interface; InfiniBand:"
                        + " IP over IB), or name one with sluice.ib.address",
                null);
    }

    private static List<InetAddress> candidates(String wanted) {
        try {
            if (!wanted.equals("auto")) {
                return List.of(InetAddress.getByName(wanted));
            }
            List<InetAddress> found = new ArrayList<>();
            List<InetAddress> later = new ArrayList<>();
            for (NetworkInterface each : UpInterfaces.list()) {
                for (Enumeration<InetAddress> addresses = each.getInetAddresses(); addresses.hasMoreElements(); ) {
                    InetAddress next = addresses.nextElement();
                    if (!next.isLinkLocalAddress() && !next.isLoopbackAddress()) {
                        (next.getAddress().length == Integer.BYTES ? found : later).add(next);
                    }
                }
            }
            found.addAll(later);
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the addresses of this machine can't be listed, or '" + wanted + "' (sluice.ib.address) is none",
                    e);
        }
    }

    /** @return why this address won't do, or null when the listener is bound to it */
    private String bind(InetAddress candidate) {
        long id = VerbsFailure.check("rdma_create_id", verbs.createId(eventChannel));
        int result = verbs.bind(id, candidate.getAddress(), 0);
        String reason = result < 0
                ? VerbsFailure.describe("rdma_bind_addr", result)
                : verbs.cmContext(id) == 0 ? "no RDMA device serves it" : wishes.fault(id);
        if (reason != null) {
            back.took("rdma_destroy_id", verbs.destroyId(id));
            return reason;
        }
        listener = id;
        return null;
    }

    /** The devices of this machine, for messages. */
    public static String deviceNames(VerbsCalls verbs) {
        byte[] names = new byte[NAMES_BYTES];
        int bytes = verbs.deviceNames(names);
        if (bytes < 0) {
            return VerbsFailure.describe("ibv_get_device_list", bytes);
        }
        String text = new String(names, 0, Math.min(bytes, names.length), StandardCharsets.UTF_8)
                .replace('\0', ' ')
                .trim();
        return text.isEmpty() ? "none" : text;
    }

    /** What it found, for people. */
    public String describe() {
        int number = verbs.cmPort(listener);
        long[] port = new long[VerbsCalls.PORT_FIELDS];
        VerbsFailure.check("ibv_query_port", verbs.queryPort(context(), number, port));
        byte[] name = new byte[NAME_BYTES];
        int bytes = (int) VerbsFailure.check("ibv_get_device_name", verbs.deviceName(context(), name));
        boolean isEthernet = port[VerbsCalls.PORT_LINK_LAYER] == VerbsCalls.LINK_LAYER_ETHERNET;
        return new String(name, 0, Math.min(bytes, name.length), StandardCharsets.UTF_8) + ", port " + number + ", "
                + (isEthernet ? "Ethernet" : "InfiniBand") + ", packets of " + port[VerbsCalls.PORT_ACTIVE_MTU_BYTES]
                + " bytes, at "
                + where() + (isEthernet ? ", " + gid(number, (int) port[VerbsCalls.PORT_GIDS]) : "");
    }

    /**
     * What it must have in common with the adapter of another rank for a connection between them: the kind of link, of
     * address and, on InfiniBand, the subnet. In words, which ranks compare.
     */
    public String link() {
        int number = verbs.cmPort(listener);
        long[] port = new long[VerbsCalls.PORT_FIELDS];
        VerbsFailure.check("ibv_query_port", verbs.queryPort(context(), number, port));
        String family = address.length == Integer.BYTES ? "IPv4" : "IPv6";
        if (port[VerbsCalls.PORT_LINK_LAYER] == VerbsCalls.LINK_LAYER_ETHERNET) {
            return "Ethernet, " + family;
        }
        long[] gid = new long[VerbsCalls.GID_FIELDS];
        VerbsFailure.check("ibv_query_gid", verbs.queryGid(context(), number, 0, gid));
        return "InfiniBand, subnet " + Long.toHexString(gid[VerbsCalls.GID_HIGH]) + ", " + family;
    }

    private String where() {
        try {
            return InetAddress.getByAddress(address).getHostAddress();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Which entries of the port's table stand for the address. */
    private String gid(int port, int entries) {
        ByteBuffer wanted = ByteBuffer.allocate(2 * Long.BYTES);
        if (address.length == Integer.BYTES) {
            wanted.putShort(MAPPED_AT, (short) -1);
        }
        wanted.position(wanted.capacity() - address.length);
        wanted.put(address).rewind();
        long high = wanted.getLong();
        long low = wanted.getLong();
        List<String> found = new ArrayList<>();
        long[] gid = new long[VerbsCalls.GID_FIELDS];
        for (int index = 0; index < entries; index++) {
            if (verbs.queryGid(context(), port, index, gid) == 0
                    && gid[VerbsCalls.GID_HIGH] == high
                    && gid[VerbsCalls.GID_LOW] == low) {
                found.add(index + " (" + PathWishes.typeName(gid[VerbsCalls.GID_TYPE]) + ")");
            }
        }
        return found.isEmpty() ? "no GID for this address" : "GID " + String.join(", ", found);
    }

    public long context() {
        return verbs.cmContext(listener);
    }

    /** The device's port, counted from 1. */
    public int devicePort() {
        return verbs.cmPort(listener);
    }

    public long eventChannel() {
        return eventChannel;
    }

    public int port() {
        return (int) VerbsFailure.check("rdma_get_src_port", verbs.localPort(listener));
    }

    public byte[] address() {
        return address.clone();
    }

    /** The longest message that the port carries. */
    public long mostMessageBytes() {
        long[] port = new long[VerbsCalls.PORT_FIELDS];
        VerbsFailure.check("ibv_query_port", verbs.queryPort(context(), verbs.cmPort(listener), port));
        return port[VerbsCalls.PORT_MAX_MESSAGE_BYTES];
    }

    /** The {@code DEVICE_} fields. */
    public long[] limits() {
        long[] limits = new long[VerbsCalls.DEVICE_FIELDS];
        VerbsFailure.check("ibv_query_device", verbs.queryDevice(context(), limits));
        return limits;
    }

    @Override
    public void close() {
        if (listener != 0) {
            back.took("rdma_destroy_id", verbs.destroyId(listener));
            listener = 0;
        }
        back.took("rdma_destroy_event_channel", verbs.destroyEventChannel(eventChannel));
        back.end();
    }
}
