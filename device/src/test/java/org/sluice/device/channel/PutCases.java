package org.sluice.device.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluice.device.buffer.MemoryOwner;
import org.sluice.device.memory.Memory;

/** What every channel does that writes into its peers' memory: rank 0 writes, rank 1 says where. */
public abstract class PutCases extends ManyPeerCases {
    private static final long PATIENCE_NANOS = TestRank.PATIENCE_NANOS;
    private static final int PIECE = 5000;
    private static final int PIECES = 40;

    private final RemoteReference described = new RemoteReference();
    private final RemoteReference offered = new RemoteReference();
    private ByteBuffer from;
    private ByteBuffer into;

    @BeforeEach
    void openTwo() throws Exception {
        System.out.println(getClass().getSimpleName() + " seed " + seed);
        ranks = open(2);
    }

    private void begin(int bytes) {
        from = ByteBuffer.allocateDirect(bytes).put(0, randomBody(bytes));
        into = ByteBuffer.allocateDirect(bytes);
        describe(described);
        offer(offered);
    }

    private void describe(RemoteReference reference) {
        assertTrue(ranks[0].channel
                .reading()
                .describe(1, MemoryOwner.of(from, null), null, Memory.address(from), from.capacity(), reference));
    }

    private void offer(RemoteReference reference) {
        assertTrue(ranks[1].channel
                .writing()
                .offer(0, MemoryOwner.of(into, null), null, Memory.address(into), into.capacity(), reference));
    }

    private void end() {
        ranks[0].channel.reading().release(described.lease);
        ranks[1].channel.writing().takeBack(0, offered.lease);
        Reference.reachabilityFence(from);
        Reference.reachabilityFence(into);
    }

    private PutResult put(RemoteReference to, int offset, int bytes, Object ticket) {
        RemoteReference carried = new RemoteReference();
        carried.set(to.key, to.address, to.object);
        return ranks[0].channel
                .writing()
                .put(1, described, Memory.address(from) + offset, bytes, carried, offset, ticket);
    }

