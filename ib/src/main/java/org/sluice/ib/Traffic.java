package org.sluice.ib;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Whether something went over this channel lately, in either direction, or was to go.
 *
 * <p>A count that changes with each use and two marks of where it stood. Of notes by several threads at once some may be lost, which nobody misses: what is
 * read here only says how soon to look. <i>Thread</i>: {@link #note} and {@link #isRecent} any, the rest under the progress lock. <i>Proof</i>:
 * {@code TrafficTest}.
 */
final class Traffic {
    private static final VarHandle COUNT;

    static {
        try {
            COUNT = MethodHandles.lookup().findVarHandle(Traffic.class, "count", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused")
    private int count;
    private int atPoll;
    private int atLook;
    private int atLookBefore;

    /** A packet or a piece went, found no room, or came. Opaque: orders nothing. */
    void note() {
        COUNT.setOpaque(this, count() + 1);
    }

    private int count() {
        return (int) COUNT.getOpaque(this);
    }

    /** A poll begins. */
    void polled() {
        atPoll = count();
    }

    /** Something was noted since the last poll began: what the adapter has to say of it, a poll finds. */
    boolean isNew() {
        return count() != atPoll;
    }

    /** A look at the peers, some tenths of a second after the one before. */
    void look() {
        atLookBefore = atLook;
        atLook = count();
    }

    /** Something was noted since the last look but one. */
    boolean isRecent() {
        return count() != atLookBefore;
    }
}
