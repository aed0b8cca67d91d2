package org.sluice.ib.queue;

/**
 * Which receive slots hold messages that stay there until they are received, or for as long as the program reads them;
 * several of one slot where a packet has several. Never more slots than peers were promised none of.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: {@code KeptBodiesTest}, {@code UncopiedRxeTest}.
 */
final class KeptBodies {
    private final int most;
    /** By slot. */
    private final int[] bodies;
    /** By slot: the packet was handed up, all of it. */
    private final boolean[] handedUp;

    private int slots;

    /** @param most slots that may be kept */
    KeptBodies(int count, int most) {
        this.most = most;
        this.bodies = new int[count];
        this.handedUp = new boolean[count];
    }

    /** @return false where too many are kept */
    boolean keep(int slot) {
        if (bodies[slot] == 0) {
            if (slots == most) {
                return false;
            }
            slots++;
        }
        bodies[slot]++;
        return true;
    }

    /**
     * The packet was handed up.
     *
     * @return whether the slot is free
     */
    boolean handedUp(int slot) {
        handedUp[slot] = bodies[slot] > 0;
        return !handedUp[slot];
    }

    /** @return whether the slot is free */
    boolean giveBack(int slot) {
        if (bodies[slot] == 0) {
            throw new IllegalStateException("slot " + slot + " is given back more often than kept");
        }
        if (--bodies[slot] > 0) {
            return false;
        }
        slots--;
        boolean isFree = handedUp[slot];
        handedUp[slot] = false;
        return isFree;
    }

    boolean isEmpty() {
        return slots == 0;
    }

    @Override
    public String toString() {
        return slots + " of " + most + " kept";
    }
}
