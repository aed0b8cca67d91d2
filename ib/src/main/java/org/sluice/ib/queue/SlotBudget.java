package org.sluice.ib.queue;

/**
 * How many receive slots are promised to peers, of those that there are.
 *
 * <p>What every peer holds from the start is promised even when there are more peers than slots: receivers that are not
 * ready make the adapters wait and send again, which is slow and safe. For control packets beyond credit each peer has
 * so many aside while these are few in all; of many peers hardly any sends some at the same time, so together they have
 * a part of the slots. <i>Thread</i>: under the progress lock. <i>Proof</i>: {@code SlotBudgetTest}.
 */
public final class SlotBudget {
    /**
     * Control packets of all peers have at most this part aside: when so few are left the adapter tells, and more are
     * posted.
     */
    private static final int CONTROL_PART = 8;

    /** Written by the helper, read under the progress lock: an old value only lends less. */
    private volatile int slots;

    private final int mostForOne;
    private int lent;
    private int controls;
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

    /**
     * What every peer begins with, whether there is so much or not, and what it may have beyond that for control
     * packets.
     */
    void promise(int count, int control) {
        lent += count;
        controls += control;
    }

    /** @return false when so many are not left */
    boolean lend(int count) {
        if (lent + count + aside() > slots) {
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

    /** For control packets. */
    private int aside() {
        return Math.min(controls, slots / CONTROL_PART);
    }

    /** Promised and lent, of all peers together, without what is aside. */
    int lent() {
        return lent;
    }

    void giveBack(int count) {
        lent -= count;
    }

    /** A peer has ended. */
    void endControl(int control) {
        controls -= control;
    }
}
