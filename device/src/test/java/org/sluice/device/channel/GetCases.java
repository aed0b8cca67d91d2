package org.sluice.device.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.sluice.device.buffer.MemoryOwner;
import org.sluice.device.memory.Memory;

/** What every channel does that reads out of a peer's memory, whether at once or by and by; and what all do. */
public abstract class GetCases extends ChannelConformance {
    private static final long PATIENCE_NANOS = TestRank.PATIENCE_NANOS;
    private static final int PIECE = 5000;
    private static final int PIECES = 40;

    /** Memory of a rank that its peers can read. */
    protected ByteBuffer readable(TestRank rank, int bytes) {
        return ByteBuffer.allocateDirect(bytes);
    }

    private ByteBuffer filled(TestRank rank, int bytes) {
        ByteBuffer memory = readable(rank, bytes);
        memory.put(0, randomBody(bytes));
        return memory;
    }

    private static RemoteReference describe(TestRank owner, int peer, ByteBuffer memory) {
        RemoteReference reference = new RemoteReference();
        assertTrue(owner.channel
                .reading()
                .describe(
                        peer,
                        MemoryOwner.of(memory, null),
                        null,
                        Memory.address(memory),
                        memory.capacity(),
                        reference));
        return reference;
    }

    /** What a packet would have carried. */
    private static RemoteReference carried(RemoteReference described) {
        RemoteReference reference = new RemoteReference();
        reference.set(described.key, described.address, described.object);
        return reference;
    }

    private static GetResult get(
            TestRank reader, RemoteReference from, int offset, ByteBuffer into, int bytes, Object ticket) {
        return reader.channel
                .reading()
                .get(0, from, offset, MemoryOwner.of(into, null), null, Memory.address(into) + offset, bytes, ticket);
    }

