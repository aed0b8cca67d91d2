package org.sluice.shm.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.sluice.device.buffer.CutFile;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.Endpoint;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.memory.Memory;

/** What the conformance suite can't reach: the far end of the 32-bit sequence, and the counts that both ends keep. */
final class RingTest {
    private static final RingSize SIZE = new RingSize(64, 16384);

    private final ByteBuffer memory = ByteBuffer.allocateDirect((int) SIZE.bytes());
    private final long ring = Memory.address(memory);
    private final RecordingListener listener = new RecordingListener();
    private final RingFailures failures = (peer, reason, told) -> told.onPeerFailed(peer, true, reason);

    @Test
    void theSequenceMayWrap() {
        long start = (1L << 32) - 100;
        prepareLapBefore(start);
        RingReader reader = new RingReader(0, ring, SIZE, null, failures, memory, start);
        RingWriter writer = new RingWriter(ring, SIZE, memory, start);
        for (int i = 0; i < 1000; i++) {
            byte[] body = new byte[i % 200];
            assertEquals(0, reader.poll(listener, 1), "nothing was sent yet, packet " + i);
            assertEquals(
                    Channel.SENT, writer.trySend(PacketKind.EAGER, 0, i, body, Memory.arrayOffset(body), body.length));
            if (i % 3 == 0) {
                byte[] into = new byte[body.length];
                assertEquals(
                        Endpoint.taken(i, body.length),
                        reader.takeEager(0, i, into, Memory.arrayOffset(into), into.length, 1),
                        "packet " + i);
                continue;
            }
            assertEquals(1, reader.poll(listener, 10), "packet " + i + " failures " + listener.failures);
            assertEquals(i, listener.packets.remove().tag());
        }
    }

    /** As if the ring had been used from the beginning. */
    private void prepareLapBefore(long start) {
        for (long index = start - SIZE.cells(); index < start; index++) {
            Memory.putLong(
                    ring + RingLayout.CELLS + (index & SIZE.cells() - 1) * 64,
                    RingLayout.publishWord(index, PacketKind.EAGER, 0));
        }
        Memory.putLong(ring + RingLayout.CONSUMED_CELLS, start);
    }

    /** Else both ends count differently from then on, and the writer is taken for corrupt. */
    @Test
    void aBodyThatIsGoneLeavesTheRingAsItWas() {
        RingReader reader = new RingReader(0, ring, SIZE, null, failures, memory);
        RingWriter writer = new RingWriter(ring, SIZE, memory);
        try (CutFile file = CutFile.gone(4096)) {
            for (int i = 0; i < 300; i++) {
                byte[] body = {(byte) i, 2, 3};
                for (int bytes : new int[] {8, 49, 1000}) {
                    assertThrows(InternalError.class, () -> {
                        writer.trySend(PacketKind.EAGER, 0, 0, null, Memory.address(file.buffer()), bytes);
                        Memory.settle();
                    });
                    if (bytes <= RingLayout.INLINE_BODY_LIMIT) {
                        // The JVM may say so only after the packet is out; that of a short body can't be taken back.
                        reader.poll(listener, 1);
                        listener.packets.clear();
                    }
                }
                assertEquals(
                        Channel.SENT,
                        writer.trySend(PacketKind.EAGER, 0, i, body, Memory.arrayOffset(body), body.length));
                byte[] large = new byte[500];
                assertEquals(
                        Channel.SENT,
                        writer.trySend(PacketKind.EAGER, 0, i, large, Memory.arrayOffset(large), large.length));
                reader.poll(listener, 10);
                assertEquals(0, listener.failures.size(), () -> "told " + listener.failures);
                assertEquals(500, listener.packets.removeLast().body().length);
                assertEquals(i, listener.packets.removeLast().tag());
                listener.packets.clear();
            }
        }
    }

    @Test
    void theLastCellsAreForControlPacketsOnly() {
        RingWriter writer = new RingWriter(ring, SIZE, memory);
        int ordinary = 0;
        while (writer.trySend(PacketKind.EAGER, 0, 0, null, 0, 0) == Channel.SENT) {
            ordinary++;
        }
        assertEquals(SIZE.cells() - 16, ordinary);
        assertFalse(writer.hasRoom(PacketKind.RNDV_START));
        assertTrue(writer.hasRoom(PacketKind.RNDV_END));
        for (int i = 0; i < 16; i++) {
            assertEquals(Channel.SENT, writer.trySend(PacketKind.RNDV_END, 0, 0, null, 0, 0));
        }
        assertEquals(Channel.NO_RESOURCE, writer.trySend(PacketKind.RNDV_END, 0, 0, null, 0, 0));
    }

    @Test
    void roomComesBackInTheMiddleOfALongPoll() {
        RingWriter writer = new RingWriter(ring, SIZE, memory);
        RingReader reader = new RingReader(0, ring, SIZE, null, failures, memory);
        int[] sentMeanwhile = {0};
        while (writer.trySend(PacketKind.EAGER, 0, 0, null, 0, 0) == Channel.SENT) {
            assertEquals(0, sentMeanwhile[0]);
        }
        reader.poll(
                new RecordingListener() {
                    @Override
                    public void onPacket(
                            int peer, int kind, int contextId, int tag, long address, int bytes, Object reference) {
                        if (writer.trySend(PacketKind.EAGER, 0, 0, null, 0, 0) == Channel.SENT) {
                            sentMeanwhile[0]++;
                        }
                    }
                },
                40);
        assertTrue(sentMeanwhile[0] > 0, "a reader in a long batch gave no room back");
    }

    @Test
    void aBodyOverTheLimitIsTheCallersMistake() {
        RingWriter writer = new RingWriter(ring, SIZE, memory);
        byte[] body = new byte[SIZE.bodyLimit() + 1];
        String message = assertThrows(
                        IllegalArgumentException.class,
                        () -> writer.trySend(PacketKind.EAGER, 0, 0, body, Memory.arrayOffset(body), body.length))
                .getMessage();
        assertTrue(message.contains("" + body.length) && message.contains("" + SIZE.bodyLimit()), message);
    }
}
