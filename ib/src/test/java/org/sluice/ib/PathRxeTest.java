package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.SluiceException;
import org.sluice.device.channel.TestRank;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * The way packets take is what the options say, at both ends; where the device has no such way the error says what it
 * has.
 */
@Tag("all")
@Tag("verbs")
final class PathRxeTest {
    private final VerbsCalls verbs = VerbsRanks.verbs();
    private final List<Long> queuePairs = new CopyOnWriteArrayList<>();
    private final List<String> routes = new CopyOnWriteArrayList<>();

    private VerbsCalls noting() {
        return (VerbsCalls) Proxy.newProxyInstance(
                VerbsCalls.class.getClassLoader(), new Class<?>[] {VerbsCalls.class}, (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(verbs, arguments);
                        if (method.getName().equals("createQueuePair")) {
                            queuePairs.add((Long) result);
                        } else if (method.getName().equals("copyRoute") && (int) result == 0) {
                            routes.add(arguments[2] + " " + arguments[3]);
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Connects two ranks, has a packet of several of the network's go, and looks at both queue pairs. */
    private long[][] connected(Map<String, String> given) throws InterruptedException {
        queuePairs.clear();
        CountingVerbs living = new CountingVerbs(noting());
        TestRank[] ranks = VerbsRanks.joined(2, VerbsRanks.options(given), living.calls());
        ranks[0].send(1, 3, new byte[5000]);
        assertEquals(3, ranks[1].receive().tag());
        long[][] paths = new long[queuePairs.size()][VerbsCalls.PATH_FIELDS];
        for (int i = 0; i < paths.length; i++) {
            assertEquals(0, verbs.queryQueuePair(queuePairs.get(i), paths[i]));
        }
        ranks[0].channel.close();
        ranks[1].channel.close();
        assertEquals(Map.of(), living.living());
        assertEquals(2, paths.length);
        return paths;
    }

    private static Map<String, String> with(String... given) {
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i < given.length; i += 2) {
            options.put("sluice.ib." + given[i], given[i + 1]);
        }
        return options;
    }

    @Test
    void bothEndsTakeWhatTheOptionsSay() throws InterruptedException {
        for (long[] path : connected(with("mtu", "256", "sl", "3", "retry.count", "5", "ack.timeout", "14"))) {
            assertEquals(256, path[VerbsCalls.PATH_MTU_BYTES]);
            assertEquals(5, path[VerbsCalls.PATH_RETRY_COUNT]);
            assertEquals(7, path[VerbsCalls.PATH_RNR_RETRY_COUNT]);
            assertEquals(14, path[VerbsCalls.PATH_ACK_TIMEOUT]);
        }
        // SoftRoCE doesn't keep the service level.
        assertEquals(List.of("256 3"), routes);
        for (long[] path : connected(with("mtu", "512", "tos", "104"))) {
            assertEquals(512, path[VerbsCalls.PATH_MTU_BYTES]);
            assertEquals(104, path[VerbsCalls.PATH_TRAFFIC_CLASS]);
        }
    }

    @Test
    void withoutOptionsThePathIsTheNetworks() throws InterruptedException {
        for (long[] path : connected(with())) {
            assertEquals(1024, path[VerbsCalls.PATH_MTU_BYTES]);
            assertEquals(6, path[VerbsCalls.PATH_RETRY_COUNT]);
            assertEquals(1, path[VerbsCalls.PATH_GID_INDEX]);
            assertEquals(0, path[VerbsCalls.PATH_PKEY_INDEX]);
        }
    }

    @Test
    void whatIsThereIsTaken() throws InterruptedException {
        for (long[] path : connected(with("device", "rxe0:1", "gid", "1", "pkey", "0x7fff", "mtu", "1024"))) {
            assertEquals(1, path[VerbsCalls.PATH_GID_INDEX]);
            assertEquals(1024, path[VerbsCalls.PATH_MTU_BYTES]);
        }
        connected(with("device", "rxe0", "pkey", "0xffff"));
    }

    private void refused(String option, String value, String... words) {
        CountingVerbs living = new CountingVerbs(verbs);
        String told = assertThrows(
                        SluiceException.class,
                        () -> VerbsRanks.rank(0, 2, VerbsRanks.options(with(option, value)), living.calls(), null))
                .getMessage();
        System.out.println("PathRxeTest: " + told);
        for (String word : words) {
            assertTrue(told.contains(word), told + " without " + word);
        }
        assertTrue(told.contains("sluice.ib." + option), told);
        assertTrue(told.contains(value), told);
        assertEquals(told, IbPresence.unavailableReason(VerbsRanks.options(with(option, value))));
        assertEquals(Map.of(), living.living());
    }

    @Test
    void whatIsNotThereIsRefusedWithWhatThereIs() {
        refused("device", "mlx5_0", "rxe0:1");
        refused("device", "rxe0:2", "rxe0:1");
        refused("gid", "0", "0: fe80", "1: 10.9.0.1 (RoCE v2)");
        refused("gid", "77", "1: 10.9.0.1 (RoCE v2)");
        refused("pkey", "0x8001", "0xffff");
        refused("pkey", "west", "0x8001");
        refused("pkey", "0x8000", "0x7fff");
        refused("mtu", "4096", "1024");
        refused("address", "10.9.0.77", "rxe0");
        refused("address", "127.0.0.1", "rxe0");
    }
}
