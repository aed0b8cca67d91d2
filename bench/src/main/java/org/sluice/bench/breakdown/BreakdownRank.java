package org.sluice.bench.breakdown;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.sluice.bench.hop.Cores;

/**
 * The main class of a process that times one part, on one core. Prints what it read. Arguments: the part, the
 * milliseconds for each size, and the sizes.
 */
public final class BreakdownRank {
    /** A batch takes about so long: long beside two readings of the clock, and short beside what disturbs. */
    private static final long BATCH_NS = 20_000;

    private static final int EACH_MOST = 100_000;
    /** Of all batches so many are told, evenly. */
    private static final int TOLD = 500;

    private BreakdownRank() {}

    public static void main(String[] args) {
        Part part = Part.ofLabel(args[0]).orElseThrow();
        long nanos = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(args[1]));
        int[] sizes =
                Arrays.stream(args, 2, args.length).mapToInt(Integer::parseInt).toArray();
        Cores cores = Cores.allowed();
        if (cores.count() > 0) {
            Cores.pinCaller(cores.number(0));
        }
        for (int size : sizes) {
            System.out.println(read(part, size, nanos).encode());
        }
    }

    private static PartReading read(Part part, int size, long nanos) {
        try (Work work = Work.of(part, size)) {
            // The compilers work in the first half, which nobody tells.
            time(part, size, work, nanos / 2);
            return time(part, size, work, nanos / 2);
        } catch (IllegalStateException e) {
            return PartReading.none(part, size, e.getMessage());
        }
    }

    private static PartReading time(Part part, int size, Work work, long nanos) {
        List<Double> batches = new ArrayList<>();
        int each = 1;
        long begin = System.nanoTime();
        for (long now = begin; now - begin < nanos; now = System.nanoTime()) {
            long took = work.nanosOf(each);
            if (took < BATCH_NS / 2 && each < EACH_MOST) {
                // What was timed until now was too little for the clock.
                each *= 2;
                batches.clear();
            } else {
                batches.add((double) took / each);
            }
        }
        double[] sorted =
                batches.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        if (sorted.length == 0) {
            throw new IllegalStateException("the time was too short for one batch");
        }
        return new PartReading(part, size, evenly(sorted), each, "");
    }

    private static double[] evenly(double[] sorted) {
        int told = Math.min(TOLD, sorted.length);
        double[] some = new double[told];
        for (int i = 0; i < told; i++) {
            some[i] = sorted[(int) ((long) i * sorted.length / told)];
        }
        return some;
    }
}
