package org.sluice.ib.landing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sluice.device.memory.Memory;
import org.sluice.ib.wire.PacketHeader;
import org.sluice.jni.verbs.VerbsLayout;

/**
 * A packet is found when all of it is there and not before, whatever is in it and whatever was there before; without a
 * device.
 */
final class LandingRingTest {
    private static final int SEND_SLOT = 1200;

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private final LandingLayout layout = new LandingLayout(SEND_SLOT);
    private final int most = layout.slotBytes() - LandingLayout.MARK_BYTES;
    private final ScriptedMemory adapter = new ScriptedMemory();
    private final LandingRing ring = new LandingRing(adapter.verbs(), 0, layout);
    private final LandingGate gate = new LandingGate(layout, false);
    private final long packet = Memory.allocate(SEND_SLOT);
    private int sequence;

    LandingRingTest() {
        gate.ring(ring.address(), ring.rkey());
        gate.open(true);
    }

    @AfterEach
    void free() {
        ring.close();
        adapter.free();
        Memory.free(packet);
    }

    /** Makes a packet whose body is this word, again and again, from any byte on. */
    private void write(int packetBytes, long word, int shift) {
        PacketHeader.write(packet, ++sequence, 1, 2, 3, packetBytes - PacketHeader.BYTES, 4);
        for (int i = PacketHeader.BYTES; i < packetBytes; i++) {
            Memory.putByte(packet + i, (byte) (word >>> 8 * ((i + shift) % Long.BYTES)));
        }
        assertTrue(gate.enter(packetBytes), "seed " + seed);
        adapter.fill(gate, packet, packetBytes);
        gate.leave(true);
    }

    private void takeAndCheck(int packetBytes) {
        assertEquals(packetBytes, ring.look(), "seed " + seed);
        assertTrue(ring.isRight(packetBytes));
        assertEquals(sequence, ring.sequence(packetBytes));
        long at = ring.address(packetBytes);
        assertEquals(0, at % Long.BYTES, "a word");
        for (int i = 0; i < packetBytes; i++) {
            assertEquals(Memory.getByte(packet + i), Memory.getByte(at + i), "byte " + i + ", seed " + seed);
        }
        ring.take();
        ring.release(0);
        assertTrue(gate.onReleased(ring.toTell()));
    }

    /**
     * All lengths, in all slots over several laps, with bodies that are the mark of this packet, of one a lap before or
     * behind, or of others.
     */
    @Test
    void everyLengthIsFoundWhenItsLastWordIsThereThoughItsBodyLooksLikeAMark() {
        int number = 0;
        for (int lap = 0; lap < 3; lap++) {
            for (int packetBytes = PacketHeader.BYTES; packetBytes <= most; packetBytes++) {
                number++;
                int claimed = number + (random.nextInt(5) - 2) * LandingLayout.SLOTS + random.nextInt(2);
                write(
                        packetBytes,
                        LandingLayout.mark(claimed, random.nextBoolean() ? packetBytes : most),
                        random.nextInt(Long.BYTES));
                assertEquals(LandingRing.NOTHING, ring.look(), "nothing has landed, seed " + seed);
                int bytes = adapter.bytes();
                assertEquals(0, bytes % Long.BYTES);
                assertEquals(0, adapter.destination() % Long.BYTES);
                assertEquals(
                        ring.address() + layout.markAt(number) + LandingLayout.MARK_BYTES,
                        adapter.destination() + bytes,
                        "ends with its slot");
                int landed = random.nextInt(bytes / Long.BYTES) * Long.BYTES;
                adapter.land(0, landed);
                assertEquals(
                        LandingRing.NOTHING, ring.look(), landed + " bytes of " + bytes + " have landed, seed " + seed);
                adapter.land(landed, bytes);
                takeAndCheck(packetBytes);
            }
        }
    }

    /**
     * A body that is as long as can be, of marks that wait for each of the slot's next laps: a short packet follows it
     * in the same slot.
     */
    @Test
    void whatAPacketLeavesIsNeverTheMarkOfOneThatFollows() {
        for (int number = 1; number <= 8 * LandingLayout.SLOTS; number++) {
            boolean isLong = (number - 1) / LandingLayout.SLOTS % 2 == 0;
            int packetBytes = isLong ? most : PacketHeader.BYTES + random.nextInt(3);
            write(packetBytes, LandingLayout.mark(number + LandingLayout.SLOTS, packetBytes), 0);
            assertEquals(LandingRing.NOTHING, ring.look());
            adapter.land(0, adapter.bytes());
            takeAndCheck(packetBytes);
        }
    }

