package org.sluice.hybrid.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Numbers that were never given, or were given back, stand for nothing. */
final class IdTableTest {
    @Test
    void aNumberIsGoodUntilItIsGivenBack() {
        IdTable<String> table = new IdTable<>();
        long first = table.add("first");
        assertEquals("first", table.get(first));
        assertEquals("first", table.remove(first));
        assertNull(table.get(first));
        assertNull(table.remove(first));
        long second = table.add("second");
        assertNull(table.get(first), "the slot is used again, the number isn't");
        assertEquals("second", table.get(second));
        assertEquals(1, table.size());
    }

    @Test
    void inventedNumbersFindNothing() {
        IdTable<String> table = new IdTable<>();
        for (int i = 0; i < 40; i++) {
            table.add("value");
        }
        for (long id : new long[] {-1, 40, 64, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 32, 0xFFFF_FFFFL, 0x8000_0000L}) {
            assertNull(table.get(id), Long.toHexString(id));
            assertNull(table.remove(id), Long.toHexString(id));
        }
        assertEquals(40, table.size());
    }

    @Test
    void drainTakesThoseThatTheFilterPicks() {
        IdTable<Integer> table = new IdTable<>();
        long[] ids = new long[50];
        for (int i = 0; i < 50; i++) {
            ids[i] = table.add(i);
        }
        List<Integer> drained = new ArrayList<>();
        table.drain(value -> value % 3 == 0, drained::add);
        assertEquals(17, drained.size());
        assertEquals(33, table.size());
        for (int i = 0; i < 50; i++) {
            assertEquals(i % 3 == 0 ? null : i, table.get(ids[i]));
        }
    }

    @Test
    void behavesAsAMap() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        IdTable<Integer> table = new IdTable<>();
        Map<Long, Integer> model = new HashMap<>();
        List<Long> ever = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            if (random.nextInt(5) < 3) {
                long id = table.add(i);
                assertNull(model.put(id, i), "seed " + seed + ": " + id + " was given twice");
                ever.add(id);
            } else if (!ever.isEmpty()) {
                long id = ever.get(random.nextInt(ever.size()));
                assertEquals(model.remove(id), table.remove(id), "seed " + seed);
            }
            assertEquals(model.size(), table.size(), "seed " + seed);
        }
        model.forEach((id, value) -> assertEquals(value, table.get(id), "seed " + seed));
    }
}
