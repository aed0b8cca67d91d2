package org.sluice.ib.queue;

import java.util.ArrayDeque;

/**
 * What each work request of one connection holds until it has completed: the slot that its packet lies in, and who lent
 * the packet's body.
 *
 * <p><i>Thread</i>: {@link #add} under the peer's send lock, before the number is published, {@link #retire} and what
 * follows from it under the progress lock, after that was read. <i>Owns</i>: the slots. <i>Proof</i>:
 * {@code SendQueueTest}.
 */
final class SlotsOnTheWay {
    /** Instead of a slot: the device took the bytes with the work request, so nothing is held until it completes. */
    static final int NO_SLOT = -2;

    private final SendBuffers buffers;
    private final int[] slots;
    /** Who lent the body, at the same places; null where it was copied. */
    private final Object[] tickets;

    private long lent;
    /**
     * Whose memory came back, and how many in all. With room for all: where memory has run out, their senders wait all
     * the same.
     */
    private final ArrayDeque<Object> back;

    private long lentBack;

    /** @param most work requests on the way */
    SlotsOnTheWay(SendBuffers buffers, int most) {
        this.buffers = buffers;
        slots = new int[Integer.highestOneBit(most) * 2];
        tickets = new Object[slots.length];
        back = new ArrayDeque<>(slots.length);
    }

    void add(long number, int slot, Object ticket) {
        int place = (int) number & slots.length - 1;
        slots[place] = slot;
        if (ticket != null) {
            tickets[place] = ticket;
            lent++;
        }
    }

    void retire(long number) {
        int place = (int) number & slots.length - 1;
        give(slots[place]);
        if (tickets[place] != null) {
            back.add(tickets[place]);
            tickets[place] = null;
        }
    }

    int lkey(int slot) {
        return slot == NO_SLOT ? 0 : buffers.lkey(slot);
    }

    void give(int slot) {
        if (slot != NO_SLOT) {
            buffers.give(slot);
        }
    }

    Object nextBack() {
        Object ticket = back.poll();
        lentBack += ticket == null ? 0 : 1;
        return ticket;
    }

    boolean isLending() {
        return lent > lentBack;
    }

    /** Whoever lent something is told otherwise. */
    void forgetLoans() {
        back.clear();
        lentBack = lent;
    }
}