    /** Asks until there is room. */
    private void start(int offset, int bytes, Object ticket) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        PutResult result;
        while ((result = put(offered, offset, bytes, ticket)) == PutResult.NO_RESOURCE) {
            assertTrue(System.nanoTime() < deadline, "no room for a put");
            ranks[0].channel.poll(ranks[0].listener, 10);
            driveOfferer();
        }
        assertEquals(PutResult.STARTED, result);
    }

    /** Whether the bytes of a put arrive where nobody polls over there; else they do where somebody does. */
    protected boolean writesByItself() {
        return true;
    }

    private void driveOfferer() {
        if (!writesByItself()) {
            ranks[1].drive();
        }
    }

    private void awaitPuts(int count) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (ranks[0].listener.puts.size() < count) {
            ranks[0].channel.poll(ranks[0].listener, 1);
            driveOfferer();
            assertTrue(
                    System.nanoTime() < deadline,
                    ranks[0].listener.puts.size() + " puts of " + count + " have ended, failures "
                            + ranks[0].listener.failures);
        }
        assertEquals(count, ranks[0].listener.puts.size());
    }

    /** They are all there, at once or as soon as it was polled for them. */
    private void assertWritten(ByteBuffer expected, ByteBuffer there, String what) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!writesByItself() && !expected.equals(there) && System.nanoTime() < deadline) {
            driveOfferer();
        }
        assertEquals(expected, there, what);
    }

    @Test
    void manyPiecesAreWrittenAtOnceAndEachIsToldOnce() {
        begin(PIECES * PIECE);
        for (int i = 0; i < PIECES; i++) {
            start(i * PIECE, PIECE, i);
        }
        awaitPuts(PIECES);
        for (int i = 0; i < PIECES; i++) {
            RecordingListener.Get put = new RecordingListener.Get(i, true);
            assertEquals(1, ranks[0].listener.puts.stream().filter(put::equals).count(), put.toString());
        }
        assertWritten(from, into, "all");
        end();
    }

    @Test
    void aPacketBehindThemComesAfterTheBytes() {
        begin(PIECES * PIECE);
        for (int round = 1; round < 10; round++) {
            byte[] body = new byte[from.capacity()];
            Arrays.fill(body, (byte) round);
            from.put(0, body);
            ranks[0].listener.puts.clear();
            for (int i = 0; i < PIECES; i++) {
                start(i * PIECE, PIECE, i);
            }
            ranks[0].send(1, round, new byte[8]);
            assertEquals(round, ranks[1].receive().tag());
            assertEquals(-1, from.mismatch(into), "round " + round);
            awaitPuts(PIECES);
        }
        end();
    }

    @Test
    void lengthsAndPlacesOfAnyKindAreWritten() {
        int limit = Math.min(ranks[0].channel.writing().putBytes(), 1 << 20);
        begin(limit + 100);
        for (int bytes : new int[] {1, 2, 63, 64, 1000, 1023, 1024, 1025, 4097, limit}) {
            into.put(0, new byte[into.capacity()]);
            int at = random.nextInt(100);
            ranks[0].listener.puts.clear();
            start(at, bytes, bytes);
            awaitPuts(1);
            assertWritten(from.slice(at, bytes), into.slice(at, bytes), bytes + " bytes at " + at);
            for (int i = 0; i < into.capacity(); i++) {
                assertTrue(i >= at && i < at + bytes || into.get(i) == 0, "byte " + i + " was not written to");
            }
        }
        end();
    }

    @Test
    void whatIsOfferedTwiceAndTakenBackOnceIsStillWritten() {
        begin(100_000);
        for (int round = 0; round < 10; round++) {
            RemoteReference again = new RemoteReference();
            offer(again);
            ranks[1].channel.writing().takeBack(0, again.lease);
            describe(again);
            ranks[0].channel.reading().release(again.lease);
            ranks[0].listener.puts.clear();
            start(100 * round, 4000, round);
            awaitPuts(1);
            assertWritten(from.slice(100 * round, 4000), into.slice(100 * round, 4000), "round " + round);
        }
        end();
    }

    @Test
    void nothingIsToldAfterTheWriterDisconnected() throws InterruptedException {
        begin(PIECES * PIECE);
        for (int i = 0; i < PIECES && put(offered, i * PIECE, PIECE, i) == PutResult.STARTED; ) {
            i++;
        }
        ranks[0].channel.disconnect(1);
        ranks[0].listener.puts.clear();
        for (int i = 0; i < 50; i++) {
            ranks[0].channel.poll(ranks[0].listener, 10);
            Thread.sleep(2);
        }
        assertEquals(0, ranks[0].listener.puts.size(), "told after disconnect");
        ranks[1].channel.disconnect(0);
        end();
    }

    /** The memory is the program's again as soon as the peer was disconnected, whatever that goes on with. */
    @Test
    void nothingIsWrittenOnceTheOffererDisconnected() throws InterruptedException {
        begin(PIECES * PIECE);
        int started = 0;
        while (started < PIECES && put(offered, started * PIECE, PIECE, started) == PutResult.STARTED) {
            started++;
        }
        ranks[1].channel.disconnect(0);
        byte[] mark = randomBody(into.capacity());
        into.put(0, mark);
        for (int i = 0; i < 100; i++) {
            ranks[0].channel.poll(ranks[0].listener, 10);
            ranks[1].channel.poll(ranks[1].listener, 10);
            put(offered, 0, PIECE, "late");
            Thread.sleep(2);
        }
        assertEquals(-1, into.mismatch(ByteBuffer.wrap(mark)), "written after disconnect");
        ranks[0].channel.disconnect(1);
        end();
    }

    @Test
    void aReferenceOfNoChannelIsRefused() {
        begin(1000);
        RemoteReference nonsense = new RemoteReference();
        nonsense.set(0x7777_0000_0000L, 4096, null);
        assertEquals(PutResult.FAILED, put(nonsense, 0, 100, 0));
        nonsense.set(described.key, described.address, null);
        assertEquals(PutResult.FAILED, put(nonsense, 0, 100, 0), "the message itself");
        byte[] heap = new byte[100];
        assertFalse(
                ranks[1].channel.writing().offer(0, null, heap, Memory.arrayOffset(heap), heap.length, nonsense),
                "an array");
        end();
    }
}
