package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Place;

/** Sums of numbers that are rounded: the order in which they are added shows. */
final class SameBitsTest {
    private static final int RANKS = 6;
    private static final int[] COUNTS = {1, 100, 5_000, 50_000};
    private static final long SEED = 35;

    private static double[] own(int rank, int count) {
        Random random = new Random(SEED + rank);
        return random.doubles(count)
                .map(each -> (each - 0.5) * Math.pow(10, random.nextInt(12)))
                .toArray();
    }

    /** All results of one job, one after the other, after it has warmed up to whatever is fastest. */
    private static double[] sums(Place place, Map<String, String> options) {
        double[][] found = new double[RANKS][];
        try (CommunicatorJob job = new CommunicatorJob(RANKS, place, options)) {
            job.run(world -> {
                for (int i = 0; i < 10; i++) {
                    world.barrier();
                }
                double[] all = new double[0];
                for (int count : COUNTS) {
                    double[] sum = new double[count];
                    world.allReduce(own(world.rank(), count), sum, Reduction.SUM);
                    int end = all.length;
                    all = Arrays.copyOf(all, end + 2 * count);
                    System.arraycopy(sum, 0, all, end, count);
                    world.reduce(own(world.rank(), count), sum, Reduction.SUM, 2);
                    world.broadcast(sum, 2);
                    System.arraycopy(sum, 0, all, end + count, count);
                }
                found[world.rank()] = all;
            });
        }
        for (double[] each : found) {
            assertArrayEquals(found[0], each, "all ranks have the same");
        }
        return found[0];
    }

    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"THREADS", "SHM", "MIXED"})
    void aJobOfTheSameShapeHasTheSameBits(Place place) {
        double[] first = sums(place, Map.of());
        assertFalse(Arrays.equals(first, new double[first.length]));
        assertArrayEquals(first, sums(place, Map.of()));
    }

    @Test
    void whereverRanksAreIfThatIsAskedFor() {
        Map<String, String> deterministic = Map.of("sluice.mpi.deterministic", "on");
        double[] first = sums(Place.THREADS, deterministic);
        assertArrayEquals(first, sums(Place.SHM, deterministic));
        assertArrayEquals(first, sums(Place.MIXED, deterministic));
    }
}
