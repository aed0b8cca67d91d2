package org.sluice.hybrid.progress;

/**
 * Why a thread of the device has to make progress where no caller does, counted so that the usual case, no reason at all, is one look.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: {@code ProgressEngineTest}.
 */
final class Needs {
    private int reasons;
    private boolean controls;

    /** @param always the device's threads make all the progress */
    Needs(boolean always) {
        reasons = always ? 1 : 0;
    }

    boolean any() {
        return reasons != 0;
    }

    /** A thread has parked, or a callback is wanted. */
    void add() {
        reasons++;
    }

    void remove() {
        reasons--;
    }

    /** A control packet waits for room, or none does any more. */
    void controls(boolean wait) {
        if (wait != controls) {
            controls = wait;
            reasons += wait ? 1 : -1;
        }
    }

    boolean controlsWait() {
        return controls;
    }
}
