package org.sluice.hybrid.match;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** A table that finds no memory to grow, or to shrink, goes on as it is. */
final class KeyTableTest {
    private static final int ENTRIES = 10_000;

    /** It is in nobody's way. */
    private static final class Waiting extends WaitingList {}

    private final Waiting list = new Waiting();
    private boolean isFull;
    private int asked;
    private final KeyTable table = new KeyTable(list, 0, true, true) {
        @Override
        Matchable[] room(int length) {
            asked++;
            if (isFull) {
                throw new OutOfMemoryError("by this test");
            }
            return super.room(length);
        }
    };

    private void indexAll() {
        try {
            while (table.firstUnindexed() != null) {
                table.indexNext();
            }
        } catch (OutOfMemoryError e) {
            // Which would end all tests.
            throw new AssertionError("the table is left in the middle of an entry", e);
        }
    }

    private void take(Arrived entry) {
        try {
            table.remove(entry);
        } catch (OutOfMemoryError e) {
            throw new AssertionError("the entry is left in its list", e);
        }
        list.unlink(entry);
    }

    private Arrived[] entries() {
        Arrived[] all = new Arrived[ENTRIES];
        for (int i = 0; i < ENTRIES; i++) {
            all[i] = Arrived.of(0, i % 7, i);
            list.append(all[i]);
        }
        return all;
    }

    @Test
    void itFindsAllWithoutMemoryToGrow() {
        isFull = true;
        Arrived[] all = entries();
        indexAll();
        for (int i = 0; i < ENTRIES; i++) {
            assertSame(all[i], table.find(0, i % 7, i));
        }
        assertTrue(asked < 20, asked + " times, each of which may cost a collection");
        isFull = false;
        int more = ENTRIES + ENTRIES / 2;
        for (int i = 0; i < more; i++) {
            list.append(Arrived.of(1, 1, i));
        }
        int before = asked;
        indexAll();
        assertTrue(asked > before, "it grows once there is memory");
        for (int i = 0; i < ENTRIES; i++) {
            assertSame(all[i], table.find(0, i % 7, i), "after it has grown late");
        }
    }

    @Test
    void itForgetsAllWithoutMemoryToShrink() {
        Arrived[] all = entries();
        indexAll();
        isFull = true;
        for (int i = 0; i < ENTRIES; i++) {
            take(all[i]);
            assertNull(table.find(0, i % 7, i));
            if (i + 1 < ENTRIES) {
                assertSame(all[i + 1], table.find(0, (i + 1) % 7, i + 1));
            }
        }
        assertEquals(0, list.size());
        assertTrue(asked < 30, asked + " times");
    }
}
