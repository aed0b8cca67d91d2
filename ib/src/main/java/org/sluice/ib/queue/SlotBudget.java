package org.sluice.ib.queue;

/**
 * How many receive slots are promised to peers, of those that there are.
 *
 * <p>What every peer holds from the start is promised even when there are more peers than slots: receivers that are not ready make the
 * adapters wait and send again, which is slow and safe. <i>Thread</i>: under the progress lock.
 */
public final class SlotBudget {
    /** Written by the helper, read under the progress lock: an old value only lends less. */
    private volatile int slots;
    private final int mostForOne;
    private int lent;
    private boolean wasRefused;

    /** @param mostForOne the most that one peer may borrow */
    public SlotBudget(int slots, int mostForOne) {
        this.slots = slots;
        this.mostForOne = mostForOne;
    }

    /** There are so many. Any thread. */
    public void slots(int count) {
        slots = count;
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
            wasRefused = true;
            return false;
        }
        lent += count;
        return true;
    }

    /** Whether a busy peer wanted more than is left, since this was asked for the last time. */
    public boolean takeRefused() {
        boolean was = wasRefused;
        wasRefused = false;
        return was;
    }

    /** Promised and lent, of all peers together. */
    int lent() {
        return lent;
    }

    void giveBack(int count) {
        lent -= count;
    }
}
