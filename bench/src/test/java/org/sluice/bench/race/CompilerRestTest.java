package org.sluice.bench.race;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class CompilerRestTest {
    private static final long SECOND = 1_000_000_000;
    private static final long BEGIN = Long.MAX_VALUE - SECOND / 2;

    @Test
    void itGoesOnWhileCompilersTakeMoreThanAFewHundredthsOfACore() {
        CompilerRest rest = new CompilerRest(BEGIN, 7_000);
        assertTrue(rest.isToGoOn(BEGIN + SECOND, 7_800));
        assertTrue(rest.isToGoOn(BEGIN + 2 * SECOND, 7_860), "60 ms of this second");
        assertFalse(rest.isToGoOn(BEGIN + 3 * SECOND, 7_900), "40 ms of this second");
    }

    @Test
    void aNativeContestantNeedsNoMore() {
        assertFalse(new CompilerRest(BEGIN, 0).isToGoOn(BEGIN + SECOND, 0));
    }

    @Test
    void whoNeverRestsIsTakenAsItIsAfterAMinute() {
        CompilerRest rest = new CompilerRest(BEGIN, 0);
        for (int second = 1; second < CompilerRest.SECONDS_MOST; second++) {
            assertTrue(rest.isToGoOn(BEGIN + second * SECOND, 1000L * second), second + " s");
        }
        assertFalse(rest.isToGoOn(BEGIN + (long) CompilerRest.SECONDS_MOST * SECOND, 60_000));
    }
}
