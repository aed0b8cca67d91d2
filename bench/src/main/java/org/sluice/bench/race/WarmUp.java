package org.sluice.bench.race;

import java.util.Arrays;

/**
 * How long one contestant is warmed up at one size, and what its iterations come to: steps that grow until they fill a
 * slice, until the budget is spent.
 */
final class WarmUp {
    static final double SLICE_NS = 30e6;
    private static final int ITERATIONS_MOST = 200_000;
    private static final double GROWTH = 10;
    /** Steps that the usual duration is taken of. */
    private static final int LOOK_BACK = 9;
    /**
     * Beyond this the best step was luck: a peer that spins where ranks share cores is now and then a thousand times
     * faster than usual.
     */
    private static final double BEST_BELIEVED = 8;
    /** Of the budget, by the clock: whoever is held up all the time is as warm as it gets. */
    private static final double PATIENCE = 4;

    private final double budgetNs;
    private double spentNs;
    private double clockNs;
    private double bestNs = Double.MAX_VALUE;
    private double iterationNs = Double.MAX_VALUE;
    private final double[] latest = new double[LOOK_BACK];
    private int steps;
    private int iterations = 1;

    WarmUp(double budgetNs) {
        this.budgetNs = budgetNs;
    }

    boolean goesOn() {
        return spentNs < budgetNs && clockNs < PATIENCE * budgetNs;
    }

    /** Of the next step. */
    int iterations() {
        return iterations;
    }

    /** @param ns what the step took by rank 0's clock */
    void took(long ns) {
        double stepNs = Math.max(1, (double) ns / iterations);
        latest[steps++ % LOOK_BACK] = stepNs;
        clockNs += ns;
        // The best, because a disturbed warm-up would make all rounds too short.
        bestNs = Math.min(bestNs, stepNs);
        double usualNs = usualNs();
        iterationNs = usualNs > BEST_BELIEVED * bestNs ? usualNs : bestNs;
        // Undisturbed time alone: a step that other programs held up for a third of a second has warmed nothing.
        spentNs += Math.max(iterations * iterationNs, budgetNs / SLICE_NS);
        iterations =
                (int) Math.max(1, Math.min(Math.min(ITERATIONS_MOST, GROWTH * iterations), SLICE_NS / iterationNs));
    }

    /** The median of the latest steps; of two the shorter. */
    private double usualNs() {
        double[] sorted = Arrays.copyOf(latest, Math.min(steps, LOOK_BACK));
        Arrays.sort(sorted);
        return sorted[(sorted.length - 1) / 2];
    }

    double iterationNs() {
        return iterationNs;
    }
}
