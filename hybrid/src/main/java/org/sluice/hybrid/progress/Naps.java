package org.sluice.hybrid.progress;

/**
 * How long a thread sleeps. No receiver rings for room that it made: that would cost each of its messages a fence; who waits for room looks,
 * ever less often. And the first sleep after something came is short, as the fence before it may have missed a sender of another process
 * (docs/adr/0009-asymmetric-fences.md), whose packet is there long before it ends. <i>Thread</i>: under the progress lock.
 */
final class Naps {
    private static final long SHORTEST_NANOS = 100_000;
    private static final long LONGEST_NANOS = 5_000_000;
    private static final long FIRST_NANOS = 1_000_000;

    private long nanos = SHORTEST_NANOS;
    private boolean first = true;
    private boolean napping;

    /** How long the next sleep may take: a nap if something waits for room. */
    long begin(long limitNanos, boolean waitsForRoom) {
        napping = waitsForRoom;
        if (!napping) {
            long limit = first ? Math.min(limitNanos, FIRST_NANOS) : limitNanos;
            first = false;
            return limit;
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
        first = true;
    }
}
