package org.sluice.hybrid.progress;

/**
 * How long who waits spins: as the policy says while the rank's threads that wait, the leader among them, have a core
 * each; else not at all. A leader that spins where one that it completes something for waits for its core, and a
 * follower that spins where the leader does, hold up every message for as long as they spin.
 *
 * <p><i>Thread</i>: under the progress lock; {@link #yieldNanos}, which never changes, any. <i>Proof</i>:
 * {@code WindowTest}, {@code ProgressThreadsTest}.
 */
final class Window {
    private static final int ROUNDS_PER_LOOK = 128;
    private static final int YIELDS_PER_LOOK = 8;

    private final WaitPolicy policy;
    /** How many wait beside the leader, and are not parked. */
    private int beside;

    Window(WaitPolicy policy) {
        this.policy = policy;
    }

    /** A caller begins to wait beside the leader. */
    void enter() {
        beside++;
    }

    /** It parks, or has what it waited for. */
    void leave() {
        beside--;
    }

    private boolean isCrowded() {
        return beside >= policy.spinners();
    }

    boolean spins() {
        return !isCrowded() && policy.spins();
    }

    /** 0 where nobody spins now. */
    long spinNanos() {
        return isCrowded() ? 0 : policy.spinNanos();
    }

    /** As {@link #spinNanos}, for one that has entered. */
    long besideNanos() {
        return isCrowded() ? 0 : policy.besideNanos();
    }

    long yieldNanos() {
        return policy.yieldNanos();
    }

    int directRounds() {
        return policy.directRounds();
    }

    boolean isWrittenTo() {
        return policy.isWrittenTo();
    }

    long peerCheckNanos() {
        return policy.peerCheckNanos();
    }

    boolean naps(long idleNanos) {
        return policy.naps(idleNanos);
    }

    /**
     * Empty rounds between looks at the clock, which costs as much as several; where nobody spins each of them yields,
     * if it may.
     */
    int roundsPerLook() {
        if (spins()) {
            return ROUNDS_PER_LOOK;
        }
        return policy.yieldNanos() == 0 ? 1 : YIELDS_PER_LOOK;
    }
}
