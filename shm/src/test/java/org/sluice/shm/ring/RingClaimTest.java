package org.sluice.shm.ring;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.Endpoint;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.memory.Memory;

/** The writer fetches the lines of the next body and of the next cells ahead, and nobody's else. */
final class RingClaimTest {
    private static final RingSize SIZE = new RingSize(64, 16384);
    private static final int LINE = 64;
    private static final int CELLS_AT_ONCE = 8;

    private final ByteBuffer memory = ByteBuffer.allocateDirect((int) SIZE.bytes());
    private final long ring = Memory.address(memory);
    private final long payload = ring + SIZE.payloadOffset();
    private final RingFailures failures = (peer, reason, told) -> told.onPeerFailed(peer, true, reason);
    private final RingWriter writer = new RingWriter(ring, SIZE, memory);
    private final RingReader reader = new RingReader(0, ring, SIZE, null, failures, memory);

    private boolean send(byte[] body) {
        return writer.trySend(PacketKind.EAGER, 1, 2, body, Memory.arrayOffset(body), body.length) == Channel.SENT;
    }

    private byte[] take(int length) {
        byte[] into = new byte[length];
        assertEquals(Endpoint.taken(2, length), reader.takeEager(1, 2, into, Memory.arrayOffset(into), length, 1));
        return into;
    }

    /** Bytes of the payload, from one place on, that are no longer -1. */
    private int written(int from, int to) {
        int count = 0;
        for (int at = from; at < to; at++) {
            count += Memory.getByte(payload + at) == -1 ? 0 : 1;
        }
        return count;
    }

    private void poison() {
        for (int at = 0; at < SIZE.payloadBytes(); at++) {
            Memory.putByte(payload + at, (byte) -1);
        }
    }

    @Test
    void eachLineOfTheNextBodyIsWrittenOnceAnAnswerHasCome() {
        poison();
        assertTrue(send(new byte[1000]));
        writer.claimAhead(1000, 0);
        assertEquals(0, written(1024, SIZE.payloadBytes()), "nothing has come from the reader");
        writer.claimAhead(1000, 1);
        assertEquals(16 * Long.BYTES, written(1024, 2048));
        assertEquals(0, written(2048, SIZE.payloadBytes()));
        poison();
        writer.claimAhead(1000, 1);
        assertEquals(0, written(0, SIZE.payloadBytes()), "that was the same answer");
    }

    @Test
    void whatTheReaderMayStillReadIsLeftAlone() {
        int sent = 0;
        while (send(new byte[4000])) {
            sent++;
        }
        assertEquals(4, sent);
        poison();
        writer.claimAhead(4000, 1);
        assertEquals(0, written(0, SIZE.payloadBytes()));
    }

    @Test
    void everyBodyArrivesAsItWasSentWhereverItLies() {
        Random random = new Random(4711);
        ArrayDeque<byte[]> under = new ArrayDeque<>();
        int received = 0;
        for (int i = 0; i < 200_000; i++) {
            byte[] body = new byte
                    [random.nextInt(4) == 0
                            ? random.nextInt(SIZE.bodyLimit() + 1)
                            : random.nextInt(random.nextBoolean() ? 49 : 1500)];
            random.nextBytes(body);
            if (random.nextInt(5) < 3 && send(body)) {
                under.add(body);
                writer.claimAhead(random.nextInt(SIZE.bodyLimit() + 1), i);
            } else if (!under.isEmpty()) {
                received++;
                byte[] expected = under.remove();
                assertArrayEquals(expected, take(expected.length), "body " + i);
            }
        }
        assertTrue(received > 1000);
    }

    /** Of the cells' bodies. */
    private List<Integer> claimedCells() {
        List<Integer> claimed = new ArrayList<>();
        for (int i = 0; i < SIZE.cells(); i++) {
            long body = ring + RingLayout.CELLS + (long) i * RingLayout.CELL_BYTES + RingLayout.BODY;
            if (Memory.getLong(body) == 0) {
                claimed.add(i);
            }
            Memory.putLong(body, -1);
        }
        return claimed;
    }

    private boolean sendShort(long value) {
        return send(ByteBuffer.allocate(Long.BYTES).putLong(value).array());
    }

    @Test
    void everyEighthPacketClaimsTheCellsBehindTheNextOne() {
        claimedCells();
        assertTrue(sendShort(1));
        assertEquals(List.of(2, 3, 4, 5, 6, 7, 8, 9), claimedCells());
        for (int i = 1; i < CELLS_AT_ONCE; i++) {
            assertTrue(sendShort(1));
            assertEquals(List.of(), claimedCells());
        }
        assertTrue(sendShort(1));
        assertEquals(List.of(10, 11, 12, 13, 14, 15, 16, 17), claimedCells());
    }

    @Test
    void cellsThatTheReaderMayStillReadAreLeftAlone() {
        while (sendShort(1)) {
            continue;
        }
        claimedCells();
        byte[] body = ByteBuffer.allocate(Long.BYTES).putLong(1).array();
        int controls = 0;
        while (writer.trySend(PacketKind.RELEASE, 0, 0, body, Memory.arrayOffset(body), body.length) == Channel.SENT) {
            controls++;
        }
        assertEquals(RingLayout.RESERVED_CELLS, controls);
        assertEquals(List.of(), claimedCells());
    }

    @Test
    void shortBodiesAndLongOnesAreNotWorthIt() {
        assertFalse(RingWriter.isClaimedAhead(0)
                || RingWriter.isClaimedAhead(511)
                || RingWriter.isClaimedAhead((16 << 10) + 1));
        assertTrue(RingWriter.isClaimedAhead(512) && RingWriter.isClaimedAhead(16 << 10));
        assertEquals(0, SIZE.payloadOffset() % LINE, "bodies begin at the beginning of a line");
    }
}
