package org.sluice.ib.landing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sluice.device.memory.Memory;
import org.sluice.ib.wire.LandingNews;
import org.sluice.ib.wire.PacketHeader;

/** What two ends say of their rings, and what no end says. */
final class LandingPeerTest {
    private static final long RING = 1L << 40;
    private static final int KEY = -7;

    private final LandingLayout layout = new LandingLayout(1200);
    private final ScriptedMemory adapter = new ScriptedMemory();
    private final LandingRing ring = new LandingRing(adapter.verbs(), 0, layout);
    private final LandingPeer one = new LandingPeer(null, layout, false);
    private final LandingPeer other = new LandingPeer(null, layout, false);
    private final long news = Memory.allocate(LandingNews.BYTES);

    @AfterEach
    void free() {
        ring.close();
        adapter.free();
        Memory.free(news);
    }

    private void tell(LandingPeer from, LandingPeer to) {
        assertTrue(from.owesNews);
        from.owesNews = false;
        from.writeNews(news);
        assertNull(to.onNews(news));
    }

    @Test
    void aRingIsGrantedClosedAgreedAndOpenedAgain() {
        assertTrue(one.isQuiet(), "nobody writes");
        one.grant(ring);
        assertTrue(one.isOpen() && !one.isQuiet());
        tell(one, other);
        assertTrue(other.gate.mayEnter(PacketHeader.BYTES));
        assertFalse(other.owesNews, "an open ring needs no answer");
        for (int i = 0; i < 3; i++) {
            one.turn();
            assertFalse(one.isOpen() || one.isQuiet(), "it has only asked");
            assertTrue(other.gate.enter(PacketHeader.BYTES));
            tell(one, other);
            assertFalse(other.owesNews, "a sender is at it");
            assertTrue(other.owesAgreement());
            other.gate.leave(false);
            other.agree();
            assertFalse(other.owesAgreement());
            tell(other, one);
            assertTrue(one.isQuiet());
            assertFalse(other.gate.mayEnter(PacketHeader.BYTES));
            one.turn();
            assertFalse(one.isQuiet());
            tell(one, other);
            assertTrue(other.gate.mayEnter(PacketHeader.BYTES));
        }
    }

    /** Opened and closed again before the peer has agreed to the first: that agreement is an old one. */
    @Test
    void anOldAgreementIsNone() {
        one.grant(ring);
        tell(one, other);
        one.turn();
        tell(one, other);
        one.turn();
        one.turn();
        tell(other, one);
        assertFalse(one.isQuiet());
        tell(one, other);
        tell(other, one);
        assertTrue(one.isQuiet());
    }

    /** Where completions tell of each write, what nobody told of is a lie: it would stay for ever. */
    @Test
    void whatIsInARingThatNobodyWritesToIsSeen() {
        one.grant(ring);
        tell(one, other);
        one.turn();
        tell(one, other);
        long packet = Memory.allocate(LandingLayout.SLOTS);
        Memory.setZero(packet, LandingLayout.SLOTS);
        adapter.fill(other.gate, packet, PacketHeader.BYTES);
        adapter.land(0, adapter.bytes());
        assertFalse(one.holdsUntold(), "it may be told of yet");
        tell(other, one);
        assertTrue(one.holdsUntold());
        assertFalse(one.mayRetire());
        ring.take();
        assertFalse(one.holdsUntold(), "it is being handed up");
        ring.release(1);
        assertTrue(one.mayRetire());
        Memory.free(packet);
    }

    private String say(long address, int slots, int slotBytes, int phase, int agreed) {
        LandingNews.writeRing(news, address, address == 0 ? 0 : KEY, slots, slotBytes);
        LandingNews.writePhases(news, phase, agreed);
        return one.onNews(news);
    }

    private void refused(String reason, long address, int slots, int slotBytes, int phase, int agreed) {
        String fault = say(address, slots, slotBytes, phase, agreed);
        assertNotNull(fault, reason);
        assertTrue(fault.contains(reason), fault);
        assertFalse(one.gate.mayEnter(PacketHeader.BYTES));
    }

