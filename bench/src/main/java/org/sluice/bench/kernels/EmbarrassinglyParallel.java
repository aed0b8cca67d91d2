package org.sluice.bench.kernels;

import java.util.Arrays;
import java.util.Locale;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.Reduction;

/** EP: 2^m pairs of normally distributed numbers, their sums, and how many lie in each square ring. */
final class EmbarrassinglyParallel implements Kernel {
    private static final long SEED = 271_828_183L;
    private static final int LOG_BATCH = 16;
    private static final int BATCH = 1 << LOG_BATCH;
    private static final int RINGS = 10;
    private static final double NEAR = 1e-8;
    /** By class: the logarithm of how many pairs. */
    private static final int[] LOG_PAIRS = {24, 25, 28, 30};
    /** By class: official sums of both numbers. */
    private static final double[][] SUMS = {
        {-3.247834652034740e3, -6.958407078382297e3},
        {-2.863319731645753e3, -6.320053679109499e3},
        {-4.295875165629892e3, -1.580732573678431e4},
        {4.033815542441498e4, -2.660669192809235e4}
    };

    /** The sum of each number, then how many pairs are in each ring; exact, as counts are below 2^53. */
    private final double[] own = new double[2 + RINGS];

    private final double[] all = new double[2 + RINGS];

    @Override
    public Outcome run(Communicator world, Problem problem, WarmUp warmUp) {
        int size = problem.size().ordinal();
        int logPairs = LOG_PAIRS[size];
        double[] numbers = new double[2 * BATCH];
        int batches = 1 << logPairs - LOG_BATCH;
        warmUp.repeat(() -> addBatch(numbers, 0));
        Arrays.fill(own, 0);
        long start = System.nanoTime();
        for (int batch = world.rank(); batch < batches; batch += world.size()) {
            addBatch(numbers, batch);
        }
        world.allReduce(own, all, Reduction.SUM);
        double seconds = Outcome.secondsSince(start, world);
        double[] sums = SUMS[size];
        return new Outcome(
                Math.scalb(1.0, logPairs + 1),
                seconds,
                Outcome.isNear(all[0], sums[0], NEAR) && Outcome.isNear(all[1], sums[1], NEAR),
                String.format(
                        Locale.ROOT,
                        "sums %.15e and %.15e, official %.15e and %.15e",
                        all[0],
                        all[1],
                        sums[0],
                        sums[1]));
    }

    private void addBatch(double[] numbers, int batch) {
        NasRandom random = new NasRandom(SEED).skip(2L * BATCH * batch);
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = 2 * random.next() - 1;
        }
        add(numbers);
    }

    private void add(double[] numbers) {
        double sumX = 0;
        double sumY = 0;
        for (int i = 0; i < numbers.length; i += 2) {
            double x = numbers[i];
            double y = numbers[i + 1];
            double t = x * x + y * y;
            if (t <= 1) {
                double factor = Math.sqrt(-2 * Math.log(t) / t);
                double gaussX = x * factor;
                double gaussY = y * factor;
                own[2 + (int) Math.max(Math.abs(gaussX), Math.abs(gaussY))]++;
                sumX += gaussX;
                sumY += gaussY;
            }
        }
        own[0] += sumX;
        own[1] += sumY;
    }
}
