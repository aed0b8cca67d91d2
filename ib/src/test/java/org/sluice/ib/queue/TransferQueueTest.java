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
            assertEquals(i < 3, queue.isFull(), "what follows is begun four at a time");
        }
        assertTrue(queue.isEmpty());
        assertEquals(4, fill(256 << 10));
        queue.remove();
        assertFalse(queue.isFull(), "a quarter is free");
        queue.add("short", null, 1);
        assertFalse(queue.isFull(), "a piece less is on the way");
        queue.add("long", null, 256 << 10);
        assertTrue(queue.isFull());
    }

    @Test
    void oneThatIsFullOfBytesStaysSoUntilAQuarterOfThemIsFree() {
        TransferQueue many = new TransferQueue(1000);
        for (int i = 0; i < 16; i++) {
            assertFalse(many.isFull());
            many.add(i, null, 64 << 10);
        }
        for (int i = 0; i < 3; i++) {
            many.remove();
            assertTrue(many.isFull());
        }
        many.remove();
        assertFalse(many.isFull());
    }

    @Test
    void ofFewEachMakesRoomForTheNext() {
        for (int depth = 1; depth <= 4; depth++) {
            TransferQueue few = new TransferQueue(depth);
            for (int i = 0; i < depth; i++) {
                few.add(i, null, 1);
            }
            assertTrue(few.isFull());
            few.remove();
            assertFalse(few.isFull());
        }
    }

    @Test
    void aPieceLongerThanAllGoesByItself() {
        assertEquals(1, fill(2 * TransferQueue.MOST_BYTES));
        queue.remove();
        assertThrows(IllegalStateException.class, queue::remove);
    }
}
