package org.sluice.hybrid.progress;

/**
 * Who sleeps, and how long. No receiver rings for room that it made: that would cost each of its messages a fence; who
 * waits for room looks, ever less often. And the first sleep after something came is short, as the fence before it may
 * have missed a sender of another process (docs/project/adr/0009-asymmetric-fences.md), whose packet is there long
 * before it ends. <i>Thread</i>: under the progress lock.
 */
final class Naps {
    private static final long SHORTEST_NANOS = 100_000;
    private static final long LONGEST_NANOS = 5_000_000;
    private static final long FIRST_SLEEP_NANOS = 1_000_000;
    private static final long LONGEST_SLEEP_NANOS = 100_000_000;

    private long nanos = SHORTEST_NANOS;
    /** The last sleep ended by itself, and nothing has come since. */
    private boolean quiet;

    private long endNanos;
    private boolean napping;
    /** Who sleeps, or is about to, or has not yet looked again since. */
    private Thread asleep;

    /** How long the next sleep may take: a nap if something waits for room. */
    long begin(long limitNanos, boolean waitsForRoom) {
        asleep = Thread.currentThread();
        napping = waitsForRoom;
        if (!napping) {
            long limit = Math.min(limitNanos, quiet ? LONGEST_SLEEP_NANOS : FIRST_SLEEP_NANOS);
            endNanos = System.nanoTime() + limit;
            return limit;
        }
        long next = nanos;
        nanos = Math.min(2 * nanos, LONGEST_NANOS);
        return Math.min(limitNanos, next);
    }

    void end() {
        asleep = null;
        quiet = !napping && System.nanoTime() - endNanos >= 0;
        napping = false;
    }

    /** The thread that looks again once the word was rung; null: none does. There is never a second one. */
    Thread asleep() {
        return asleep;
    }

    /** A thread naps: it looks again by itself, and soon. */
    boolean isNapping() {
        return napping;
    }

    /** Somebody else may have led meanwhile, and received. */
    void takeOver() {
        quiet = false;
    }

    void reset() {
        nanos = SHORTEST_NANOS;
        quiet = false;
    }
}
