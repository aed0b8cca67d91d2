package org.sluice.hybrid.protocol;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** How long a rank has to wait for nobody until it is told so. */
final class AbandonedWaitsTest {
    private static final long PATIENCE = AbandonedWaits.PATIENCE_NANOS;

    private final AbandonedWaits.Patience waits = new AbandonedWaits.Patience();

    @Test
    void itIsDueWhenItHasLastedASecond() {
        assertFalse(waits.isDue(true, 0, 5));
        assertFalse(waits.isDue(true, 0, 5 + PATIENCE - 1));
        assertTrue(waits.isDue(true, 0, 5 + PATIENCE));
    }

    @Test
    void aWaitThatEndedMeanwhileBeginsAnew() {
        assertFalse(waits.isDue(true, 0, 0));
        assertFalse(waits.isDue(false, 0, 2 * PATIENCE));
        assertFalse(waits.isDue(true, 0, 3 * PATIENCE));
        assertTrue(waits.isDue(true, 0, 4 * PATIENCE));
    }

    /** Another receive waits now than before, as a thread of the rank sends to it. */
    @Test
    void aMessageOfItsOwnBeginsItAnew() {
        assertFalse(waits.isDue(true, 1, 0));
        assertFalse(waits.isDue(true, 2, PATIENCE));
        assertTrue(waits.isDue(true, 2, 2 * PATIENCE));
    }
}
