package org.sluice.hybrid.progress;

/**
 * How long a thread sleeps that waits for room in a peer's ring. No receiver rings for room that it made: that would cost each of its
 * messages a fence. Who waits for room looks, ever less often. <i>Thread</i>: under the progress lock.
 */
final class Naps {
    private static final long SHORTEST_NANOS = 100_000;
    private static final long LONGEST_NANOS = 5_000_000;

    private long nanos = SHORTEST_NANOS;

    long nextNanos() {
        long next = nanos;
        nanos = Math.min(2 * nanos, LONGEST_NANOS);
        return next;
    }

    void reset() {
        nanos = SHORTEST_NANOS;
    }
}
