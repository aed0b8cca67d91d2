package org.sluice.ib.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What is left for busy peers when every peer has what it begins with. */
final class SlotBudgetTest {
    private static final int SLOTS = 768;

    private final SlotBudget budget = new SlotBudget(SLOTS, SLOTS);

    private int left(int peers) {
        for (int i = 0; i < peers; i++) {
            new Credits(budget);
        }
        int left = 0;
        while (budget.lend(1)) {
            left++;
        }
        assertTrue(budget.takeRefused());
        return left;
    }

    @Test
    void fewPeersHaveASlotForEachControlPacketThatTheyMaySend() {
        assertEquals(SLOTS - 10 * (Credits.LEAST + Credits.CONTROL_RESERVE), left(10));
    }

    @Test
    void thoseOfManyPeersTogetherHaveAnEighthOfTheSlots() {
        assertEquals(SLOTS - 300 * Credits.LEAST - SLOTS / 8, left(300));
    }

    @Test
    void morePeersThanSlotsLeaveNothingToLend() {
        assertEquals(0, left(SLOTS));
    }

    @Test
    void whoHasEndedHasNothingAside() {
        Credits gone = new Credits(budget);
        gone.giveBack();
        gone.giveBack();
        assertEquals(SLOTS - Credits.LEAST - Credits.CONTROL_RESERVE, left(1));
    }

    @Test
    void slotsThatWereAddedCanBeLent() {
        left(SLOTS);
        budget.slots(3 * SLOTS);
        assertTrue(budget.lend(3 * SLOTS - SLOTS * Credits.LEAST - 3 * SLOTS / 8));
        assertFalse(budget.lend(1));
    }
}
