package org.sluice.hybrid.progress;

/**
 * Why a thread of the device has to make progress where no caller does, counted so that the usual case, no reason at
 * all, is one look.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: {@code ProgressEngineTest}.
 */
final class Needs {
    private int reasons;
    /**
     * Of them that the program knows nothing of: it waits for nothing, and its handlers run beside none of its code.
     */
    private int unseen;

    private boolean controls;
    private boolean due;
    /** All that whoever leaves the lock has to look after: the reasons, and work of the program's that is due. */
    private int attention;

    /** @param always the device's threads make all the progress */
    Needs(boolean always) {
        reasons = always ? 1 : 0;
        attention = reasons;
    }

    boolean any() {
        return reasons != 0;
    }

    /** Whoever leaves the lock, or leads, has something to look after. */
    boolean wantsAttention() {
        return attention != 0;
    }

    /** A thread has parked, or a callback is wanted. */
    void add() {
        add(1);
    }

    void remove() {
        add(-1);
    }

    private void add(int more) {
        reasons += more;
        attention += more;
    }

    /** Work of the program's is due, or none is. A thread of the device runs it only where it makes progress anyway. */
    void due(boolean is) {
        if (is != due) {
            due = is;
            attention += is ? 1 : -1;
        }
    }

    boolean isDue() {
        return due;
    }

    /** A control packet waits for room, or none does any more. */
    void controls(boolean wait) {
        if (wait != controls) {
            controls = wait;
            add(wait ? 1 : -1);
        }
    }

    boolean controlsWait() {
        return controls;
    }

    /** Something that nobody waits for has to be moved from here, or nothing has any more. */
    void unseen(boolean is) {
        if (is != (unseen != 0)) {
            unseen = is ? 1 : 0;
            add(is ? 1 : -1);
        }
    }

    boolean isUnseenMoved() {
        return unseen != 0;
    }

    /** Whether a thread of the device may run due work: not where it only moves what nobody waits for. */
    boolean letThreadsServe() {
        return unseen == 0 || reasons > unseen;
    }

    /** Work is due that a thread of the device may run. */
    boolean isDueToThreads() {
        return due && letThreadsServe();
    }
}
