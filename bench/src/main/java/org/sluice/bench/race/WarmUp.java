package org.sluice.bench.race;

/**
 * How long one contestant is warmed up at one size, and what its iterations come to: steps that grow until they fill a slice, until the
 * budget is spent.
 */
final class WarmUp {
    static final double SLICE_NS = 30e6;
    private static final int ITERATIONS_MOST = 200_000;
    private static final double GROWTH = 10;

    private final double budgetNs;
    private double spentNs;
    private double iterationNs = Double.MAX_VALUE;
    private int iterations = 1;

    WarmUp(double budgetNs) {
        this.budgetNs = budgetNs;
    }

    boolean goesOn() {
        return spentNs < budgetNs;
    }

    /** Of the next step. */
    int iterations() {
        return iterations;
    }

    /** @param ns what the step took by rank 0's clock */
    void took(long ns) {
        // The best, because a disturbed warm-up would make all rounds too short.
        iterationNs = Math.max(1, Math.min(iterationNs, (double) ns / iterations));
        // Undisturbed time alone: a step that other programs held up for a third of a second has warmed nothing.
        spentNs += Math.max(iterations * iterationNs, budgetNs / SLICE_NS);
        iterations = (int) Math.max(1, Math.min(Math.min(ITERATIONS_MOST, GROWTH * iterations), SLICE_NS / iterationNs));
    }

    double iterationNs() {
        return iterationNs;
    }
}
