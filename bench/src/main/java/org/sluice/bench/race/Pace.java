package org.sluice.bench.race;

import org.sluice.bench.plan.BenchPlan;
import org.sluice.bench.plan.Step;

/**
 * How much one contestant does at one size in one round: so little that the cores rarely move meanwhile, so much that the clock and
 * the lead-in don't matter.
 *
 * @param batches the pass behind p50
 * @param tails the pass that times each iteration by itself; null where there is none
 */
record Pace(Step batches, Step tails) {
    static final int BATCH_MOST = 100;
    /** Bytes of a batch at most, and the time: large messages need no averaging. */
    private static final int BATCH_BYTES = 2 << 20;
    private static final double BATCH_NS = 5e6;
    private static final double PASS_NS = 20e6;
    private static final double TAILS_NS = 10e6;
    private static final double LEAD_IN_NS = 1e6;
    private static final int BATCHES_LEAST = 5;
    /** A window of large messages is an average in itself, and may take a second. */
    private static final int WINDOWS_LEAST = 2;
    private static final int BATCHES_MOST = 400;
    /** A window of small messages takes microseconds: a pass that ends after a few hundred measures how it began. */
    private static final int WINDOWS_MOST = 20_000;
    private static final int TAILS_LEAST = 5;
    private static final int TAILS_MOST = 4_000;
    private static final int LEAD_IN_LEAST = 1;
    private static final int LEAD_IN_MOST = 2_000;

    /** @param iterationNs how long one iteration took in the warm-up */
    static Pace of(BenchPlan plan, int size, double iterationNs) {
        int leadIn = clamp(LEAD_IN_NS / iterationNs, LEAD_IN_LEAST, LEAD_IN_MOST);
        int batch = batch(plan, size, iterationNs);
        int batches = clamp(PASS_NS / (batch * iterationNs), plan.benchmark().windowed() ? WINDOWS_LEAST : BATCHES_LEAST,
                plan.benchmark().windowed() ? WINDOWS_MOST : BATCHES_MOST);
        int tails = clamp(TAILS_NS / iterationNs, TAILS_LEAST, TAILS_MOST);
        if (plan.iterations() > 0) {
            batch = Math.min(batch, plan.iterations());
            batches = (plan.iterations() + batch - 1) / batch;
            tails = Math.min(tails, plan.iterations());
        }
        return new Pace(plan.step(size, batches, batch, leadIn),
                plan.benchmark().windowed() ? null : plan.step(size, tails, 1, leadIn));
    }

    private static int batch(BenchPlan plan, int size, double iterationNs) {
        if (plan.benchmark().windowed()) {
            return 1;
        }
        int bySize = clamp((double) BATCH_BYTES / Math.max(1, size), 1, BATCH_MOST);
        return Math.min(bySize, clamp(BATCH_NS / iterationNs, 1, BATCH_MOST));
    }

    private static int clamp(double value, int least, int most) {
        return (int) Math.max(least, Math.min(most, value));
    }
}
