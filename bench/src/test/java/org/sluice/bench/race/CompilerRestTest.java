package org.sluice.bench.race;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class CompilerRestTest {
    private static final long SECOND = 1_000_000_000;
    private static final long BEGIN = Long.MAX_VALUE - SECOND / 2;

    private static long[] ms(long... ofJvms) {
        return ofJvms;
    }

    @Test
    void theJvmThatCompilesMostDecidesAlsoWhereAnotherHasCompiledMoreBefore() {
        CompilerRest rest = new CompilerRest(2, BEGIN, ms(9_000, 7_000));
        assertTrue(rest.isToGoOn(BEGIN + SECOND, ms(9_000, 8_000)));
        assertFalse(rest.isToGoOn(BEGIN + 2 * SECOND, ms(9_020, 8_030)), "each has its own core");
        assertFalse(new CompilerRest(2, BEGIN, ms()).isToGoOn(BEGIN + SECOND, ms()), "nobody compiles");
    }

    @Test
    void jvmsThatShareCoresAreAddedUp() {
        CompilerRest rest = new CompilerRest(2, BEGIN, ms(100, 100, 100, 100));
        assertTrue(rest.isToGoOn(BEGIN + SECOND, ms(130, 130, 130, 130)), "120 ms of two cores");
        assertFalse(rest.isToGoOn(BEGIN + 2 * SECOND, ms(150, 150, 150, 150)), "80 ms of two cores");
    }

    @Test
    void manyOnACoreRestThreeTimes() {
        CompilerRest rest = new CompilerRest(2, BEGIN, ms(7, 7, 7, 7, 7, 7));
        assertTrue(rest.isToGoOn(BEGIN + SECOND, ms(8, 8, 8, 8, 8, 8)));
        assertTrue(rest.isToGoOn(BEGIN + 2 * SECOND, ms(9, 9, 9, 9, 9, 9)));
        assertTrue(rest.isToGoOn(BEGIN + 3 * SECOND, ms(99, 99, 99, 99, 99, 99)), "540 ms of two cores");
        assertTrue(rest.isToGoOn(BEGIN + 4 * SECOND, ms(99, 99, 99, 99, 99, 99)));
        assertTrue(rest.isToGoOn(BEGIN + 5 * SECOND, ms(99, 99, 99, 99, 99, 99)));
        assertFalse(rest.isToGoOn(BEGIN + 6 * SECOND, ms(99, 99, 99, 99, 99, 99)));
    }

    @Test
    void itGoesOnWhileCompilersTakeMoreThanAFewHundredthsOfACore() {
        CompilerRest rest = new CompilerRest(2, BEGIN, ms(7_000));
        assertTrue(rest.isToGoOn(BEGIN + SECOND, ms(7_800)));
        assertTrue(rest.isToGoOn(BEGIN + 2 * SECOND, ms(7_860)), "60 ms of this second");
        assertFalse(rest.isToGoOn(BEGIN + 3 * SECOND, ms(7_900)), "40 ms of this second");
    }

    @Test
    void aNativeContestantNeedsNoMore() {
        assertFalse(new CompilerRest(2, BEGIN, ms(0)).isToGoOn(BEGIN + SECOND, ms(0)));
        assertFalse(new CompilerRest(1, BEGIN, ms(0, 0, 0, 0)).isToGoOn(BEGIN + SECOND, ms(0, 0, 0, 0)));
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
