package org.sluice.ib.landing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sluice.device.memory.Memory;
import org.sluice.ib.wire.LandingNews;
import org.sluice.jni.Errno;

/** Which peers have a ring, where some are busy, some quiet and some don't answer; without a device. */
final class RingHoldersTest {
    private static final long LATER = RingHolders.AGAIN_NANOS + 1;

    private final LandingLayout layout = new LandingLayout(1200);
    private final ScriptedMemory adapter = new ScriptedMemory();
    private final long news = Memory.allocate(LandingNews.BYTES);
    /** This rank's view of its peers, and each peer's of this rank. */
    private final List<LandingPeer> peers = new ArrayList<>();

    private final List<LandingPeer> others = new ArrayList<>();
    private RingHolders holders;
    private long now = -1;

    private void open(int most, int count) {
        holders = new RingHolders(adapter.verbs(), 0, layout, most);
        for (int i = 0; i < count; i++) {
            peers.add(new LandingPeer(null, layout, false));
            others.add(new LandingPeer(null, layout, false));
        }
    }

    @AfterEach
    void free() {
        adapter.refusedBack = 0;
        holders.close();
        adapter.free();
        Memory.free(news);
    }

    private void busy(int peer, int packets) {
        for (int i = 0; i < packets; i++) {
            holders.count(peers.get(peer));
        }
    }

    /** It sends so much more, and asks for a ring. */
    private LandingPeer claim(int peer, int packets) {
        busy(peer, packets);
        return holders.claim(peers.get(peer), now);
    }

    private void has(int... which) {
        List<LandingPeer> expected = new ArrayList<>();
        for (int each : which) {
            expected.add(peers.get(each));
        }
        assertEquals(expected, holders.peers());
    }

    /** News goes there, and the answer comes back. */
    private void exchangeNews(int peer) {
        LandingPeer own = peers.get(peer);
        LandingPeer other = others.get(peer);
        own.writeNews(news);
        assertNull(other.onNews(news));
        other.writeNews(news);
        assertNull(own.onNews(news));
    }

    private void fill(int count) {
        for (int i = 0; i < count; i++) {
            assertSame(peers.get(i), claim(i, Landings.BUSY));
            exchangeNews(i);
        }
    }

    @Test
    void aRingGoesToOneThatIsTwiceAsBusyOnceItsPeerHasAgreed() {
        open(1, 2);
        fill(1);
        assertNull(claim(1, Landings.BUSY - 1), "not busy enough to be compared");
        assertNull(claim(1, 1), "as busy as the other");
        assertNull(claim(1, 1), "the next contest has just begun");
        busy(0, 31);
        LandingPeer asked = claim(1, Landings.BUSY - 1);
        assertSame(peers.get(0), asked);
        assertFalse(asked.isOpen());
        assertNull(claim(1, Landings.BUSY), "asked, and no more");
        assertFalse(holders.mayRetire(asked), "it may still write");
        exchangeNews(0);
        assertTrue(holders.mayRetire(asked));
        has();
        assertSame(peers.get(1), claim(1, 0));
        has(1);
    }

    @Test
    void whoDoesNotAgreeKeepsItsRingAndTheOthersChange() {
        open(4, 8);
        fill(4);
        busy(1, 4);
        busy(2, 2);
        busy(3, 3);
        assertSame(peers.get(0), claim(4, 2 * Landings.BUSY), "the quietest");
        busy(1, 9);
        busy(3, 9);
        assertNull(claim(4, 2 * Landings.BUSY), "one at a time, for a while");
        now += LATER;
        LandingPeer second = claim(4, 1);
        assertSame(peers.get(2), second);
        exchangeNews(2);
        assertTrue(holders.mayRetire(second));
        assertSame(peers.get(4), claim(4, 0));
        has(0, 1, 3, 4);
        exchangeNews(4);
        // The next doesn't agree either.
        assertSame(peers.get(1), claim(5, 2 * Landings.BUSY));
        now += LATER;
        assertNull(claim(5, 2 * Landings.BUSY), "half of them don't answer, so the rest stay");
        // One does, late: nobody had to be asked again.
        exchangeNews(0);
        assertSame(peers.get(5), claim(5, Landings.BUSY));
        has(1, 3, 4, 5);
    }

    @Test
    void aRingThatNobodyWritesToChangesHandsAtOnce() {
        open(1, 2);
        fill(1);
        peers.get(0).turn();
        exchangeNews(0);
        assertSame(peers.get(1), claim(1, 2 * Landings.BUSY));
        has(1);
        assertFalse(peers.get(0).isLeaving);
    }

    @Test
    void whereMemoryIsShortThatIsAskedForAgainAfterAWhile() {
        open(3, 3);
        fill(1);
        adapter.refusal = Errno.ENOMEM;
        assertNull(claim(1, Landings.BUSY));
        int asked = adapter.asked;
        for (int i = 0; i < 10; i++) {
            busy(0, Landings.BUSY);
            assertNull(claim(1, Landings.BUSY));
        }
        assertEquals(asked, adapter.asked, "not with every packet");
        adapter.refusal = 0;
        now += LATER;
        assertSame(peers.get(1), claim(1, 1));
        assertSame(peers.get(2), claim(2, Landings.BUSY));
        has(0, 1, 2);
    }

    @Test
    void oneThatTheAdapterKeepsIsOneLess() {
        open(2, 4);
        fill(2);
        busy(1, Landings.BUSY);
        LandingPeer quiet = claim(2, 2 * Landings.BUSY);
        assertSame(peers.get(0), quiet);
        exchangeNews(0);
        adapter.refusedBack = Errno.EBUSY;
        assertFalse(holders.mayRetire(quiet));
        adapter.refusedBack = 0;
        has(1);
        now += LATER;
        busy(1, Landings.BUSY);
        assertNull(claim(2, Landings.BUSY), "there is one ring for all, and its peer is as busy");
        assertEquals(2, adapter.asked);
        assertTrue(assertThrows(IllegalStateException.class, holders::close)
                .getMessage()
                .contains("EBUSY"));
        holders = new RingHolders(adapter.verbs(), 0, layout, 1);
    }

    @Test
    void whoIsOverLeavesItsPlace() {
        open(1, 2);
        fill(1);
        holders.remove(peers.get(0));
        assertSame(peers.get(1), claim(1, Landings.BUSY));
        has(1);
    }
}
