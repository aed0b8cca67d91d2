package org.sluice.shm.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.Fences;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.Withdrawn;
import org.sluice.device.memory.Memory;

/** A peer that writes nonsense into a ring is found out, and nothing crashes, hangs or reads outside the ring. */
final class RingCorruptionTest {
    private static final RingSize SIZE = new RingSize(64, 16384);

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private final ByteBuffer memory = ByteBuffer.allocateDirect((int) SIZE.bytes());
    private final long ring = Memory.address(memory);
    private final RecordingListener listener = new RecordingListener();
    private final RingFailures failures = (peer, reason, told) -> told.onPeerFailed(peer, true, reason);
    private final RingWriter writer = new RingWriter(ring, SIZE, memory);
    private InboundRings inbound;
    private RingReader reader;

    @BeforeEach
    void openReader() {
        System.out.println("RingCorruptionTest seed " + seed);
        inbound = new InboundRings(1, null, failures, Fences.SYMMETRIC);
        reader = new RingReader(3, ring, SIZE, null, failures, memory);
        inbound.add(0, reader);
    }

    private void passSome(int packets) {
        for (int i = 0; i < packets; i++) {
            byte[] body = new byte[i % 300];
            assertEquals(
                    Channel.SENT, writer.trySend(PacketKind.EAGER, 0, i, body, Memory.arrayOffset(body), body.length));
            assertEquals(1, inbound.poll(listener, 10));
        }
        assertEquals(0, listener.failures.size());
    }

    private void expectFailure(String reason) {
        int before = listener.packets.size();
        byte[] into = new byte[SIZE.bodyLimit()];
        assertTrue(
                inbound.takeEager(0, 0, Device.ANY_TAG, into, Memory.arrayOffset(into), into.length, 1) < 0,
                "nonsense was taken");
        inbound.poll(listener, 10);
        assertEquals(1, listener.failures.size());
        assertEquals(3, listener.failures.get(0).peer());
        assertTrue(listener.failures.get(0).corrupt());
        assertTrue(
                listener.failures.get(0).reason().contains(reason),
                listener.failures.get(0).reason());
        assertEquals(before, listener.packets.size(), "nonsense was handed up");
        assertEquals(0, inbound.poll(listener, 10), "the ring is closed");
        assertEquals(1, listener.failures.size(), "told once");
    }

    private long cell(long index) {
        return ring + RingLayout.CELLS + (index & SIZE.cells() - 1) * RingLayout.CELL_BYTES;
    }

    @Test
    void aSequenceOfNoLap() {
        passSome(100);
        Memory.putLong(cell(100), RingLayout.publishWord(100 + 64, PacketKind.EAGER, 8));
        expectFailure("sequence");
    }

    @Test
    void aKindThatIsNone() {
        passSome(10);
        Memory.putLong(cell(10), RingLayout.publishWord(10, PacketKind.LAST + 1, 8));
        expectFailure("kind " + (PacketKind.LAST + 1) + " ");
    }

    @Test
    void theFlagOfARingInsideOneJvm() {
        Memory.putLong(cell(0), RingLayout.publishWord(0, PacketKind.RNDV_START | RingLayout.REFERENCE_FLAG, 8));
        expectFailure("kind 130");
    }

    @Test
    void aBodyOverTheLimit() {
        Memory.putLong(cell(0), RingLayout.publishWord(0, PacketKind.EAGER, SIZE.bodyLimit() + 1));
        expectFailure("EAGER of 4097 bytes");
    }

    @Test
    void aControlPacketWithALongBody() {
        Memory.putLong(cell(0), RingLayout.publishWord(0, PacketKind.RELEASE, 49));
        expectFailure("RELEASE of 49 bytes");
    }

    @Test
    void aBodyOutsideItsPlace() {
        for (long position : new long[] {64, -64, Long.MAX_VALUE}) {
            openReader();
            listener.failures.clear();
            Memory.putLong(cell(0) + RingLayout.BODY, position);
            Memory.putLong(cell(0), RingLayout.publishWord(0, PacketKind.EAGER, 1000));
            expectFailure("a body at " + position);
        }
    }

    @Test
    void countsThatTheReaderCannotHave() {
        long[][] nonsense = {{-1, 0}, {1000, 0}, {0, -64}, {0, 1L << 40}};
        for (long[] counts : nonsense) {
            RingWriter fresh = new RingWriter(ring, SIZE, memory);
            Memory.putLong(ring + RingLayout.CONSUMED_CELLS, counts[0]);
            Memory.putLong(ring + RingLayout.CONSUMED_PAYLOAD, counts[1]);
            int result = Channel.SENT;
            for (int i = 0; i < 100 && result == Channel.SENT; i++) {
                result = fresh.trySend(PacketKind.EAGER, 0, 0, null, 0, 0);
            }
            assertEquals(Channel.PEER_FAILED, result);
            assertNotNull(fresh.failure());
            assertEquals(Channel.PEER_FAILED, fresh.trySend(PacketKind.CLOSE, 0, 0, null, 0, 0));
        }
    }

    @Test
    void overwrittenControlLinesAreNoticedByTheirOwner() {
        for (int at : new int[] {RingLayout.CONSUMED_CELLS, RingLayout.CONSUMED_PAYLOAD, RingLayout.WATCHED}) {
            openReader();
            listener.failures.clear();
            Memory.setZero(ring, RingLayout.CELLS);
            reader.watch(true);
            inbound.sweep(listener);
            assertEquals(0, listener.failures.size(), "" + listener.failures);
            Memory.putLong(ring + at, 77);
            inbound.sweep(listener);
            assertEquals(1, listener.failures.size(), "at " + at);
            assertTrue(
                    listener.failures.get(0).reason().contains("control lines"),
                    listener.failures.get(0).reason());
        }
    }

    @Test
    void aReasonThatIsNone() {
        for (int why : new int[] {3, -1, Integer.MIN_VALUE, 0x100}) {
            Memory.putInt(ring + RingLayout.WITHDRAWN, why);
            assertEquals(Withdrawn.CORRUPT, writer.withdrawn());
            assertTrue(writer.failure().contains(" is 3, none of 0, 1 and 2"), writer.failure());
        }
        reader.withdraw(Withdrawn.BY_CLOSE);
        assertEquals(Withdrawn.BY_CLOSE, writer.withdrawn());
    }

    /**
     * Random words over random places while packets pass: it ends in a failure or in nothing worse than wrong payload.
     */
    @RepeatedTest(300)
    void randomWordsAnywhere() {
        int stalled = 0;
        byte[] body = new byte[600];
        for (int step = 0; step < 3000 && listener.failures.isEmpty() && writer.failure() == null; step++) {
            int result = writer.trySend(
                    PacketKind.EAGER, 0, step, body, Memory.arrayOffset(body), random.nextInt(body.length));
            if (random.nextInt(100) == 0) {
                long place = random.nextInt((int) (SIZE.bytes() / 8)) * 8L;
                place = random.nextBoolean() ? place : place % (RingLayout.CELLS + 64L * 64);
                Memory.putLong(ring + place, random.nextBoolean() ? random.nextLong() : random.nextInt(200));
            }
            int taken = random.nextBoolean() ? 0 : inbound.poll(listener, random.nextInt(20));
            if (step % 100 == 0) {
                inbound.sweep(listener);
            }
            stalled = result == Channel.NO_RESOURCE && taken == 0 ? stalled + 1 : 0;
            assertTrue(stalled < 500, "no packet passes and no failure is told, seed " + seed);
            listener.packets.clear();
        }
        listener.failures.forEach(failure -> assertTrue(failure.corrupt()));
    }
}
