package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.device.Request;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Place;

/** A collective that was started goes on to its end by the device's thread alone, through all of its rounds. */
final class ComputingRankTest {
    private static final int COUNT = 128 << 10;
    private static final int TAG = 5;
    private static final int LIMIT_SECONDS = 120;

    @ParameterizedTest
    @CsvSource({"THREADS, 1", "THREADS, 2", "SHM, 1", "SHM, 2"})
    void aCollectiveGoesOnWhileOneOfItsRanksComputes(Place place, int threads) {
        Map<String, String> options = Map.of("sluice.progress.threads", Integer.toString(threads));
        try (CommunicatorJob job = new CommunicatorJob(2, place, options)) {
            job.run(LIMIT_SECONDS, world -> {
                for (int round = 0; round < 3; round++) {
                    sum(world, round);
                }
            });
        }
    }

    private static void sum(Communicator world, int round) {
        double[] own = new double[COUNT];
        double[] sum = new double[COUNT];
        Arrays.fill(own, world.rank() + round);
        if (world.rank() == 1) {
            world.recv(new byte[0], 0, TAG);
            world.iallReduce(own, sum, Reduction.SUM).waitFor();
        } else {
            Request request = world.iallReduce(own, sum, Reduction.SUM);
            world.send(new byte[0], 1, TAG);
            computeWhileInFlight(request, TimeUnit.SECONDS.toNanos(LIMIT_SECONDS / 4));
            assertFalse(isInFlight(request), request::toString);
            request.waitFor();
        }
        double[] expected = new double[COUNT];
        Arrays.fill(expected, 1 + 2 * round);
        assertEquals(-1, Arrays.mismatch(expected, sum));
    }

    /** Calls nothing of the device's. */
    private static void computeWhileInFlight(Request request, long nanos) {
        long end = System.nanoTime() + nanos;
        double value = 1;
        while (isInFlight(request) && System.nanoTime() - end < 0) {
            for (int i = 1; i < 10_000; i++) {
                value += 1.0 / i;
            }
        }
        assertFalse(Double.isNaN(value));
    }

    private static boolean isInFlight(Request request) {
        return request.toString().contains("in flight");
    }
}
