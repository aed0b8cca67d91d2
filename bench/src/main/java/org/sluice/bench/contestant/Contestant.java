package org.sluice.bench.contestant;

import org.sluice.bench.plan.Step;

/**
 * Something that can be raced, started once and idle between its steps.
 *
 * <p><i>Thread</i>: one at a time; {@link #kill} any. <i>Owns</i>: its processes. <i>Fails</i>:
 * {@link ContestantFailure}, after which it can only be closed.
 */
public interface Contestant extends AutoCloseable {
    /** What it times, and so what a step for it looks like. */
    enum Timing {
        /** Batches of iterations, as many as asked for; it keeps its processes, which have to be warmed up. */
        BATCHES,
        /** Single iterations; each step starts anew, which takes seconds. */
        EACH,
        /** All iterations together, as one batch; each step starts anew, which takes seconds. */
        TOTAL
    }

    /** {@link #processorNs}: it starts processes anew for each step, or they belong to somebody else. */
    long NO_TIME = -1;

    String peer();

    Timing timing();

    void start(long timeoutMs) throws ContestantFailure;

    /** Nanoseconds of each batch, as rank 0 saw them. */
    long[] run(Step step, long timeoutMs) throws ContestantFailure;

    /**
     * How much processor time, in milliseconds, the compilers of each JVM that has ranks have taken so far, always in
     * the same order.
     */
    long[] compilerMs(long timeoutMs) throws ContestantFailure;

    /** Processor time of all its ranks' processes so far, in nanoseconds; {@link #NO_TIME} where nobody can tell. */
    long processorNs(long timeoutMs) throws ContestantFailure;

    /** So that no collection falls into a round. */
    void collectGarbage(long timeoutMs) throws ContestantFailure;

    /** Ends it at once; for a harness that is itself being ended. */
    void kill();

    @Override
    void close();
}
