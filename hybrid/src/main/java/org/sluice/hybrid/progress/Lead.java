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
}
