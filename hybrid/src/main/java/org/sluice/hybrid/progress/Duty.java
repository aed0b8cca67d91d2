package org.sluice.hybrid.progress;

import org.sluice.hybrid.lock.BiasedLock;
import org.sluice.hybrid.request.Goal;
import org.sluice.hybrid.request.Guard;

/** What there is to do when progress is made. All calls under the progress lock. */
public interface Duty extends BiasedLock.Orphaned {
    /**
     * One round: polls the channels and drives what was deferred.
     *
     * @return how much it did; 0 for nothing
     */
    int work();

    /**
     * Looks for what ends this wait, and nowhere else: cheaper than a round, and no message comes in that nobody waits
     * for.
     *
     * @return more than 0 when the goal is reached, or something is due for a {@link ServingTurn}, 0 when nothing has
     *     come for it, less than 0 when only rounds can tell
     */
    int lookFor(Goal goal);

    /**
     * True while something waits for room at a peer: nobody rings when there is some, so it must be looked for now and
     * then.
     */
    boolean waitsForRoom();

    /**
     * True while the next round would move a piece of a long message that this rank reads or writes by itself: nobody
     * rings for that.
     */
    default boolean isPulling() {
        return false;
    }

    /**
     * Asks senders whose messages would wake nobody to send them otherwise.
     *
     * @return true when all have agreed and {@link #arm} may follow
     */
    default boolean prepareSleep() {
        return true;
    }

    /**
     * Whoever makes the rounds gave its core away, for as long as others liked: the next {@link #work} puts nothing
     * off.
     */
    default void yielded() {
        // Each round does everything.
    }

    /**
     * Asks all senders to wake this rank from now on; what comes after a later {@link #work} that found nothing rings
     * the wait word.
     */
    void arm();

    /** Looks whether the peers still live; called a few times a second. Ends everything if {@link #isEndDue}. */
    void checkPeers();

    /** Where calls say that they were left half-way. Any thread, without the lock. */
    default Guard guard() {
        return new Guard();
    }

    /** A call was left half-way: no wait ends well any more. Any thread, without the lock. */
    default boolean hasCaught() {
        return false;
    }

    /**
     * As {@link #hasCaught}, and not everything has ended: whoever sees it calls {@link #checkPeers}. Any thread,
     * without the lock.
     */
    default boolean isEndDue() {
        return false;
    }

    /**
     * If {@link #hasCaught}: ends everything, and throws why. What was left half-way may be what the caller waits for,
     * and in no list any more.
     */
    default void endIfCaught() {
        // Nothing was left.
    }

    /** A thread has left with a lock held, which another has now. Any lock may be held. */
    @Override
    default void orphaned(Thread owner) {
        // Who has no more than locks has nothing to end.
    }

    /**
     * A round failed with something that is no peer's fault: everything is to end with this cause. Throws nothing, as
     * who calls has the lock to leave.
     */
    void fail(Throwable cause);
}
