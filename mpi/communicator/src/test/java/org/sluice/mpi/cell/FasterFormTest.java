package org.sluice.mpi.cell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class FasterFormTest {
    private static final long SIZE = 64 << 10;

    private long now;
    private long inCells = 6_000;
    private long asMessages = 9_000;

    private final FasterForm form = new FasterForm(() -> now, new FasterForm.Warmth(), FasterForm.sizeClass(SIZE));

    private boolean call() {
        boolean goesInCells = form.begin();
        now += goesInCells ? inCells : asMessages;
        form.end();
        return goesInCells;
    }

    /** Until ranks have to agree. */
    private void tryBoth() {
        while (!form.isTried()) {
            call();
        }
        form.choose(form.least());
    }

    /** How many calls go the same way until both are tried again. */
    private int kept(boolean isInCells) {
        int calls = 0;
        long wasLeast = form.least()[0];
        while (form.least()[0] == wasLeast) {
            assertEquals(isInCells, call());
            calls++;
        }
        return calls;
    }

    /** Both ways are used until each has moved what makes it as fast as it will be. */
    private void warm() {
        long triedBytes = 3 << 20;
        for (long bytes = triedBytes; bytes < FasterForm.WARM_BYTES; bytes += triedBytes) {
            tryBoth();
            assertEquals(FasterForm.KEPT_COLD * triedBytes / SIZE, kept(form.begin()));
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
        while (!form.isTried()) {
            inCells = calls % 3 == 0 ? 1_000_000 : 6_000;
            call();
            calls++;
        }
        assertEquals(2 * (3 << 20) / SIZE, calls);
        form.choose(form.least());
        assertTrue(form.begin());
    }

    /** What one rank has measured decides nothing by itself. */
    @Test
    void ranksDecideByWhatTheyHaveAgreedOn() {
        while (!form.isTried()) {
            call();
        }
        form.choose(new long[] {8_000, 7_000});
        assertFalse(form.begin());
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
