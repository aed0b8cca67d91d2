package org.sluice.hybrid.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Beside a deque that does the same. */
final class DueLanesTest {
    private static final int RANKS = 5;

    private final DueLanes due = new DueLanes(RANKS);
    private final ArrayDeque<Integer> model = new ArrayDeque<>();

    @Test
    void itIsAQueueWhoseLastCanBeTakenOutToo() {
        Random random = new Random(7);
        for (int step = 0; step < 10_000; step++) {
            int source = random.nextInt(RANKS);
            switch (random.nextInt(4)) {
                case 0:
                    assertEquals(model.isEmpty() ? DueLanes.NONE : model.pollFirst(), due.poll());
                    break;
                case 1:
                    boolean isLast = !model.isEmpty() && model.peekLast() == source;
                    assertEquals(isLast, due.removeLast(source));
                    if (isLast) {
                        model.removeLast();
                    }
                    break;
                default:
                    if (!model.contains(source)) {
                        model.addLast(source);
                        due.add(source);
                    }
            }
            assertEquals(model.isEmpty(), due.isEmpty());
        }
    }

    @Test
    void aClearedOneIsEmptyAndTakesAllAgain() {
        for (int source = 0; source < RANKS; source++) {
            due.add(source);
        }
        due.poll();
        due.clear();
        assertTrue(due.isEmpty());
        assertEquals(DueLanes.NONE, due.poll());
        assertFalse(due.removeLast(RANKS - 1));
        for (int source = 0; source < RANKS; source++) {
            due.add(source);
        }
        for (int source = 0; source < RANKS; source++) {
            assertEquals(source, due.poll());
        }
    }
}
