package org.sluice.bench.rank;

import org.sluice.bench.plan.Step;

/**
 * Times the batches of a step whose iterations end in a handler, where no loop counts them: one clock read a batch,
 * none in the lead-in.
 *
 * <p><i>Thread</i>: one at a time. <i>Proof</i>: {@code BatchClockTest}.
 */
final class BatchClock {
    private static final int LEAD_IN = -1;

    private final Step step;
    private final Content content;
    private final long[] samples;
    private final int batch;
    private int left;
    private int current = LEAD_IN;
    private long start;

    BatchClock(Step step, Content content) {
        this.step = step;
        this.content = content;
        samples = new long[step.batches()];
        batch = step.batch();
        left = step.leadIn();
    }

    /** Before the first iteration. */
    void begin() {
        if (left == 0) {
            next();
        }
    }

    /**
     * After each iteration.
     *
     * @return whether it was the last
     */
    boolean ended() {
        return --left == 0 && next();
    }

    private boolean next() {
        long now = content.now(step);
        if (current != LEAD_IN) {
            samples[current] = now - start;
        }
        current++;
        left = batch;
        start = now;
        return current == samples.length;
    }

    /** Nanoseconds of each batch, once the last has ended. */
    long[] samples() {
        return samples;
    }
}
