package org.sluice.bench.rank;

import org.sluice.bench.plan.Step;

/**
 * What a rank does with the steps that it is told: by calls that block or return ({@link StepRunner}), by calls that
 * suspend, by handlers, or beside a computation.
 *
 * <p><i>Thread</i>: the rank's. <i>Owns</i>: what messages are sent with, until {@link #close}.
 */
public interface Steps extends AutoCloseable {
    /** The rank's thread was pinned to this core: where the step is done by another one, that belongs there too. */
    default void pinned(int core) {}

    /**
     * All ranks run the same step at once.
     *
     * @return on rank 0 {@code step.samples()} numbers, nothing on the others
     */
    long[] run(Step step);

    @Override
    void close();
}
