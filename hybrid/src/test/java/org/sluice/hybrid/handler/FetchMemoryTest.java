package org.sluice.hybrid.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.sluice.device.buffer.MessageMemory;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.hybrid.route.PlainMemory;

/** What messages for handlers are fetched into. */
final class FetchMemoryTest {
    private final Counters counters = new Counters();
    private final FetchMemory memory = new FetchMemory(new PlainMemory(), counters);

    @Test
    void theNextMessageOfAboutTheSameLengthGetsTheSameMemory() {
        MessageMemory first = memory.take(50_000);
        assertTrue(first.bytes() >= 50_000 && first.bytes() < 100_000);
        memory.giveBack(first, false);
        assertNotSame(first, memory.take(1000));
        assertSame(first, memory.take(65_536));
        assertNotSame(first, memory.take(50_000), "it is in use");
        assertEquals(1, counters.get(Counter.HANDLER_MEMORY_REUSED));
    }

    /** A view that a handler has kept must not show another message. */
    @Test
    void whatAHandlerHasSeenAsAWholeIsClosed() {
        MessageMemory shown = memory.take(5000);
        memory.giveBack(shown, true);
        assertTrue(shown.isClosed());
        assertNotSame(shown, memory.take(5000));
        MessageMemory sentOn = memory.take(5000);
        sentOn.hold();
        memory.giveBack(sentOn, true);
        assertFalse(sentOn.isClosed(), "it goes when it is collected");
        sentOn.release();
        sentOn.close();
    }

    @Test
    void noMoreIsKeptThanItsLimit() {
        MessageMemory[] all = new MessageMemory[5];
        for (int i = 0; i < all.length; i++) {
            all[i] = memory.take(4 << 20);
        }
        for (int i = 0; i < all.length; i++) {
            memory.giveBack(all[i], false);
            assertEquals(i >= FetchMemory.KEPT_LIMIT_BYTES >> 22, all[i].isClosed(), "buffer " + i);
        }
        MessageMemory large = memory.take((8 << 20) + 1);
        assertEquals((8 << 20) + 1, large.bytes());
        memory.giveBack(large, false);
        assertTrue(large.isClosed());
    }

    @Test
    void nothingIsKeptAfterItsEnd() {
        MessageMemory kept = memory.take(0);
        MessageMemory late = memory.take(1);
        memory.giveBack(kept, false);
        memory.end();
        memory.giveBack(late, false);
        assertTrue(kept.isClosed() && late.isClosed());
    }
}
