package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluice.device.Device;
import org.sluice.launch.JobServer;

/**
 * What the opening of all ranks says to the job's server, and hears, by the number of ranks: counted, as times are the
 * machine's.
 */
@Tag("all")
@Tag("once")
@Timeout(120)
final class OpeningGrowthTest {
    private static final int[] SIZES = {16, 32, 64};
    private static final long PATIENCE_S = 60;
    /** Numbers of processes and descriptors have more digits now and then. */
    private static final double DOUBLED = 2.05;

    /** Of the whole job, until the last rank has opened. */
    private record Count(int ranks, long framesUp, long bytesUp, long framesDown, long bytesDown) {
        long bytesDownToOne() {
            return bytesDown / ranks;
        }
    }

    /** All at once, as ranks are. */
    private static <T> List<T> all(ExecutorService threads, List<Callable<T>> calls) throws Exception {
        List<T> results = new ArrayList<>();
        for (Future<T> each : threads.invokeAll(calls)) {
            results.add(each.get(PATIENCE_S, TimeUnit.SECONDS));
        }
        return results;
    }

    private static Count open(int size, String channel) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (JobServer server = JobServer.start(size)) {
            Map<String, String> options = new HashMap<>(server.options(0, size));
            options.putAll(Map.of(
                    "sluice.channels",
                    channel,
                    "sluice.shm.ring.bytes",
                    "16384",
                    "sluice.shm.ring.cells",
                    "64",
                    "sluice.open.timeout.ms",
                    "60000"));
            try (CountedWire wire = new CountedWire(options.get("sluice.job.address"))) {
                options.put("sluice.job.address", wire.address());
                List<Callable<Device>> opening = new ArrayList<>();
                for (int rank = 0; rank < size; rank++) {
                    int self = rank;
                    opening.add(() -> Device.open(self, options));
                }
                List<Device> devices = all(threads, opening);
                Count count = new Count(
                        size,
                        wire.framesToServer.get(),
                        wire.bytesToServer.get(),
                        wire.framesToRanks.get(),
                        wire.bytesToRanks.get());
                List<Callable<Void>> closing = new ArrayList<>();
                for (Device device : devices) {
                    closing.add(() -> {
                        device.close();
                        return null;
                    });
                }
                all(threads, closing);
                System.out.println(channel + ": " + count + ", to each rank " + count.bytesDownToOne());
                return count;
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** From so many ranks to twice as many. */
    private static void assertNoWorseThanNLogN(String what, long before, long after, int ranks) {
        double allowed = 2.0 * Math.log(2.0 * ranks) / Math.log(ranks);
        assertTrue(
                after <= before * allowed,
                what + " of " + ranks + " ranks: " + before + ", of " + 2 * ranks + ": " + after);
    }

    private static void assertGrowth(String channel) throws Exception {
        Count before = null;
        for (int size : SIZES) {
            Count now = open(size, channel);
            if (before != null) {
                assertEquals(2 * before.framesUp, now.framesUp, "frames to the server");
                assertEquals(2 * before.framesDown, now.framesDown, "frames to the ranks");
                assertTrue(
                        now.bytesUp <= before.bytesUp * DOUBLED,
                        () -> "what a rank says of itself grows with the number of the others");
                // Each rank learns where all others are: together that is n times as much.
                assertNoWorseThanNLogN(
                        "bytes to each rank", before.bytesDownToOne(), now.bytesDownToOne(), before.ranks);
            }
            before = now;
        }
    }

    @Test
    void framesOfTheJobAndBytesToEachRankGrowNoWorseThanNLogNWhereRanksAreThreads() throws Exception {
        assertGrowth("threads");
    }

    @Test
    void framesOfTheJobAndBytesToEachRankGrowNoWorseThanNLogNWhereRanksShareMemory() throws Exception {
        assertGrowth("shm");
    }
}
