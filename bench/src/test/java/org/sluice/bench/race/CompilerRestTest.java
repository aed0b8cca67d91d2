package org.sluice.bench.race;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class CompilerRestTest {
    private static final long SECOND = 1_000_000_000;
    private static final long BEGIN = Long.MAX_VALUE - SECOND / 2;

    private static long[] ms(long... ofJvms) {
        return ofJvms;
    }

    /** After as many passes as were given, the first of which ends in that second, and not before. */
    private static void assertRests(CompilerRest rest, int second, String why, long[]... passes) {
        assertEquals(CompilerRest.RESTING_PASSES, passes.length);
        for (int i = 0; i < passes.length; i++) {
            boolean isLast = i == passes.length - 1;
            assertEquals(!isLast, rest.isToGoOn(BEGIN + (second + i) * SECOND, passes[i]), why + ", pass " + i);
        }
    }

    @Test
    void theJvmThatCompilesMostDecidesAlsoWhereAnotherHasCompiledMoreBefore() {
        CompilerRest rest = new CompilerRest(2, BEGIN, ms(9_000, 7_000));
        assertTrue(rest.isToGoOn(BEGIN + SECOND, ms(9_000, 8_000)));
        assertRests(rest, 2, "each has its own core", ms(9_020, 8_030), ms(9_050, 8_030), ms(9_050, 8_060));
        assertFalse(new CompilerRest(2, BEGIN, ms()).isToGoOn(BEGIN + SECOND, ms()), "nobody compiles");
    }

    @Test
    void jvmsThatShareCoresAreAddedUp() {
        CompilerRest rest = new CompilerRest(2, BEGIN, ms(100, 100, 100, 100));
        assertTrue(rest.isToGoOn(BEGIN + SECOND, ms(130, 130, 130, 130)), "120 ms of two cores");
        assertRests(rest, 2, "80 ms", ms(150, 150, 150, 150), ms(170, 170, 170, 170), ms(190, 190, 190, 190));
    }

    @Test
    void itGoesOnWhileCompilersTakeMoreThanAFewHundredthsOfACore() {
        CompilerRest rest = new CompilerRest(2, BEGIN, ms(7_000));
        assertTrue(rest.isToGoOn(BEGIN + SECOND, ms(7_800)));
        assertTrue(rest.isToGoOn(BEGIN + 2 * SECOND, ms(7_860)), "60 ms of this second");
        assertRests(rest, 3, "40 ms of each second", ms(7_900), ms(7_940), ms(7_980));
    }

    @Test
    void aPassInWhichTheyWorkAgainBeginsTheCountAnew() {
        CompilerRest rest = new CompilerRest(2, BEGIN, ms(7_000));
        assertTrue(rest.isToGoOn(BEGIN + SECOND, ms(7_010)));
        assertTrue(rest.isToGoOn(BEGIN + 2 * SECOND, ms(7_020)));
        assertTrue(rest.isToGoOn(BEGIN + 3 * SECOND, ms(7_200)), "180 ms of this second");
        assertRests(rest, 4, "10 ms of each second", ms(7_210), ms(7_220), ms(7_230));
    }

    @Test
    void aNativeContestantNeedsNoMore() {
        assertFalse(new CompilerRest(2, BEGIN, ms(0)).isToGoOn(BEGIN + SECOND, ms(0)));
    }

    @Test
    void whoNeverRestsIsTakenAsItIsAfterAMinute() {
        CompilerRest rest = new CompilerRest(2, BEGIN, ms(0));
        for (int second = 1; second < CompilerRest.SECONDS_MOST; second++) {
            assertTrue(rest.isToGoOn(BEGIN + second * SECOND, ms(1000L * second)), second + " s");
        }
        assertFalse(rest.isToGoOn(BEGIN + (long) CompilerRest.SECONDS_MOST * SECOND, ms(60_000)));
    }
}
