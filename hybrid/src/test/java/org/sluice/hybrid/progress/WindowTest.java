package org.sluice.hybrid.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Who spins, by how many wait. */
final class WindowTest {
    private static final long SPIN = 70_000;

    private static Window window(int spinners) {
        return new Window(new WaitPolicy(SPIN, 1_000_000, 1_000_000_000, false, null, spinners));
    }

    @Test
    void theyYieldWhileMoreWaitThanHaveACore() {
        Window window = window(2);
        assertTrue(window.spins());
        window.enter();
        assertTrue(window.spins(), "the leader and one more have a core each");
        assertEquals(SPIN, window.besideNanos());
        window.enter();
        assertFalse(window.spins());
        assertEquals(0, window.spinNanos());
        assertEquals(0, window.besideNanos());
        assertEquals(8, window.roundsPerLook());
        window.leave();
        assertTrue(window.spins());
        assertEquals(SPIN, window.spinNanos());
        assertEquals(128, window.roundsPerLook());
    }

    @Test
    void whatWasAskedForHoldsHoweverManyWait() {
        Window window = window(WaitPolicy.ANY_NUMBER);
        for (int i = 0; i < 1000; i++) {
            window.enter();
        }
        assertEquals(SPIN, window.spinNanos());
        assertEquals(SPIN, window.besideNanos());
    }
}
