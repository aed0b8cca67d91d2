package org.sluice.bench.contestant;

/** Ranks, or a launcher with its ranks, that were started and will end. <i>Thread</i>: any. */
interface Running {
    boolean isAlive();

    /** How it ended and its last words, for an error message. */
    String report();

    /** True when it ended in time. */
    boolean awaitEnd(long timeoutMs);

    /** Ends it and all that it started: asks first, so that a launcher can clean up after its ranks, then kills. */
    void kill();
}
