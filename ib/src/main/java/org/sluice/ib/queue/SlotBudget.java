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

    /** @return false when so many are not left; what every peer begins with is promised all the same */
    boolean lend(int count) {
        if (lent + count > slots && count > Credits.LEAST + Credits.CONTROL_RESERVE) {
            return false;
        }
        lent += count;
        return true;
    }

    void giveBack(int count) {
        lent -= count;
    }
}
