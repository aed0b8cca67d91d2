package org.sluice.device.arena;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class FreeRangesTest {
    private static final int BYTES = 1 << 16;

    /**
     * Against one bit for each byte: what is handed out was free, what comes back is free again, and all joins in the
     * end.
     */
    @Test
    void randomScriptsAgreeWithABitForEachByte() {
        long seed = new Random().nextLong();
        System.out.println("FreeRangesTest seed " + seed);
        Random random = new Random(seed);
        FreeRanges ranges = new FreeRanges(BYTES);
        BitSet used = new BitSet(BYTES);
        List<long[]> handedOut = new ArrayList<>();
        for (int step = 0; step < 20_000; step++) {
            if (handedOut.isEmpty() || random.nextInt(100) < 52) {
                int bytes = random.nextInt(random.nextBoolean() ? 200 : 5000);
                long at = ranges.allocate(bytes);
                int size = (int) FreeRanges.roundUp(bytes);
                if (at == FreeRanges.NONE) {
                    assertFalse(hasHole(used, size), "a hole of " + size + " bytes was overlooked");
                    continue;
                }
                assertEquals(0, at % 64);
                assertTrue(used.get((int) at, (int) at + size).isEmpty(), "handed out twice");
                used.set((int) at, (int) at + size);
                handedOut.add(new long[] {at, size});
            } else {
                long[] range = handedOut.remove(random.nextInt(handedOut.size()));
                ranges.free(range[0]);
                used.clear((int) range[0], (int) (range[0] + range[1]));
            }
        }
        handedOut.forEach(range -> ranges.free(range[0]));
        assertTrue(ranges.isUnused());
        assertEquals(1, ranges.pieces(), "free neighbours were not joined");
    }

    private static boolean hasHole(BitSet used, int size) {
        for (int at = used.nextClearBit(0); at < BYTES; ) {
            int end = used.nextSetBit(at);
            end = end < 0 ? BYTES : end;
            if (end - at >= size) {
                return true;
            }
            at = used.nextClearBit(end);
        }
        return false;
    }

    @Test
    void onlyWhatWasUsedBeforeHasToBeCleared() {
        FreeRanges ranges = new FreeRanges(BYTES);
        long first = ranges.allocate(1000);
        assertEquals(0, ranges.touch(first));
        ranges.free(first);
        long larger = ranges.allocate(3000);
        assertEquals(1024, ranges.touch(larger), "1000 bytes, rounded up");
    }

    @Test
    void freeingTwiceOrInTheMiddleIsRefused() {
        FreeRanges ranges = new FreeRanges(BYTES);
        long at = ranges.allocate(1000);
        assertThrows(IllegalArgumentException.class, () -> ranges.free(at + 64));
        ranges.free(at);
        assertThrows(IllegalArgumentException.class, () -> ranges.free(at));
    }

    @Test
    void nothingAndTooMuch() {
        FreeRanges ranges = new FreeRanges(BYTES);
        assertEquals(0, ranges.allocate(0));
        assertEquals(64, ranges.allocate(0), "even nothing has a place of its own");
        assertEquals(FreeRanges.NONE, ranges.allocate(BYTES));
    }
}
