package org.sluice.shm.ring;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.device.Device.ANY_TAG;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.Endpoint;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.memory.Memory;

/** Messages that a receiver takes past the listener: the right ones, whole, and nothing else. */
final class RingTakeTest {
    private static final RingSize SIZE = new RingSize(64, 16384);
    private static final int CONTEXT = 3;
    private static final int TAG = 5;

    private final ByteBuffer memory = ByteBuffer.allocateDirect((int) SIZE.bytes());
    private final long ring = Memory.address(memory);
    private final RecordingListener listener = new RecordingListener();
    private final RingFailures failures = (peer, reason, told) -> told.onPeerFailed(peer, true, reason);
    private final RingWriter writer = new RingWriter(ring, SIZE, memory);
    private final RingReader reader = new RingReader(0, ring, SIZE, null, failures, memory);
    private final byte[] into = new byte[SIZE.bodyLimit()];

    private void send(int kind, byte[] body) {
        assertEquals(Channel.SENT, writer.trySend(kind, CONTEXT, TAG, body, Memory.arrayOffset(body), body.length));
    }

    private long take(int contextId, int tagOrAny, int room, int elementSize) {
        return reader.takeEager(contextId, tagOrAny, into, Memory.arrayOffset(into), room, elementSize);
    }

    @Test
    void whatFitsIsTakenWhole() {
        Random random = new Random(1);
        for (int i = 0; i < 5000; i++) {
            byte[] body = new byte[i % 50 == 0 ? SIZE.bodyLimit() : random.nextInt(200)];
            random.nextBytes(body);
            assertEquals(Endpoint.NOTHING, take(CONTEXT, TAG, into.length, 1), "before message " + i);
            send(PacketKind.EAGER, body);
            // No more room than it needs, so that room which was never given back would show.
            assertEquals(
                    Endpoint.taken(TAG, body.length),
                    take(CONTEXT, i % 2 == 0 ? TAG : ANY_TAG, body.length, 1),
                    "message " + i);
            assertArrayEquals(body, Arrays.copyOf(into, body.length), "message " + i);
        }
    }

    @Test
    void tagAndLengthComeBackAsTheyWere() {
        for (int tag : new int[] {0, 1, Integer.MAX_VALUE}) {
            for (int bytes : new int[] {0, 48, 49, SIZE.bodyLimit()}) {
                assertEquals(
                        Channel.SENT,
                        writer.trySend(PacketKind.EAGER, CONTEXT, tag, into, Memory.arrayOffset(into), bytes));
                long taken = take(CONTEXT, ANY_TAG, into.length, 1);
                assertTrue(taken >= 0);
                assertEquals(tag, Endpoint.takenTag(taken));
                assertEquals(bytes, Endpoint.takenBytes(taken));
            }
        }
    }

    @Test
    void whatIsNotMeantStaysForThePoll() {
        send(PacketKind.EAGER, new byte[20]);
        Arrays.fill(into, (byte) 1);
        assertEquals(Endpoint.FOR_POLL, take(CONTEXT + 1, TAG, 100, 1), "another context");
        assertEquals(Endpoint.FOR_POLL, take(CONTEXT, TAG + 1, 100, 1), "another tag");
        assertEquals(Endpoint.FOR_POLL, take(CONTEXT, TAG, 19, 1), "no room");
        assertEquals(Endpoint.FOR_POLL, take(CONTEXT, TAG, 100, 8), "no whole number of elements");
        assertEquals(1, into[0], "nothing was written");
        assertEquals(1, reader.poll(listener, 10));
        for (int kind = 1; kind <= PacketKind.LAST; kind++) {
            if (kind != PacketKind.EAGER) {
                send(kind, new byte[8]);
                assertEquals(Endpoint.FOR_POLL, take(CONTEXT, TAG, 100, 1), PacketKind.name(kind));
                assertEquals(1, reader.poll(listener, 10));
            }
        }
        send(PacketKind.EAGER, new byte[20]);
        assertEquals(Endpoint.taken(TAG, 20), take(CONTEXT, TAG, 20, 4));
        assertEquals(0, listener.failures.size());
    }

    @Test
    void nonsenseIsNeverTaken() {
        long cell = ring + RingLayout.CELLS;
        Memory.putInt(cell + RingLayout.CONTEXT_ID, CONTEXT);
        Memory.putInt(cell + RingLayout.TAG, TAG);
        Memory.putLong(cell, RingLayout.publishWord(1, PacketKind.EAGER, 8));
        assertEquals(Endpoint.FOR_POLL, take(CONTEXT, TAG, into.length, 1), "the sequence of another cell");
        Memory.putLong(cell, RingLayout.publishWord(0, PacketKind.EAGER, RingLayout.LENGTH_LIMIT));
        assertEquals(Endpoint.FOR_POLL, take(CONTEXT, TAG, Integer.MAX_VALUE, 1), "longer than any body");
        Memory.putLong(cell, RingLayout.publishWord(0, PacketKind.EAGER, 1000));
        Memory.putLong(cell + RingLayout.BODY, 64);
        assertEquals(Endpoint.FOR_POLL, take(CONTEXT, TAG, into.length, 1), "a body outside its place");
        Memory.putLong(cell, RingLayout.publishWord(0, PacketKind.EAGER, 8));
        Memory.putInt(cell + RingLayout.TAG, -1);
        assertEquals(Endpoint.FOR_POLL, take(CONTEXT, ANY_TAG, into.length, 1), "a tag that can't be sent");
        Memory.putInt(cell + RingLayout.TAG, TAG);
        assertEquals(Endpoint.taken(TAG, 8), take(CONTEXT, TAG, into.length, 1), "only that was wrong");
    }

    /** A file that the receiver has mapped and somebody cut short is not the sender's fault. */
    @Test
    void whereTheCopyThrowsTheSenderIsNotBlamed(@TempDir Path directory) throws Exception {
        MappedByteBuffer gone;
        try (FileChannel file = FileChannel.open(
                directory.resolve("file"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            gone = file.map(FileChannel.MapMode.READ_WRITE, 0, 4096);
            file.truncate(0);
        }
        send(PacketKind.EAGER, new byte[1000]);
        try {
            reader.takeEager(CONTEXT, TAG, null, Memory.address(gone), 4096, 1);
            Memory.settle();
        } catch (InternalError e) {
            // JDK 17 may tell it only when the packet is taken.
            MemoryFaults.settle();
        }
        send(PacketKind.EAGER, new byte[2000]);
        assertTrue(reader.poll(listener, 10) > 0);
        assertEquals(0, listener.failures.size(), "failures " + listener.failures);
        Reference.reachabilityFence(gone);
    }

    @Test
    void aClosedRingGivesNothing() {
        send(PacketKind.EAGER, new byte[8]);
        reader.close();
        assertTrue(take(CONTEXT, TAG, 8, 1) < 0);
    }
}
