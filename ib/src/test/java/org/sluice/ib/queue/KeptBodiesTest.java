package org.sluice.ib.queue;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class KeptBodiesTest {
    private final KeptBodies kept = new KeptBodies(8, 2);

    @Test
    void aSlotOfWhichNothingIsKeptIsFreeOnceItWasHandedUp() {
        assertTrue(kept.handedUp(3));
        assertTrue(kept.isEmpty());
    }

    @Test
    void aSlotIsFreeAfterItsPacketAndItsLastBody() {
        assertTrue(kept.keep(3));
        assertTrue(kept.keep(3), "a packet of several messages");
        assertFalse(kept.handedUp(3));
        assertFalse(kept.giveBack(3));
        assertFalse(kept.isEmpty());
        assertTrue(kept.giveBack(3));
        assertTrue(kept.isEmpty());
        assertTrue(kept.handedUp(3), "the next packet in it");
    }

    @Test
    void aSlotWhosePacketIsStillBeingHandedUpIsNotFree() {
        assertTrue(kept.keep(3));
        assertFalse(kept.giveBack(3), "more messages follow in the packet");
        assertTrue(kept.handedUp(3));
    }

    @Test
    void noMoreSlotsThanAllowedAreKept() {
        assertTrue(kept.keep(1));
        assertTrue(kept.keep(2));
        assertFalse(kept.keep(3));
        assertTrue(kept.keep(2), "in a slot that is kept anyway");
        kept.handedUp(1);
        assertTrue(kept.giveBack(1));
        assertTrue(kept.keep(3));
    }

    @Test
    void whatIsGivenBackTwiceIsFound() {
        kept.keep(1);
        kept.giveBack(1);
        assertThrows(IllegalStateException.class, () -> kept.giveBack(1));
    }
}
