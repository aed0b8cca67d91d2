package org.sluice.mpi.cell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FasterFormTest {
    private static final long SIZE = 64 << 10;
    private static final long TRIED = 3 << 20;
    /** Calls of a trial, and at first until a look. */
    private static final int TRIAL = (int) (2 * TRIED / SIZE);

    private long now;
    private long inCells = 6_000;
    private long asMessages = 9_000;

    private final FasterForm form = new FasterForm(() -> now, new FasterForm.Warmth(), FasterForm.sizeClass(SIZE));

    private static void agree(FasterForm form) {
        long[] least = new long[2];
        form.least(least);
        form.choose(least);
    }

    private boolean call() {
        return call(form, SIZE);
    }

    private boolean call(FasterForm form, long bytes) {
        if (form.isToAgree()) {
            agree(form);
        }
        boolean goesInCells = form.begin(bytes);
        now += goesInCells ? inCells : asMessages;
        form.end();
        return goesInCells;
    }

    private void tryBoth() {
        while (!form.isToAgree()) {
            assertFalse(form.isKept());
            call();
        }
        agree(form);
        assertTrue(form.isKept());
    }

    /** How many calls go the same way until both are tried again. */
    private int kept(boolean isInCells) {
        int calls = 0;
        while (form.isKept()) {
            assertEquals(isInCells, call());
            calls++;
        }
        return calls;
    }

    private void keepFor(int calls) {
        for (int i = 0; i < calls; i++) {
            call();
            assertTrue(form.isKept());
        }
    }

    /** Both ways are used until each has moved what makes it as fast as it will be. */
    private void warm() {
        for (long bytes = TRIED; bytes < FasterForm.WARM_BYTES; bytes += TRIED) {
            tryBoth();
            assertEquals(FasterForm.KEPT_COLD * TRIED / SIZE, kept(form.begin(SIZE)));
        }
    }

    @Test
    void theFasterOneIsKeptForLongerEachTime() {
        warm();
        tryBoth();
        assertEquals(2 * FasterForm.KEPT_NANOS / inCells, kept(true));
        tryBoth();
        assertEquals(FasterForm.KEPT_MOST, kept(true));
    }

    @Test
    void coresThatAreMovedChangeIt() {
        warm();
        tryBoth();
        kept(true);
        inCells = 28_000;
        tryBoth();
        assertEquals(FasterForm.KEPT_NANOS / asMessages, kept(false));
    }

    /** The other way may be the faster one by now, whether calls take longer or less long than they did. */
    @ParameterizedTest
    @ValueSource(longs = {28_000, 4_000})
    void callsThatTakeAnotherTimeHaveBothTriedAnew(long other) {
        warm();
        tryBoth();
        keepFor(TRIAL / 2);
        inCells = other;
        int calls = 0;
        while (form.isKept()) {
            assertTrue(calls <= 2 * TRIAL, "it was kept to for " + calls + " calls");
            call();
            calls++;
        }
        while (!form.isToAgree()) {
            call();
        }
        agree(form);
        boolean isInCells = inCells < asMessages;
        // What is found anew is kept as long as what was found first, and what is found again as long as before.
        int expected = isInCells ? FasterForm.KEPT_MOST : (int) (FasterForm.KEPT_NANOS / asMessages);
        assertEquals(expected, kept(isInCells));
    }

    /** Where times change all the time, both are tried more and more seldom. */
    @ParameterizedTest
    @CsvSource({"65536, 200", "65536, 2500", "16384, 2500"})
    void timesThatGoUpAndDownCostLittle(long bytes, int period) {
        FasterForm other = new FasterForm(() -> now, new FasterForm.Warmth(), FasterForm.sizeClass(bytes));
        for (long moved = 0; moved < 16 * FasterForm.WARM_BYTES; moved += bytes) {
            call(other, bytes);
        }
        int calls = 0;
        int lost = 0;
        for (; calls < 60_000; calls++) {
            inCells = (calls / period) % 2 == 0 ? 6_000 : 8_500;
            lost += call(other, bytes) ? 0 : 1;
        }
        assertTrue(lost > 0 && lost < calls / 12, lost + " of " + calls + " calls");
    }

    /** Blocks that take longer because they are longer tell nothing of the cores. */
    @Test
    void otherBlocksOfTheClassHaveNothingTriedAnew() {
        warm();
        tryBoth();
        for (int i = 0; i < 4 * TRIAL; i++) {
            inCells = 11_000;
            call(form, SIZE * 11 / 6);
            inCells = 6_000;
            call();
            assertTrue(form.isKept());
        }
    }

    /** Two ranks see the same calls and agree on numbers, but each has its own clock. */
    @Test
    void bothRanksAlwaysGoTheSameWay() {
        Random random = new Random(1);
        FasterForm[] forms = new FasterForm[2];
        long[] clocks = new long[2];
        FasterForm.Warmth[] warmths = {new FasterForm.Warmth(), new FasterForm.Warmth()};
        for (int rank = 0; rank < 2; rank++) {
            int own = rank;
            forms[rank] = new FasterForm(() -> clocks[own], warmths[rank], FasterForm.sizeClass(SIZE));
        }
        int changes = 0;
        boolean wasInCells = true;
        for (int call = 0; call < 200_000; call++) {
            assertEquals(forms[0].isToAgree(), forms[1].isToAgree());
            if (forms[0].isToAgree()) {
                long[] least = new long[2];
                long[] others = new long[2];
                forms[0].least(least);
                forms[1].least(others);
                long[] agreed = {Math.min(least[0], others[0]), Math.min(least[1], others[1])};
                forms[0].choose(agreed.clone());
                forms[1].choose(agreed.clone());
            }
            boolean goesInCells = forms[0].begin(SIZE);
            assertEquals(goesInCells, forms[1].begin(SIZE));
            changes += goesInCells == wasInCells ? 0 : 1;
            wasInCells = goesInCells;
            boolean isFar = (call / 10_000) % 2 == 1;
            for (int rank = 0; rank < 2; rank++) {
                clocks[rank] += (goesInCells ? isFar ? 28_000 : 6_000 : 9_000) + random.nextInt(4_000);
                forms[rank].end();
            }
        }
        assertTrue(changes > 50, "changed " + changes + " times");
    }

    /** What is compiled late takes longer in its first tries. */
    @Test
    void aWayThatGetsFasterByUseIsFound() {
        asMessages = 20_000;
        for (int i = 0; i < 10; i++) {
            tryBoth();
            kept(true);
        }
        asMessages = 4_000;
        tryBoth();
        kept(false);
    }

    /** Each way is tried until its memory, which is cold at first, was all used. */
    @Test
    void aRankThatComesLateNowAndThenDecidesNothing() {
        int calls = 0;
        while (!form.isToAgree()) {
            inCells = calls % 3 == 0 ? 1_000_000 : 6_000;
            call();
            calls++;
        }
        assertEquals(2 * (3 << 20) / SIZE, calls);
        agree(form);
        assertTrue(form.begin(SIZE));
    }

    /** What one rank has measured decides nothing by itself. */
    @Test
    void ranksDecideByWhatTheyHaveAgreedOn() {
        while (!form.isToAgree()) {
            call();
        }
        form.choose(new long[] {8_000, 7_000});
        assertFalse(form.begin(SIZE));
    }

    @Test
    void hugeBlocksAreKeptForSomeCallsToo() {
        inCells = 3_000_000_000L;
        asMessages = 2_000_000_000L;
        warm();
        tryBoth();
        assertEquals(FasterForm.KEPT, kept(false));
    }

    @Test
    void sizesHaveClasses() {
        assertEquals(0, FasterForm.sizeClass(1));
        assertEquals(0, FasterForm.sizeClass(20_000));
        assertEquals(1, FasterForm.sizeClass(32 << 10));
        assertEquals(FasterForm.CLASSES - 1, FasterForm.sizeClass(1L << 40));
    }
}
