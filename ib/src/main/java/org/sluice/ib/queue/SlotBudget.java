package org.sluice.ib.queue;

/**
 * How many receive slots are promised to peers, of those that there are.
 *
 * <p>What every peer holds from the start is promised even when there are more peers than slots: receivers that are not ready make the
 * adapters wait and send again, which is slow and safe. <i>Thread</i>: under the progress lock.
 */
public final class SlotBudget {
    private final int slots;
    private final int mostForOne;
    private int lent;

    /** @param mostForOne the most that one peer may borrow */
    public SlotBudget(int slots, int mostForOne) {
        this.slots = slots;
        this.mostForOne = mostForOne;
    }

    int mostForOne() {
        return mostForOne;
    }

    /** What every peer begins with, whether there is so much or not. */
    void promise(int count) {
        lent += count;
    }

    /** @return false when so many are not left */
    boolean lend(int count) {
        if (lent + count > slots) {
            return false;
        }
        lent += count;
        return true;
    }

    /** Promised and lent, of all peers together. */
    int lent() {
        return lent;
    }

    void giveBack(int count) {
        lent -= count;
    }
}
