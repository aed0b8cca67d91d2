package org.sluice.ib;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Whether something went over this channel lately, in either direction, or was to go, and whether that was long.
 *
 * <p>Counts that change with each use and marks of where they stood. Of notes by several threads at once some may be
 * lost, and marks be read beside a look that moves them; then something long may pass for short, or the other way
 * round, until the second look from there. What is read here only says how soon to look, and how: nothing is ordered by
 * it. <i>Thread</i>: {@link #note} and {@link #isLong} any, the rest under the progress lock. <i>Proof</i>:
 * {@code TrafficTest}.
 */
final class Traffic {
    /**
     * Bytes for each use, on an average: half a packet of a stream, so that the credit which goes back for it doesn't
     * hide it.
     */
    static final int LONG_BYTES = 2048;

    private static final VarHandle COUNT;
    private static final VarHandle BYTES;

    static {
        try {
            COUNT = MethodHandles.lookup().findVarHandle(Traffic.class, "count", int.class);
            BYTES = MethodHandles.lookup().findVarHandle(Traffic.class, "bytes", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused")
    private int count;

    @SuppressWarnings("unused")
    private long bytes;

    private int atPoll;
    private int countAtLook;
    private int countAtLookBefore;
    private long bytesAtLook;
    private long bytesAtLookBefore;

    /**
     * A packet or a piece went, found no room, or came, with what a slot of a route has for it, or memory was offered
     * for one. Opaque: orders nothing.
     */
    void note(long moved) {
        note(1, moved);
    }

    /** Several, with so many bytes together. */
    void note(int uses, long moved) {
        COUNT.setOpaque(this, count() + uses);
        BYTES.setOpaque(this, bytes() + moved);
    }

    private int count() {
        return (int) COUNT.getOpaque(this);
    }

    private long bytes() {
        return (long) BYTES.getOpaque(this);
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
        countAtLookBefore = countAtLook;
        bytesAtLookBefore = bytesAtLook;
        countAtLook = count();
        bytesAtLook = bytes();
    }

    /** What was noted since the last look but one was long, on an average. */
    boolean isLong() {
        int uses = count() - countAtLookBefore;
        return uses != 0 && bytes() - bytesAtLookBefore >= LONG_BYTES * Integer.toUnsignedLong(uses);
    }
}
