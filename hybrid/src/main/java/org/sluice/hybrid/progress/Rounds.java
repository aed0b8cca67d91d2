package org.sluice.hybrid.progress;

import org.sluice.hybrid.request.Goal;

/**
 * One round of progress after the other, with a look at the peers now and then: neither a deadline nor a dead peer may
 * go unseen because others send.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Fails</i>: what a round throws ends the device, see {@link Duty#fail}.
 * <i>Proof</i>: {@code ProgressEngineTest}.
 */
final class Rounds {
    /** Rounds that did something between looks at the clock; a power of two. */
    private static final int BUSY_ROUNDS_PER_LOOK = 1024;
    /** Looks for a goal between rounds for all; a power of two. */
    private static final int LOOKS_PER_ROUND = 8;

    /** Rounds for one who serves between looks at the clock; a power of two. */
    private static final int SERVING_ROUNDS_PER_LOOK = 4;

    private final Duty duty;
    private final long peerCheckNanos;
    private int busy;
    private int looks;
    private int servingRounds;
    private long lastPeerCheck = System.nanoTime();

    Rounds(Duty duty, WaitPolicy policy) {
        this.duty = duty;
        this.peerCheckNanos = policy.peerCheckNanos();
    }

    /** @return how much was done */
    int once() {
        try {
            int done = duty.work();
            if (done != 0 && ++busy % BUSY_ROUNDS_PER_LOOK == 0) {
                lookAtPeers(System.nanoTime());
            }
            return done;
        } catch (Throwable e) {
            duty.fail(e);
            return 1;
        }
    }

    /** As {@link #once} for one who waits: most of the time a look for the goal is enough. */
    int onceFor(Goal goal) {
        try {
            int looked = duty.lookFor(goal);
            if (looked > 0 || looked == 0 && ++looks % LOOKS_PER_ROUND != 0) {
                return looked;
            }
            if (goal instanceof ServingTurn && ++servingRounds % SERVING_ROUNDS_PER_LOOK == 0) {
                // Each may stand for many messages whose handlers took as long as they liked.
                lookAtPeers(System.nanoTime());
            }
        } catch (Throwable e) {
            duty.fail(e);
            return 1;
        }
        return once();
    }

    /** After a round that did something: whether it is time for a look at the clock. */
    boolean isLookDue() {
        return busy % BUSY_ROUNDS_PER_LOOK == 0;
    }

    /**
     * Whether the thread may sleep; where a sender has not agreed to that yet, it lets others have the core instead,
     * and looks again.
     */
    boolean maySleep(ProgressLock lock, Sleeper sleeper) {
        try {
            if (duty.prepareSleep()) {
                return true;
            }
        } catch (Throwable e) {
            duty.fail(e);
        }
        // One that is dead never agrees.
        lookAtPeers(System.nanoTime());
        rest(lock, sleeper, false);
        return false;
    }

    /**
     * Lets others have the core.
     *
     * @param naps whether for a while, instead of as long as they want it
     */
    void rest(ProgressLock lock, Sleeper sleeper, boolean naps) {
        if (naps) {
            lock.nap(sleeper);
        } else {
            lock.yieldCore(sleeper);
        }
        duty.yielded();
    }

    void lookAtPeers(long now) {
        if (now - lastPeerCheck >= peerCheckNanos) {
            lastPeerCheck = now;
            try {
                duty.checkPeers();
            } catch (Throwable e) {
                duty.fail(e);
            }
        }
    }
}
