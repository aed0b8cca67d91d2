package org.sluice.shm.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.Fences;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.memory.Memory;

final class InboundRingsTest {
    private static final RingSize SIZE = new RingSize(64, 16384);

    private final RecordingListener listener = new RecordingListener();
    private final RingFailures failures = (peer, reason, told) -> told.onPeerFailed(peer, true, reason);
    private ByteBuffer memory;
    private RingWriter[] writers;
    private RingReader[] readers;
    private Doorbell doorbell;

    private InboundRings open(int count, boolean withDoorbell) {
        memory = ByteBuffer.allocateDirect((int) (count * SIZE.bytes() + Doorbell.bytes(count) + 64));
        long start = Memory.address(memory) + 63 & -64;
        doorbell = withDoorbell ? new Doorbell(start + count * SIZE.bytes(), count) : null;
        InboundRings inbound = new InboundRings(count, doorbell, failures, Fences.SYMMETRIC);
        writers = new RingWriter[count];
        readers = new RingReader[count];
        for (int slot = 0; slot < count; slot++) {
            writers[slot] = new RingWriter(start + slot * SIZE.bytes(), SIZE, memory);
            readers[slot] = new RingReader(slot, start + slot * SIZE.bytes(), SIZE, null, failures, memory);
            inbound.add(slot, readers[slot]);
        }
        return inbound;
    }

    private boolean send(int slot) {
        boolean sent = writers[slot].trySend(PacketKind.EAGER, 0, slot, null, 0, 0) == Channel.SENT;
        Memory.fullFence();
        if (sent && doorbell != null) {
            doorbell.ringUnlessWatched(writers[slot], slot);
        }
        return sent;
    }

    @Test
    void aFloodInOneRingDoesNotStarveTheOthers() {
        InboundRings inbound = open(3, false);
        for (int round = 0; round < 100; round++) {
            while (send(0)) {
                assertFalse(inbound.ring(0).isClosed());
            }
            send(2);
            inbound.poll(listener, 10);
            inbound.poll(listener, 10);
        }
        assertTrue(
                listener.packets.stream().filter(packet -> packet.peer() == 2).count() >= 99);
    }

    @Test
    void silentRingsAreNotLookedAtUntilTheyRing() {
        InboundRings inbound = open(600, true);
        assertFalse(readers[599].isWatched());
        for (int slot : new int[] {0, 63, 64, 511, 512, 599}) {
            send(slot);
            assertEquals(1, inbound.poll(listener, 10));
            assertEquals(slot, listener.packets.remove().peer());
            assertTrue(readers[slot].isWatched());
        }
        for (int i = 0; i < 5000; i++) {
            inbound.poll(listener, 10);
        }
        assertFalse(readers[599].isWatched());
        send(599);
        assertEquals(1, inbound.poll(listener, 10));
    }

    @Test
    void aBitThatNonsenseTookIsMadeGoodByTheSweep() {
        InboundRings inbound = open(100, true);
        writers[50].trySend(PacketKind.EAGER, 0, 0, null, 0, 0);
        assertEquals(0, inbound.poll(listener, 10), "nobody rang");
        inbound.sweep(listener);
        assertEquals(1, inbound.poll(listener, 10));
    }

    @Test
    void bitsOfNobodyAreIgnored() {
        InboundRings inbound = open(10, true);
        for (int bit = 0; bit < 64; bit++) {
            doorbell.ring(bit);
        }
        assertEquals(0, inbound.poll(listener, 10));
        assertEquals(0, listener.failures.size());
    }

    @Test
    void moreRingsThanTheLimitOfOnePollAreAllFound() {
        InboundRings inbound = open(100, true);
        for (int slot = 0; slot < 100; slot++) {
            send(slot);
        }
        int polls = 0;
        while (listener.packets.size() < 100) {
            assertTrue(inbound.poll(listener, 7) <= 7);
            polls++;
            assertTrue(polls < 100, "only " + listener.packets.size() + " were found");
        }
        assertEquals(
                100,
                listener.packets.stream()
                        .map(RecordingListener.Packet::peer)
                        .distinct()
                        .count());
    }
}
