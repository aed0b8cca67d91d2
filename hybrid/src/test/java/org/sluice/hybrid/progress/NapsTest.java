package org.sluice.hybrid.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class NapsTest {
    private static final long LIMIT = 100_000_000;

    private final Naps naps = new Naps();

    private void sleepToTheEnd(long nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
        naps.end();
    }

    /** A sender that the fence missed is found a millisecond later, not when the longest sleep is over. */
    @Test
    void onlyASleepBehindOneInWhichNothingCameIsLong() {
        assertEquals(1000, naps.begin(1000, false), "never longer than it may");
        naps.end();
        for (Runnable came : new Runnable[] {naps::reset, naps::takeOver}) {
            sleepToTheEnd(naps.begin(LIMIT, false));
            assertEquals(LIMIT, naps.begin(60 * LIMIT, false));
            naps.end();
            assertEquals(1_000_000, naps.begin(LIMIT, false), "it was woken");
            sleepToTheEnd(1_000_000);
            came.run();
            assertEquals(1_000_000, naps.begin(LIMIT, false), "something may have come");
        }
    }

    @Test
    void whoWaitsForRoomLooksEverLessOften() {
        long last = 0;
        for (int i = 0; i < 10; i++) {
            long nap = naps.begin(LIMIT, true);
            assertTrue(naps.isNapping());
            assertTrue(nap >= last && nap <= 5_000_000, nap + " after " + last);
            last = nap;
        }
        assertEquals(5_000_000, last);
        naps.end();
        assertFalse(naps.isNapping());
        naps.reset();
        assertEquals(100_000, naps.begin(LIMIT, true));
    }
}
