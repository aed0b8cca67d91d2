package org.sluice.mpi.cell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FasterFormTest {
    private static final long SIZE = 64 << 10;

    private long now;
    private long inCells = 6_000;
    private long asMessages = 9_000;

    private final FasterForm form = new FasterForm(() -> now, new FasterForm.Warmth(), FasterForm.sizeClass(SIZE));

    private boolean call() {
        if (form.isToAgree()) {
            form.choose(form.least());
        }
        boolean goesInCells = form.begin();
        now += goesInCells ? inCells : asMessages;
        form.end();
        return goesInCells;
    }

    private void tryBoth() {
        while (!form.isToAgree()) {
            assertFalse(form.isKept());
            call();
        }
        form.choose(form.least());
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

    /** The other way may be the faster one by now, whether calls take longer or less long than they did. */
    @ParameterizedTest
    @ValueSource(longs = {28_000, 4_000})
    void callsThatTakeAnotherTimeHaveBothTriedAnew(long other) {
        warm();
        tryBoth();
        keepFor(FasterForm.LOOKED / 2);
        inCells = other;
        int calls = 0;
        while (form.isKept()) {
            assertTrue(calls <= 2 * FasterForm.LOOKED, "it was kept to for " + calls + " calls");
            call();
            calls++;
        }
        while (!form.isToAgree()) {
            call();
        }
        form.choose(form.least());
        boolean isInCells = inCells < asMessages;
        assertEquals(FasterForm.KEPT_NANOS / Math.min(inCells, asMessages), kept(isInCells));
    }

    /** Where trying anew tells nothing new, it is done more and more seldom. */
    @Test
    void timesThatGoUpAndDownCostLittle() {
        warm();
        tryBoth();
        int calls = 0;
        int lost = 0;
        for (; calls < 20_000; calls++) {
            inCells = (calls / 200) % 2 == 0 ? 6_000 : 8_500;
            lost += call() ? 0 : 1;
        }
        assertTrue(lost < calls / 20, lost + " of " + calls + " calls");
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
        form.choose(form.least());
        assertTrue(form.begin());
    }

    /** What one rank has measured decides nothing by itself. */
    @Test
    void ranksDecideByWhatTheyHaveAgreedOn() {
        while (!form.isToAgree()) {
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
