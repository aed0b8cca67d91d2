package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.sluice.device.buffer.MessageAllocator;
import org.sluice.device.buffer.MessageMemory;
import org.sluice.device.channel.GetResult;
import org.sluice.device.channel.PutResult;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.TestRank;
import org.sluice.device.memory.Memory;
import org.sluice.ib.sim.SimulatedVerbs;

/**
 * Regions above 4 GB, of which one piece behind that is moved in each way that there is. Nothing else of the memory is
 * ever touched, so it takes none.
 */
final class LargeRegionTest {
    private static final long BYTES = 5L << 30;
    private static final long OFFSET = (4L << 30) + 4096;
    private static final int PIECE = 64 << 10;
    private static final MessageAllocator UNTOUCHED = new MessageAllocator() {
        @Override
        public long allocate(long bytes) {
            return Memory.allocate(bytes);
        }

        @Override
        public void free(long address, long bytes) {
            Memory.free(address);
        }
    };

    private final SimulatedVerbs verbs = new SimulatedVerbs();
    private final MessageMemory large = new MessageMemory(UNTOUCHED, BYTES);
    private final ByteBuffer small = ByteBuffer.allocateDirect(PIECE);
    private final ByteBuffer there = large.byteBuffer(OFFSET, PIECE);

    /** Rank 0 has the large memory, rank 1 the small one. */
    private TestRank[] ranks(String rendezvous) {
        return VerbsRanks.joined(
                2,
                VerbsRanks.options(Map.of("sluice.ib.rendezvous", rendezvous, "sluice.ib.cache.bytes", "8g")),
                verbs);
    }

    private static void fill(ByteBuffer buffer, int seed) {
        byte[] content = new byte[PIECE];
        new Random(seed).nextBytes(content);
        buffer.put(0, content);
    }

    private void arrived(TestRank rank, List<RecordingListener.Get> ends) {
        rank.drive();
        assertEquals(List.of(new RecordingListener.Get("ticket", true)), ends);
        ends.clear();
        assertEquals(-1, there.mismatch(small));
    }

    private static RemoteReference told(RemoteReference described) {
        RemoteReference told = new RemoteReference();
        told.set(described.key, described.address, null);
        return told;
    }

    private void close(TestRank[] ranks) {
        for (TestRank each : ranks) {
            each.channel.close();
        }
        assertEquals(List.of(), verbs.wrongs());
        assertEquals(Map.of(), verbs.living());
        large.close();
    }

    @Test
    void aPieceBehindFourGigabytesIsReadFromThereAndIntoThere() {
        TestRank[] ranks = ranks("read");
        RemoteReference whole = new RemoteReference();
        assertTrue(ranks[0].channel.reading().describe(1, large, null, large.address(), BYTES, whole));
        fill(there, 1);
        assertEquals(
                GetResult.STARTED,
                ranks[1].channel
                        .reading()
                        .get(0, told(whole), OFFSET, small, null, Memory.address(small), PIECE, "ticket"));
        arrived(ranks[1], ranks[1].listener.gets);
        ranks[0].channel.reading().release(whole.lease);

        RemoteReference piece = new RemoteReference();
        assertTrue(ranks[1].channel.reading().describe(0, small, null, Memory.address(small), PIECE, piece));
        fill(small, 2);
        assertEquals(
                GetResult.STARTED,
                ranks[0].channel
                        .reading()
                        .get(1, told(piece), 0, large, null, large.address() + OFFSET, PIECE, "ticket"));
        arrived(ranks[0], ranks[0].listener.gets);
        ranks[1].channel.reading().release(piece.lease);
        close(ranks);
    }

    @Test
    void aPieceBehindFourGigabytesIsWrittenFromThereAndThere() {
        TestRank[] ranks = ranks("write");
        RemoteReference wholeFrom = new RemoteReference();
        RemoteReference wholeTo = new RemoteReference();
        RemoteReference pieceFrom = new RemoteReference();
        RemoteReference pieceTo = new RemoteReference();
        assertTrue(ranks[0].channel.reading().describe(1, large, null, large.address(), BYTES, wholeFrom));
        assertTrue(ranks[0].channel.writing().offer(1, large, null, large.address(), BYTES, wholeTo));
        assertTrue(ranks[1].channel.reading().describe(0, small, null, Memory.address(small), PIECE, pieceFrom));
        assertTrue(ranks[1].channel.writing().offer(0, small, null, Memory.address(small), PIECE, pieceTo));
        fill(there, 3);
        assertEquals(
                PutResult.STARTED,
                ranks[0].channel
                        .writing()
                        .put(1, wholeFrom, large.address() + OFFSET, PIECE, told(pieceTo), 0, "ticket"));
        arrived(ranks[0], ranks[0].listener.puts);
        fill(small, 4);
        assertEquals(
                PutResult.STARTED,
                ranks[1].channel
                        .writing()
                        .put(0, pieceFrom, Memory.address(small), PIECE, told(wholeTo), OFFSET, "ticket"));
        arrived(ranks[1], ranks[1].listener.puts);
        ranks[0].channel.writing().takeBack(1, wholeTo.lease);
        ranks[1].channel.writing().takeBack(0, pieceTo.lease);
        ranks[0].channel.reading().release(wholeFrom.lease);
        ranks[1].channel.reading().release(pieceFrom.lease);
        close(ranks);
    }
}
