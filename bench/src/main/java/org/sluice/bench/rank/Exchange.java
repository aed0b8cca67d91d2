package org.sluice.bench.rank;

import java.nio.ByteBuffer;
import org.sluice.bench.plan.Step;

/**
 * One rank's end of what is measured. Blocking calls do their work at once and leave {@link #finish} nothing to do;
 * requests are begun by {@link #post} and {@link #expect} and end in it.
 *
 * <p><i>Thread</i>: the rank's.
 */
public interface Exchange extends AutoCloseable {
    /**
     * Provides buffers for {@code step.slots()} messages each way. Every rank calls it before the first message of a
     * step.
     */
    void prepare(Step step);

    /** All slots that are sent from, one after the other. */
    ByteBuffer outgoing();

    /** All slots that are received into. */
    ByteBuffer incoming();

    void post(int rank, int slot);

    void expect(int rank, int slot);

    void finish();

    /** Tells the rank that its window has arrived; returns when that is on its way. */
    void acknowledge(int rank);

    void awaitAcknowledge(int rank);

    /** After the last message of a step, outside of what is timed. Every rank calls it. */
    default void complete() {}

    @Override
    void close();
}
