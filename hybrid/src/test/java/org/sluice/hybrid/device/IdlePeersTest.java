package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.Request;

/**
 * What a peer over TCP costs that nothing goes to: on the heap after a collection, and in direct buffers. A job of
 * twice as many ranks has four times as many pairs, so what each rank has for itself falls out of the difference.
 */
@Tag("all")
@Tag("once")
final class IdlePeersTest {
    private static final Map<String, String> OPTIONS =
            Map.of("sluice.channels", "tcp", "sluice.tcp.interface", "127.0.0.1", "sluice.open.timeout.ms", "60000");
    private static final int FEW = 8;
    private static final int MANY = 40;
    private static final long MOST_BYTES = 20_000;
    private static final int LOOKS = 6;

    /** Of each rank: what it holds with nobody met, and with everybody met. */
    private record Held(double unmet, double met) {}

    private static long held() throws InterruptedException {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < LOOKS; i++) {
            System.gc();
            Thread.sleep(50);
            long direct = 0;
            for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
                direct += pool.getMemoryUsed();
            }
            least = Math.min(
                    least,
                    direct
                            + ManagementFactory.getMemoryMXBean()
                                    .getHeapMemoryUsage()
                                    .getUsed());
        }
        return least;
    }

    private static void allToAll(Device device) {
        List<Request> requests = new ArrayList<>();
        byte[][] into = new byte[device.size()][8];
        for (int peer = 0; peer < device.size(); peer++) {
            if (peer != device.rank()) {
                requests.add(device.irecv(into[peer], peer, 1));
            }
        }
        byte[] mine = {0, 0, 0, 0, 0, 0, 0, (byte) device.rank()};
        for (int peer = 0; peer < device.size(); peer++) {
            if (peer != device.rank()) {
                requests.add(device.isend(mine, peer, 1));
            }
        }
        device.waitAll(requests.toArray(new Request[0]));
        for (int peer = 0; peer < device.size(); peer++) {
            assertEquals(peer == device.rank() ? 0 : peer, into[peer][7], "from rank " + peer);
        }
    }

    private static long connections(Device device) {
        return device.counters().get("connections");
    }

    private static Held measure(int ranks) throws InterruptedException {
        long before = held();
        try (DeviceJob job = DeviceJob.open(ranks, OPTIONS)) {
            long unmet = held() - before;
            for (int rank = 0; rank < ranks; rank++) {
                assertEquals(0, connections(job.device(rank)), "nobody has sent anything");
            }
            job.run(device -> device.send(new byte[8], 1, 1), device -> device.recv(new byte[8], 0, 1));
            for (int rank = 0; rank < ranks; rank++) {
                assertEquals(rank < 2 ? 1 : 0, connections(job.device(rank)), "of rank " + rank);
            }
            for (int round = 0; round < 3; round++) {
                job.runAll(IdlePeersTest::allToAll);
            }
            for (int rank = 0; rank < ranks; rank++) {
                assertEquals(ranks - 1, connections(job.device(rank)), "of rank " + rank);
            }
            return new Held((double) unmet / ranks, (double) (held() - before) / ranks);
        }
    }

    @Test
    void aPeerThatNothingGoesToCostsLittleMetOrUnmet() throws Exception {
        // Classes are loaded, and pools filled, that a JVM has once.
        measure(FEW);
        Held few = measure(FEW);
        Held many = measure(MANY);
        double unmet = (many.unmet - few.unmet) / (MANY - FEW);
        double met = (many.met - few.met) / (MANY - FEW);
        System.out.printf("a peer costs %.0f bytes unmet, %.0f bytes met and idle; a rank %.0f%n", unmet, met, few.met);
        assertTrue(unmet > 0 && unmet < MOST_BYTES, () -> "an unmet peer costs " + unmet + " bytes");
        assertTrue(met > 0 && met < MOST_BYTES, () -> "a peer that is met and idle costs " + met + " bytes");
    }
}