    @Test
    void whatNoPeerSays() {
        int slots = LandingLayout.SLOTS;
        int bytes = layout.slotBytes();
        refused("landing ring of 63 slots", RING, slots - 1, bytes, 2, 0);
        refused("landing ring of 0 slots", RING, 0, bytes, 2, 0);
        refused("slots of -1 bytes", RING, slots, -1, 2, 0);
        refused("slots of " + (bytes + 64), RING, slots, bytes + 64, 2, 0);
        refused("landing ring at 0x0", 0, slots, bytes, 2, 0);
        refused("landing ring at 0xfffffffffffffff8", -8, slots, bytes, 2, 0);
        refused("landing ring at 0x10000000004", RING + 4, slots, bytes, 2, 0);
        refused("landing ring at 0x7f", Long.MAX_VALUE - 7, slots, bytes, 2, 0);
        refused("without a phase", RING, slots, bytes, 0, 0);
        refused("phase 1 of", RING, slots, bytes, 1, 0);
        refused("phase -2 of", RING, slots, bytes, -2, 0);
        refused("agrees to phase 3", RING, slots, bytes, 2, 3);
        LandingNews.writePhases(news, 2, 0);
        Memory.putInt(news + LandingNews.RESERVED, 1);
        assertNotNull(one.onNews(news));
        assertFalse(one.gate.mayEnter(PacketHeader.BYTES));

        assertNull(say(RING, slots, bytes, 2, 0));
        assertTrue(one.gate.mayEnter(PacketHeader.BYTES));
        assertTrue(one.gate.enter(PacketHeader.BYTES));
        assertNull(say(RING, slots, bytes, 3, 0));
        refused("another landing ring", RING + 4096, slots, bytes, 4, 0);
        one.gate.leave(false);
        one.agree();
        refused("another landing ring", RING + 4096, slots, bytes, 3, 0);
        refused("phase 2 of", RING, slots, bytes, 2, 0);
        refused("0 slots", 0, 0, 0, 4, 0);
    }

    /** What one end has taken back, once the other agreed, it may give again, somewhere else; counts go on. */
    @Test
    void aRingThatWasTakenBackIsGivenElsewhere() {
        one.grant(ring);
        tell(one, other);
        int key = ring.rkey();
        one.turn();
        assertFalse(one.mayRetire(), "it was not even asked");
        tell(one, other);
        tell(other, one);
        assertTrue(one.mayRetire());
        ring.close();
        assertFalse(one.hasRing());
        assertEquals(LandingRing.NOTHING, ring.look());
        one.owesNews = true;
        tell(one, other);
        assertFalse(other.gate.mayEnter(PacketHeader.BYTES));
        ring.renew(adapter.verbs(), 0);
        assertTrue(ring.rkey() != key);
        // Opened and closed before the other hears of it.
        one.turn();
        one.turn();
        tell(one, other);
        assertFalse(one.mayRetire(), "it may have begun to write");
        tell(other, one);
        one.turn();
        tell(one, other);
        assertTrue(other.gate.mayEnter(PacketHeader.BYTES) && other.gate.isRing(ring.address(), ring.rkey()));
    }

    @Test
    void agreementsThatNobodyGives() {
        one.grant(ring);
        one.turn();
        one.turn();
        one.turn();
        // Phase 5.
        assertNotNull(say(0, 0, 0, 0, 6));
        assertNotNull(say(0, 0, 0, 0, 7));
        assertNotNull(say(0, 0, 0, 0, 4));
        assertNull(say(0, 0, 0, 0, 3));
        assertFalse(one.isQuiet());
        assertNull(say(0, 0, 0, 0, 5));
        assertTrue(one.isQuiet());
        assertNotNull(say(0, 0, 0, 0, 3), "less than before");
        assertTrue(one.isQuiet());
    }
}
