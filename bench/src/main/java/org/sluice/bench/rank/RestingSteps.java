package org.sluice.bench.rank;

import org.sluice.bench.plan.Step;

/**
 * Steps over a device that has progress threads: these poll on for a millisecond after the last message, on cores that
 * whoever is measured next is to have for itself. So a step ends a little later, outside of what is timed.
 *
 * <p><i>Thread</i>: the rank's. <i>Owns</i>: the steps.
 */
final class RestingSteps implements Steps {
    /** More than the threads spin and yield by default. */
    private static final long REST_MS = 3;

    private final Steps steps;

    RestingSteps(Steps steps) {
        this.steps = steps;
    }

    @Override
    public void pinned(int core) {
        steps.pinned(core);
    }

    @Override
    public long[] run(Step step) {
        long[] samples = steps.run(step);
        try {
            Thread.sleep(REST_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return samples;
    }

    @Override
    public void close() {
        steps.close();
    }
}
