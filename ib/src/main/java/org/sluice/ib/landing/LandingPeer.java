package org.sluice.ib.landing;

import org.sluice.device.memory.Memory;
import org.sluice.ib.connect.Connection;
import org.sluice.ib.wire.LandingNews;

/**
 * What two ranks have agreed on about their landing rings: this rank's, which the peer writes to ({@link LandingRing}),
 * and the peer's, which this rank writes to ({@link LandingGate}). A phase says how often a ring was opened and closed:
 * it is even while the sender may write there, and odd from when it is asked to stop.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Owns</i>: its ring. <i>Fails</i>: what a peer says and can't mean is a
 * text. <i>Proof</i>: {@code LandingPeerTest}, {@code HostileLandingRxeTest}.
 */
public final class LandingPeer {
    /** A ring's first phase. */
    private static final int FIRST = 2;

    final Connection connection;
    final LandingGate gate;
    private final LandingLayout layout;

    /** This rank's ring, or null. */
    private LandingRing ring;

    private int phase;
    /** The last odd phase that the peer has agreed to. */
    private int agreed;
    /** Of the peer's ring: its phase, and the last odd one that this rank has agreed to. */
    private int peerPhase;

    private int peerAgreed;

    /** News that no packet carries yet, and whether one is on the way. */
    boolean owesNews;

    boolean isNewsPosted;
    /** Short packets that were sent since the sleep with this number. */
    int sent;

    int countedSince;
    /** Short packets that came either way, since the contest with this number. */
    private int recent;

    private int contest;
    /** Its ring goes to another peer, once it has agreed to write there no more. */
    boolean isLeaving;

    long leavingSince;
    /** Nothing is taken from its ring any more. */
    boolean isDropped;
    /** The length of the packet that was found last: read once, as whoever lies may still write there. */
    int found;
    /**
     * Looks at the ring, with no completion left, that found a packet out of its turn, one after the other, and when
     * that began.
     */
    int oddLooks;

    long oddSince;

    LandingPeer(Connection connection, LandingLayout layout, boolean isImmediate) {
        this.connection = connection;
        this.layout = layout;
        this.gate = new LandingGate(layout, isImmediate);
    }

    public Connection connection() {
        return connection;
    }

    /** This rank's ring; null where the peer has none. */
    public LandingRing ring() {
        return ring;
    }

    /** The length of the next packet, which lies in the ring and may have that. */
    public int found() {
        return found;
    }

    /** The peer may write to this from when it is told. */
    void grant(LandingRing newRing) {
        ring = newRing;
        phase = FIRST;
        gate.tellOf(newRing);
        owesNews = true;
    }

    /** One more short packet came. */
    void count(int inContest) {
        recent = recent(inContest) + 1;
        contest = inContest;
    }

    /** How many came in this contest. */
    int recent(int inContest) {
        return contest == inContest ? recent : 0;
    }

    /** True when its ring has memory to write to. */
    boolean hasRing() {
        return ring != null && ring.hasMemory();
    }

    /** True when nothing is in its ring, and nothing can come there. */
    boolean mayRetire() {
        return isQuiet() && ring.isEmpty();
    }

    /** True when all packets that a completion tells of have been taken, and no more can come, but there is one. */
    boolean holdsUntold() {
        return isQuiet() && ring.isReleased() && ring.look() != LandingRing.NOTHING;
    }

    boolean isOpen() {
        return ring != null && (phase & 1) == 0;
    }

    /** Has the peer write to the ring again, or ask it to stop. */
    void turn() {
        phase++;
        owesNews = true;
    }

    /** True when every packet that the peer may still write to the ring is there already. */
    boolean isQuiet() {
        return ring == null || agreed == phase;
    }

    /** Agrees to what the peer asked for, once no sender is in the middle of writing. */
    void agree() {
        if (owesAgreement() && gate.isIdle()) {
            peerAgreed = peerPhase;
            owesNews = true;
        }
    }

    boolean owesAgreement() {
        return (peerPhase & 1) != 0 && peerAgreed != peerPhase;
    }

    /** Writes a LANDING packet's body. */
    void writeNews(long at) {
        LandingNews.writeRing(
                at,
                ring == null ? 0 : ring.address(),
                ring == null ? 0 : ring.rkey(),
                ring == null ? 0 : LandingLayout.SLOTS,
                ring == null ? 0 : layout.slotBytes());
        LandingNews.writePhases(at, phase, peerAgreed);
    }

    /**
     * The peer said how it stands.
     *
     * @return what is wrong with that, or null
     */
    String onNews(long at) {
        String fault = ringFault(at);
        if (fault != null) {
            return fault;
        }
        int newAgreed = Memory.getInt(at + LandingNews.AGREED);
        if (newAgreed != agreed) {
            if ((newAgreed & 1) == 0 || newAgreed - agreed < 0 || phase - newAgreed < 0) {
                return "it agrees to phase " + newAgreed + " of a landing ring that is in phase " + phase;
            }
            agreed = newAgreed;
        }
        int newPhase = Memory.getInt(at + LandingNews.PHASE);
        if (newPhase != peerPhase) {
            if (peerAgreed == peerPhase) {
                // No sender is inside, and none may enter.
                gate.ring(Memory.getLong(at + LandingNews.ADDRESS), Memory.getInt(at + LandingNews.RKEY));
            }
            peerPhase = newPhase;
            gate.open((newPhase & 1) == 0);
            agree();
        }
        return null;
    }

    private String ringFault(long at) {
        int newPhase = Memory.getInt(at + LandingNews.PHASE);
        long address = Memory.getLong(at + LandingNews.ADDRESS);
        int rkey = Memory.getInt(at + LandingNews.RKEY);
        int slots = Memory.getInt(at + LandingNews.SLOTS);
        int slotBytes = Memory.getInt(at + LandingNews.SLOT_BYTES);
        if (Memory.getInt(at + LandingNews.RESERVED) != 0) {
            return "news of a landing ring with something in its reserved bytes";
        }
        if (newPhase == 0 && peerPhase == 0) {
            return address == 0 && rkey == 0 && slots == 0 && slotBytes == 0 ? null : "a landing ring without a phase";
        }
        if (newPhase - peerPhase < 0 || peerPhase == 0 && newPhase < FIRST) {
            return "phase " + newPhase + " of a landing ring that was in phase " + peerPhase;
        }
        if (slots != LandingLayout.SLOTS || slotBytes != layout.slotBytes()) {
            return "a landing ring of " + slots + " slots of " + slotBytes + " bytes, where " + LandingLayout.SLOTS
                    + " of " + layout.slotBytes() + " have to be";
        }
        if (address <= 0 || address % Long.BYTES != 0 || address > Long.MAX_VALUE - layout.ringBytes()) {
            return "a landing ring at 0x" + Long.toHexString(address);
        }
        // Whoever took a ring away may give another later, but only one that nobody writes to can be taken.
        return gate.isRing(address, rkey) || peerAgreed == peerPhase && newPhase != peerPhase
                ? null
                : "another landing ring than it named before";
    }

    @Override
    public String toString() {
        return "LandingPeer[ring in phase " + phase + ", agreed to " + agreed + "; peer's in phase " + peerPhase
                + ", agreed to " + peerAgreed + ", " + gate + "]";
    }
}
