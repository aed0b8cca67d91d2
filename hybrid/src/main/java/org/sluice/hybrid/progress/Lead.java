package org.sluice.hybrid.progress;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Whether somebody leads.
 *
 * <p><i>Thread</i>: under the progress lock; {@link #isSeen} without it, by followers. <i>Proof</i>: {@code ProgressEngineTest}.
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
    /** Who leads, while it has let go of the lock between two rounds; null while it makes rounds, and where nobody leads. */
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

    /** By the one who leads, before it lets go of the lock and when it has it again. @return what to put back then: waits in what runs meanwhile lead too */
    Thread rest(Thread thread) {
        Thread before = resting;
        resting = thread;
        return before;
    }

    /** The caller leads, and is in the middle of what it runs between rounds: it may make progress, although somebody leads. */
    boolean isResting() {
        return resting == Thread.currentThread();
    }
}