    /** Asks until there is room. */
    private static boolean isStarted(
            TestRank reader, RemoteReference from, int offset, ByteBuffer into, int bytes, Object ticket) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        GetResult result;
        while ((result = get(reader, from, offset, into, bytes, ticket)) == GetResult.NO_RESOURCE) {
            assertTrue(System.nanoTime() < deadline, "no room for a get");
            reader.channel.poll(reader.listener, 10);
        }
        assertTrue(result == GetResult.DONE || result == GetResult.STARTED, "a get answered " + result);
        return result == GetResult.STARTED;
    }

    private static void awaitGets(TestRank reader, int count) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (reader.listener.gets.size() < count) {
            reader.channel.poll(reader.listener, 1);
            assertTrue(
                    System.nanoTime() < deadline,
                    reader.listener.gets.size() + " gets of " + count + " have ended, failures "
                            + reader.listener.failures);
        }
        assertEquals(count, reader.listener.gets.size());
    }

    private void release(TestRank owner, RemoteReference described) {
        if (described.lease != null) {
            owner.channel.reading().release(described.lease);
        }
    }

    @Test
    void manyPiecesAreReadAtOnceAndEachIsToldOnce() {
        ByteBuffer theirs = filled(ranks[0], PIECES * PIECE);
        RemoteReference described = describe(ranks[0], 1, theirs);
        RemoteReference reference = carried(described);
        ByteBuffer ours = ByteBuffer.allocateDirect(PIECES * PIECE);
        int started = 0;
        for (int i = 0; i < PIECES; i++) {
            started += isStarted(ranks[1], reference, i * PIECE, ours, PIECE, i) ? 1 : 0;
        }
        awaitGets(ranks[1], started);
        for (int i = 0; i < started; i++) {
            RecordingListener.Get get = new RecordingListener.Get(i, true);
            assertEquals(1, ranks[1].listener.gets.stream().filter(get::equals).count(), get.toString());
        }
        assertEquals(-1, theirs.mismatch(ours));
        release(ranks[0], described);
    }

    @Test
    void lengthsAndPlacesOfAnyKindAreRead() {
        int limit = Math.min(ranks[1].channel.reading().getBytes(new RemoteReference()), 1 << 20);
        ByteBuffer theirs = filled(ranks[0], limit + 100);
        RemoteReference described = describe(ranks[0], 1, theirs);
        for (int bytes : new int[] {1, 2, 63, 64, 1000, 1023, 1024, 1025, 4097, limit}) {
            ByteBuffer ours = ByteBuffer.allocateDirect(limit + 100);
            int at = random.nextInt(100);
            ranks[1].listener.gets.clear();
            awaitGets(ranks[1], isStarted(ranks[1], carried(described), at, ours, bytes, bytes) ? 1 : 0);
            assertEquals(theirs.slice(at, bytes), ours.slice(at, bytes), bytes + " bytes at " + at);
            for (int i = 0; i < ours.capacity(); i++) {
                assertTrue(i >= at && i < at + bytes || ours.get(i) == 0, "byte " + i + " was not asked for");
            }
        }
        release(ranks[0], described);
    }

    @Test
    void whatIsDescribedAgainAndGivenBackIsStillRead() {
        ByteBuffer theirs = filled(ranks[0], 100_000);
        for (int round = 0; round < 20; round++) {
            RemoteReference first = describe(ranks[0], 1, theirs);
            RemoteReference second = describe(ranks[0], 1, theirs);
            release(ranks[0], first);
            ByteBuffer ours = ByteBuffer.allocateDirect(100_000);
            ranks[1].listener.gets.clear();
            awaitGets(ranks[1], isStarted(ranks[1], carried(second), 0, ours, 4000, round) ? 1 : 0);
            assertEquals(theirs.slice(0, 4000), ours.slice(0, 4000));
            release(ranks[0], second);
        }
    }

    /** The memory is the program's again as soon as the peer was disconnected. */
    @Test
    void nothingIsWrittenOrToldAfterDisconnect() throws InterruptedException {
        ByteBuffer theirs = filled(ranks[0], PIECES * PIECE);
        RemoteReference described = describe(ranks[0], 1, theirs);
        ByteBuffer ours = ByteBuffer.allocateDirect(PIECES * PIECE);
        for (int i = 0; i < PIECES; i++) {
            if (get(ranks[1], carried(described), i * PIECE, ours, PIECE, i) == GetResult.NO_RESOURCE) {
                break;
            }
        }
        ranks[1].channel.disconnect(0);
        byte[] mark = randomBody(ours.capacity());
        ours.put(0, mark);
        ranks[1].listener.gets.clear();
        for (int i = 0; i < 100; i++) {
            ranks[1].channel.poll(ranks[1].listener, 10);
            ranks[0].channel.poll(ranks[0].listener, 10);
            Thread.sleep(2);
        }
        assertEquals(0, ranks[1].listener.gets.size(), "told after disconnect");
        assertEquals(-1, ours.mismatch(ByteBuffer.wrap(mark)), "written after disconnect");
        release(ranks[0], described);
        Reference.reachabilityFence(theirs);
    }

    @Test
    void aReferenceOfNoChannelIsRefused() {
        ByteBuffer ours = ByteBuffer.allocateDirect(1000);
        RemoteReference reference = new RemoteReference();
        reference.set(0x7777_0000_0000L, 4096, null);
        assertEquals(GetResult.FAILED, get(ranks[1], reference, 0, ours, 100, 0));
        RemoteReference described = describe(ranks[0], 1, filled(ranks[0], 1000));
        assertNotEquals(RemoteReference.NO_REFERENCE, described.key);
        ByteBuffer own = ByteBuffer.allocateDirect(1000);
        Writing writing = ranks[0].channel.writing();
        assertEquals(
                PutResult.FAILED,
                writing == null
                        ? PutResult.FAILED
                        : writing.put(1, described, Memory.address(own), 100, reference, 0, 0),
                "nobody offered that");
        release(ranks[0], described);
    }
}
