package org.sluice.hybrid.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is added comes out in its order, also where memory ran out meanwhile. */
final class FifoTest {
    @Test
    void isAsItWasWhereItCanNotGrow() {
        Fifo<Integer> fifo = new Fifo<>() {
            private boolean wasFull;

            @Override
            Object[] array(int length) {
                if (!wasFull) {
                    wasFull = true;
                    throw new OutOfMemoryError("by this test");
                }
                return super.array(length);
            }
        };
        try {
            for (int i = 0; i < 21; i++) {
                fifo.add(i);
                if (i < 5) {
                    assertEquals(i, fifo.poll());
                }
            }
        } catch (OutOfMemoryError e) {
            // Which would end all tests.
            throw new AssertionError("there is room", e);
        }
        assertThrows(OutOfMemoryError.class, () -> fifo.add(21));
        assertEquals(16, fifo.size());
        assertEquals(5, fifo.peek());
        assertEquals(20, fifo.peekLast());
        fifo.add(21);
        for (int i = 5; i < 22; i++) {
            assertEquals(i, fifo.poll());
        }
        assertTrue(fifo.isEmpty());
    }

    @Test
    void behavesAsADeque() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Fifo<Integer> fifo = new Fifo<>();
        ArrayDeque<Integer> model = new ArrayDeque<>();
        for (int i = 0; i < 50_000; i++) {
            int action = random.nextInt(20);
            if (action < 11) {
                fifo.add(i);
                model.addLast(i);
            } else if (action < 19) {
                assertEquals(model.poll(), fifo.poll(), "seed " + seed);
            } else {
                int divisor = 2 + random.nextInt(5);
                fifo.removeIf(value -> value % divisor == 0);
                model.removeIf(value -> value % divisor == 0);
            }
            assertEquals(model.size(), fifo.size(), "seed " + seed);
            assertEquals(model.isEmpty(), fifo.isEmpty(), "seed " + seed);
            assertEquals(model.peek(), fifo.peek(), "seed " + seed);
            assertEquals(model.peekLast(), fifo.peekLast(), "seed " + seed);
        }
        while (!model.isEmpty()) {
            assertEquals(model.poll(), fifo.poll(), "seed " + seed);
        }
        assertNull(fifo.poll());
    }
}