    @Test
    void noStaleByteLeavesWithAPacket() {
        for (int i = 0; i < SEND_SLOT; i++) {
            Memory.putByte(packet + i, (byte) 0x55);
        }
        write(PacketHeader.BYTES + 3, 0x7777777777777777L, 0);
        adapter.land(0, adapter.bytes());
        long at = ring.address(PacketHeader.BYTES + 3) + PacketHeader.BYTES;
        assertEquals(0x777777L, Memory.getLong(at));
    }

    @Test
    void whatOnlyTheAdapterOfAWriteWithImmediateSays() {
        LandingGate immediate = new LandingGate(layout, true);
        assertTrue(immediate.needsCredit() && !gate.needsCredit());
        adapter.fill(immediate, packet, PacketHeader.BYTES);
        assertEquals(VerbsLayout.OPCODE_RDMA_WRITE_WITH_IMM, adapter.opcode());
        assertEquals(1, adapter.immediate());
        write(PacketHeader.BYTES, 0, 0);
        assertEquals(VerbsLayout.OPCODE_RDMA_WRITE, adapter.opcode());
    }

    /**
     * A number waits for its own lap alone, over the end of the numbers too; the zeros that a ring begins with are
     * nobody's mark.
     */
    @Test
    void numbersAreOfOneLap() {
        for (int number :
                new int[] {1, 2, LandingLayout.SLOTS, Integer.MAX_VALUE, Integer.MIN_VALUE, -1, 0, -LandingLayout.SLOTS
                }) {
            assertEquals(layout.markAt(number), layout.markAt(number + LandingLayout.SLOTS));
            assertFalse(LandingLayout.number(LandingLayout.mark(number - LandingLayout.SLOTS, most)) == number);
            assertEquals(number, LandingLayout.number(LandingLayout.mark(number, most)));
            assertEquals(most, LandingLayout.packetBytes(LandingLayout.mark(number, most)));
            assertEquals(-1, LandingLayout.packetBytes(LandingLayout.mark(number, -1)));
        }
        for (int number = 1; number < LandingLayout.SLOTS; number++) {
            assertEquals(layout.markAt(number) + layout.slotBytes(), layout.markAt(number + 1));
        }
        assertEquals(layout.ringBytes(), layout.markAt(LandingLayout.SLOTS) + LandingLayout.MARK_BYTES);
    }

    @Test
    void aLengthThatNoPacketHasIsNotRight() {
        for (int length : new int[] {
            -1, Integer.MIN_VALUE, 1, PacketHeader.BYTES - 1, most + 1, layout.slotBytes(), Integer.MAX_VALUE
        }) {
            Memory.putLong(ring.address() + layout.markAt(1), LandingLayout.mark(1, length));
            assertEquals(length, ring.look());
            assertFalse(ring.isRight(length), "length " + length);
        }
        assertTrue(ring.isRight(PacketHeader.BYTES) && ring.isRight(most));
    }

    /**
     * A packet, with all that goes with it, has room in the send slot that it is written from, wherever a bundle of one
     * begins there.
     */
    @Test
    void whatIsWrittenFitsIntoSendSlots() {
        for (int body = 256; body < 4096; body += 64) {
            int sendSlot = PacketHeader.BYTES + body;
            LandingLayout each = new LandingLayout(sendSlot);
            int longest = each.slotBytes() - LandingLayout.MARK_BYTES;
            assertTrue(each.fits(longest) && !each.fits(longest + 1));
            assertTrue(
                    org.sluice.ib.wire.Bundle.ENVELOPE_BYTES + LandingLayout.span(longest) + LandingLayout.MARK_BYTES
                            <= sendSlot,
                    "slots of " + sendSlot);
            assertTrue(each.slotBytes() >= 192 && each.slotBytes() % 64 == 0);
        }
    }

    @Test
    void roomIsToldWhenHalfOfItIsUsedAndNobodySaidSo() {
        for (int i = 1; i <= LandingLayout.SLOTS / 2; i++) {
            assertFalse(ring.owesNews());
            ring.take();
            ring.release(0);
        }
        assertTrue(ring.owesNews());
        assertEquals(LandingLayout.SLOTS / 2, ring.toTell());
        assertFalse(ring.owesNews());
    }
}
