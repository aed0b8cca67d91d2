package org.sluice.bench.plan;

/**
 * Nanoseconds of one batch of receives beside a computation, as a rank tells them.
 *
 * @param whole of the batch, all parts together
 * @param comm of receives that are waited for at once
 * @param comp of computations alone
 * @param both of receives that are waited for after a computation
 */
public record OverlapTimes(long whole, long comm, long comp, long both) {
    static final int NUMBERS = 4;
    private static final double PERCENT = 100;

    /** Writes them where those of this batch belong. */
    public void into(long[] samples, int batch) {
        int first = batch * NUMBERS;
        samples[first++] = whole;
        samples[first++] = comm;
        samples[first++] = comp;
        samples[first] = both;
    }

    /**
     * What both took less than the parts one after the other, in percent of the shorter part: 100 if all of it was
     * hidden, below 0 if they got in each other's way.
     */
    public double hidden() {
        return PERCENT * (comm + comp - both) / Math.max(1, Math.min(comm, comp));
    }

    /** Of each batch. */
    public static double[] hidden(long[] samples) {
        double[] shares = new double[samples.length / NUMBERS];
        for (int batch = 0; batch < shares.length; batch++) {
            int first = batch * NUMBERS;
            shares[batch] = new OverlapTimes(samples[first], samples[first + 1], samples[first + 2], samples[first + 3])
                    .hidden();
        }
        return shares;
    }
}
