package org.sluice.bench.race;

import org.sluice.bench.contestant.Contestant;
import org.sluice.bench.plan.BenchPlan;
import org.sluice.bench.plan.Route;
import org.sluice.bench.plan.Step;

/**
 * How much one contestant does at one size in one round: so little that the cores rarely move meanwhile, so much that
 * the clock and the lead-in don't matter.
 *
 * @param batches the pass behind p50
 * @param tails the pass that times each iteration by itself; null where there is none
 * @param timesEach whether the first pass already does
 * @param rewriting the pass that times the senders' rewriting alone; null where there is none
 */
record Pace(Step batches, Step tails, boolean timesEach, Step rewriting) {
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
    /**
     * Over verbs; there a peer times single iterations, so all do, and its start takes seconds, so a pass may take
     * longer.
     */
    private static final double VERBS_PASS_NS = 200e6;

    private static final double VERBS_LEAD_IN_NS = 20e6;
    private static final int VERBS_LEAST = 20;
    private static final int VERBS_MOST = 4_000;
    private static final int LOOK = 10;
    private static final int LEAD_IN_LEAST = 1;
    private static final int LEAD_IN_MOST = 2_000;

    /** The step that shows the pace of a contestant that can't be warmed up. */
    static Step look(BenchPlan plan, int size, Contestant.Timing timing) {
        int iterations = plan.benchmark().windowed() ? 1 : LOOK;
        return timing == Contestant.Timing.TOTAL
                ? plan.step(size, 1, iterations, 0)
                : plan.step(size, iterations, 1, 1);
    }

    /** @param iterationNs how long one iteration took in the warm-up */
    static Pace of(BenchPlan plan, int size, double iterationNs, Contestant.Timing timing) {
        if (timing == Contestant.Timing.BATCHES
                && (plan.route() != Route.IB || plan.benchmark().timesEach())) {
            return inBatches(plan, size, iterationNs);
        }
        int iterations = plan.iterations() > 0
                ? plan.iterations()
                : clamp(
                        VERBS_PASS_NS / iterationNs,
                        plan.benchmark().windowed() ? WINDOWS_LEAST : VERBS_LEAST,
                        VERBS_MOST);
        if (timing == Contestant.Timing.TOTAL) {
            return new Pace(plan.step(size, 1, iterations, 0), null, false, null);
        }
        return new Pace(
                plan.step(size, iterations, 1, clamp(VERBS_LEAD_IN_NS / iterationNs, LEAD_IN_LEAST, LEAD_IN_MOST)),
                null,
                true,
                null);
    }

    private static Pace inBatches(BenchPlan plan, int size, double iterationNs) {
        int leadIn = clamp(LEAD_IN_NS / iterationNs, LEAD_IN_LEAST, LEAD_IN_MOST);
        int batch = batch(plan, size, iterationNs);
        int batches = clamp(
                PASS_NS / (batch * iterationNs),
                plan.benchmark().windowed() ? WINDOWS_LEAST : BATCHES_LEAST,
                plan.benchmark().windowed() ? WINDOWS_MOST : BATCHES_MOST);
        int tails = clamp(TAILS_NS / iterationNs, TAILS_LEAST, TAILS_MOST);
        if (plan.iterations() > 0) {
            batch = Math.min(batch, plan.iterations());
            batches = (plan.iterations() + batch - 1) / batch;
            tails = Math.min(tails, plan.iterations());
        }
        return new Pace(
                plan.step(size, batches, batch, leadIn),
                plan.benchmark().timesEach() ? null : plan.step(size, tails, 1, leadIn),
                false,
                plan.timesRewriting() ? plan.rewriting(size, (batches + 1) / 2, batch, leadIn) : null);
    }

    private static int batch(BenchPlan plan, int size, double iterationNs) {
        if (plan.benchmark().timesEach()) {
            return 1;
        }
        int bySize = clamp((double) BATCH_BYTES / Math.max(1, size), 1, BATCH_MOST);
        return Math.min(bySize, clamp(BATCH_NS / iterationNs, 1, BATCH_MOST));
    }

    private static int clamp(double value, int least, int most) {
        return (int) Math.max(least, Math.min(most, value));
    }
}
