package org.sluice.shm.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.GetCases;
import org.sluice.device.channel.TestRank;
import org.sluice.device.counter.Counter;
import org.sluice.device.memory.Memory;

@Tag("conformance")
final class SegmentChannelTest extends GetCases {
    @Override
    protected TestRank[] open(int count) {
        return Segments.open(count, Segments.options(), Segments.os());
    }

    @Override
    protected ByteBuffer readable(TestRank rank, int bytes) {
        return Memory.view(Segments.channel(rank).allocate(bytes), bytes, null);
    }

    private static long signals(TestRank rank, Counter counter) {
        return Segments.channel(rank).counters()[1].get(counter);
    }

    @Test
    void fewPeersNeedNoDoorbell() {
        for (int i = 0; i < 100; i++) {
            ranks[0].send(1, i, new byte[8]);
            ranks[1].receive();
        }
        assertEquals(0, signals(ranks[0], Counter.DOORBELLS));
        assertEquals(0, signals(ranks[0], Counter.WAKE_UPS));
        assertEquals(0, signals(ranks[0], Counter.NATIVE_CROSSINGS), "ranks that poll need no system call");
    }

    @Test
    void amongManyABusyRingIsRungForOnce() {
        closeAll();
        ranks = open(12);
        for (int i = 0; i < 100; i++) {
            ranks[3].send(1, i, new byte[8]);
            ranks[1].receive();
        }
        assertEquals(1, signals(ranks[3], Counter.DOORBELLS));
    }

    @Test
    void aWakeUpIsOneCrossing() {
        ranks[1].word.announceSleep();
        ranks[0].send(1, 0, new byte[8]);
        ranks[1].word.awake();
        assertEquals(1, signals(ranks[0], Counter.WAKE_UPS));
        assertEquals(1, signals(ranks[0], Counter.NATIVE_CROSSINGS));
        assertTrue(ranks[1].receive().body().length == 8);
    }
}
