package org.sluice.hybrid.match;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.device.Device.ANY_SOURCE;
import static org.sluice.device.Device.ANY_TAG;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MatchQueueTest {
    private final PostedReceiveQueue posted = new PostedReceiveQueue();
    private final UnexpectedMessageQueue unexpected = new UnexpectedMessageQueue();

    @Test
    void theFirstPostedOfFourPatternsTakesTheMessage() {
        // Something older that doesn't match keeps the queue from answering by its first entry.
        posted.add(Receive.of(9, 9, 9));
        List<Receive> inOrder = List.of(
                Receive.of(0, ANY_SOURCE, 5),
                Receive.of(0, 2, 5),
                Receive.of(0, ANY_SOURCE, ANY_TAG),
                Receive.of(0, 2, ANY_TAG),
                Receive.of(0, 2, 5),
                Receive.of(0, ANY_SOURCE, 5));
        inOrder.forEach(posted::add);
        for (Receive receive : inOrder) {
            assertSame(receive, posted.take(0, 2, 5));
        }
        assertNull(posted.take(0, 2, 5));
        assertEquals(1, posted.size());
    }

    @Test
    void wildcardsStayInTheirContext() {
        posted.add(Receive.of(1, ANY_SOURCE, ANY_TAG));
        assertNull(posted.take(0, 0, 0));
        unexpected.add(Arrived.of(-1, 0, 0));
        assertNull(unexpected.take(0, ANY_SOURCE, ANY_TAG));
        assertNull(unexpected.peek(1, ANY_SOURCE, ANY_TAG));
        assertTrue(unexpected.take(-1, ANY_SOURCE, ANY_TAG) != null);
    }

    @Test
    void aProbeSeesWhatAReceiveWouldTakeAndLeavesIt() {
        Arrived first = Arrived.of(0, 1, 7);
        Arrived second = Arrived.of(0, 2, 7);
        unexpected.add(first);
        unexpected.add(second);
        assertSame(first, unexpected.peek(0, ANY_SOURCE, 7));
        assertSame(second, unexpected.peek(0, 2, ANY_TAG));
        assertEquals(2, unexpected.size());
        assertSame(first, unexpected.take(0, ANY_SOURCE, 7));
        assertSame(second, unexpected.peek(0, ANY_SOURCE, 7));
    }

    @Test
    void aMatchedReceiveCantBeRemovedAndBelongsToOneQueue() {
        Receive receive = Receive.of(0, 1, 2);
        posted.add(receive);
        assertFalse(new PostedReceiveQueue().remove(receive));
        assertSame(receive, posted.take(0, 1, 2));
        assertFalse(posted.remove(receive));
        posted.add(receive.with(3, ANY_SOURCE, 4));
        assertTrue(posted.remove(receive));
        assertNull(posted.take(3, 0, 4));
    }

    @Test
    void whoeverStandsBehindNobodyOfHisSourceIsFirst() {
        Receive left = Receive.of(0, 1, 7);
        Receive right = Receive.of(0, 2, 7);
        assertTrue(posted.isFirstOf(1, null));
        posted.add(left);
        posted.add(right);
        assertTrue(posted.isFirstOf(1, left) && posted.isFirstOf(2, right) && posted.isFirstOf(3, null));
        assertFalse(posted.isFirstOf(1, null) || posted.isFirstOf(2, null));
        Receive wild = Receive.of(1, ANY_SOURCE, 7);
        posted.add(wild);
        Receive behind = Receive.of(0, 3, 7);
        posted.add(behind);
        assertFalse(posted.isFirstOf(3, behind), "a wildcard stands before it, in whatever context");
        posted.remove(wild);
        assertTrue(posted.isFirstOf(3, behind));
    }

    /** The answer must not cost more than it saves. */
    @Test
    void whoeverStandsBehindManyIsNotLookedFor() {
        for (int source = 0; source < 8; source++) {
            posted.add(Receive.of(0, source, 7));
        }
        assertTrue(posted.isFirstOf(99, null));
        posted.add(Receive.of(0, 8, 7));
        assertFalse(posted.isFirstOf(99, null));
    }

    @Test
    void addingTwiceIsRefusedAndHarmless() {
        Receive receive = Receive.of(4, 5, 6);
        posted.add(receive);
        String message = assertThrows(IllegalStateException.class, () -> posted.add(receive))
                .getMessage();
        assertTrue(message.contains("context 4, source 5, tag 6"), message);
        assertEquals(1, posted.size());
        Arrived arrived = Arrived.of(4, 5, 6);
        unexpected.add(arrived);
        assertThrows(IllegalStateException.class, () -> unexpected.add(arrived));
        assertEquals(1, unexpected.countFrom(5));
    }

    @Test
    void anEnvelopeThatChangedWhileItWaitedIsNoticed() {
        posted.add(Receive.of(9, 9, 9));
        Receive receive = Receive.of(0, 1, 2);
        posted.add(receive);
        assertNull(posted.take(0, 3, 3));
        receive.tag = 77;
        String message = assertThrows(IllegalStateException.class, () -> posted.remove(receive))
                .getMessage();
        assertTrue(message.contains("must not change"), message);
    }

    @Test
    void aVisitorMayRemoveAndAdd() {
        List<Receive> receives = new ArrayList<>();
        for (int tag = 0; tag < 10; tag++) {
            receives.add(Receive.of(0, 0, tag));
            posted.add(receives.get(tag));
        }
        List<PostedReceive> seen = new ArrayList<>();
        posted.forEach(receive -> {
            seen.add(receive);
            assertTrue(posted.remove(receive));
            if (receive.tag == 3) {
                assertTrue(posted.remove(receives.get(4)));
                posted.add(Receive.of(1, 1, 1));
            }
        });
        assertEquals(9, seen.size());
        assertFalse(seen.contains(receives.get(4)));
        assertEquals(1, posted.size());
    }

    @Test
    void messagesAreCountedBySource() {
        for (int i = 0; i < 3; i++) {
            unexpected.add(Arrived.of(i, 1000, i));
        }
        unexpected.add(Arrived.of(0, 2, 0));
        assertEquals(3, unexpected.countFrom(1000));
        assertEquals(1, unexpected.countFrom(2));
        assertEquals(0, unexpected.countFrom(1_000_000));
        unexpected.take(0, ANY_SOURCE, 0);
        assertEquals(2, unexpected.countFrom(1000));
    }
}
