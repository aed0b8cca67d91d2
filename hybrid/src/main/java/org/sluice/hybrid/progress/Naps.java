package org.sluice.hybrid.progress;

/**
 * How long a thread sleeps that waits for room in a peer's ring. No receiver rings for room that it made: that would cost each of its
 * messages a fence. Who waits for room looks, ever less often. <i>Thread</i>: under the progress lock.
 */
final class Naps {
    private static final long SHORTEST_NANOS = 100_000;
    private static final long LONGEST_NANOS = 5_000_000;

    private long nanos = SHORTEST_NANOS;
    private boolean napping;

    /** How long the next sleep may take: a nap if something waits for room. */
    long begin(long limitNanos, boolean waitsForRoom) {
        napping = waitsForRoom;
        if (!napping) {
            return limitNanos;
        }
        long next = nanos;
        nanos = Math.min(2 * nanos, LONGEST_NANOS);
        return Math.min(limitNanos, next);
    }

    void end() {
        napping = false;
    }

    /** A thread naps: it looks again by itself, and soon. */
    boolean isNapping() {
        return napping;
    }

    void reset() {
        nanos = SHORTEST_NANOS;
    }
}
