package org.sluice.ib.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** How much may be on the way, in pieces and in bytes. */
final class TransferQueueTest {
    private static final int DEPTH = 16;

    private final TransferQueue queue = new TransferQueue(DEPTH);

    private int fill(int bytes) {
        int taken = 0;
        for (; !queue.isFull(); taken++) {
            queue.add(taken, null, bytes);
        }
        return taken;
    }

    @Test
    void shortPiecesGoAsFarAsTheDepthAndLongOnesAsFarAsTheBytes() {
        assertEquals(DEPTH, fill(8 << 10));
        for (int i = 0; i < DEPTH; i++) {
            assertEquals(i, queue.firstTicket());
            queue.remove();
            assertFalse(queue.isFull());
        }
        assertTrue(queue.isEmpty());
        assertEquals(4, fill(256 << 10));
        queue.remove();
        queue.add("short", null, 1);
        assertFalse(queue.isFull(), "a piece less is on the way");
        queue.add("long", null, 256 << 10);
        assertTrue(queue.isFull());
    }

    @Test
    void aPieceLongerThanAllGoesByItself() {
        assertEquals(1, fill(2 * TransferQueue.MOST_BYTES));
        queue.remove();
        assertThrows(IllegalStateException.class, queue::remove);
    }
}
