package org.sluice.hybrid.progress;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Whether somebody leads.
 *
 * <p><i>Thread</i>: under the progress lock; {@link #isSeen} without it, by followers. <i>Proof</i>:
 * {@code ProgressEngineTest}.
 */
final class Lead {
    private static final VarHandle TAKEN;

    static {
        try {
            TAKEN = MethodHandles.lookup().findVarHandle(Lead.class, "taken", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private boolean taken;
    /** The leader has let go of the lock between two rounds. */
    private boolean rests;
    /**
     * Who that is, or was the last time: the same one nearly always, and a reference stored at each message would cost
     * the collector's barrier.
     */
    private Thread resting;

    boolean isTaken() {
        return taken;
    }

    /** Without the lock. */
    boolean isSeen() {
        return (boolean) TAKEN.getOpaque(this);
    }

    void take() {
        TAKEN.setOpaque(this, true);
    }

    /** By the one who leads. */
    void leave() {
        TAKEN.setOpaque(this, false);
    }

    /**
     * By the one who leads, before it lets go of the lock and when it has it again.
     *
     * @param thread null: nobody
     * @return what to put back then: waits in what runs meanwhile lead too
     */
    Thread rest(Thread thread) {
        Thread before = rests ? resting : null;
        rests = thread != null;
        if (rests && resting != thread) {
            resting = thread;
        }
        return before;
    }

    /**
     * The caller leads, and is in the middle of what it runs between rounds: it may make progress, although somebody
     * leads.
     */
    boolean isResting() {
        return rests && resting == Thread.currentThread();
    }
}
