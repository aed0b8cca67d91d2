package org.sluice.ib.landing;

import java.util.ArrayList;
import org.sluice.device.counter.Counters;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.ib.adapter.GivingBack;
import org.sluice.ib.adapter.Resources;
import org.sluice.ib.connect.Connection;
import org.sluice.ib.connect.ConnectionState;
import org.sluice.ib.connect.Connections;
import org.sluice.ib.wire.PacketHeader;
import org.sluice.jni.Errno;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * This rank's landing rings: which peers have one, in which of them the next packet has come, and when none is written
 * to any more, so that the rank may sleep. docs/explanation/verbs.md draws it.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Owns</i>: the rings, until the queue pairs are gone. <i>Fails</i>: a
 * peer that says or writes what no Sluice does is cut off; a ring that can't be had is done without. <i>Proof</i>:
 * {@code LandingSleepRxeTest}, {@code HostileLandingRxeTest}.
 */
public final class Landings implements AutoCloseable {
    /**
     * Short packets that a peer sends between two sleeps of this rank before it gets a ring, or its ring back: news of
     * it then costs little.
     */
    static final int BUSY = 64;

    /** So long and so often a packet may lie in a ring before those that were sent before it have come. */
    private static final long ODD_NANOS = 1_000_000_000L;

    private static final int ODD_LOOKS = 100;

    /**
     * To stop the senders and to let them go on takes several hops: worth it for a rank that was sent nothing for much
     * longer than one.
     */
    private static final long PATIENCE_NANOS = 1_000_000L;

    private final Connections connections;
    private final boolean isOn;
    private final boolean isImmediate;
    private final LandingLayout layout;
    private final LandingPosts posts;
    /** By rank. */
    private final LandingPeer[] peers;

    private final RingHolders holders;
    /** Those that have a ring and are not over. */
    private final ArrayList<LandingPeer> withRing;
    /** Those that news or agreement is owed to. */
    private final ArrayList<LandingPeer> owing = new ArrayList<>();

    private int cursor;
    private int sleeps;
    /** Packets that were found in rings; how many when patience began, and when that was. */
    private int found;

    private int foundThen;
    private long quietSince;

    /** @param mostRings peers that may have one at a time */
    public Landings(
            VerbsCalls verbs,
            Resources resources,
            Connections connections,
            Options options,
            int ranks,
            Counters counters) {
        this.connections = connections;
        isOn = resources.landingRequests() > 0;
        isImmediate = options.text(Option.IB_EAGER).equals("write-imm");
        layout = new LandingLayout(resources.slotBytes());
        holders = new RingHolders(verbs, resources.domain(), layout, options.count(Option.IB_LANDING_PEERS));
        withRing = holders.peers();
        posts = isOn ? new LandingPosts(verbs, resources.domain(), ranks, counters) : null;
        peers = new LandingPeer[isOn ? ranks : 0];
    }

    /** False where all packets are sent, and where a completion tells of each that is written. */
    public boolean isPolled() {
        return isOn && !isImmediate;
    }

    /** A peer is known; nothing was sent to it yet. */
    public void add(Connection connection) {
        if (isOn) {
            LandingPeer peer = new LandingPeer(connection, layout, isImmediate);
            peers[connection.peer()] = peer;
            connection.sends().direct(peer.gate);
        }
    }

    /**
     * A peer whose next packet lies in its ring; null where there is none, and where completions tell.
     *
     * @param isLast no completion is left that a packet could wait for
     */
    public LandingPeer next(boolean isLast) {
        if (isPolled()) {
            for (int left = withRing.size(); left > 0; left--) {
                cursor = cursor + 1 < withRing.size() ? cursor + 1 : 0;
                LandingPeer peer = withRing.get(cursor);
                if (isNext(peer, isLast)) {
                    return peer;
                }
            }
        }
        return null;
    }

    /** This peer, where its next packet lies in its ring; else null. */
    public LandingPeer next(Connection connection) {
        LandingPeer peer = isOn ? peers[connection.peer()] : null;
        return peer != null && peer.ring() != null && isNext(peer, false) ? peer : null;
    }

    private boolean isNext(LandingPeer peer, boolean isLast) {
        Connection connection = peer.connection;
        int packetBytes = peer.ring().look();
        if (packetBytes == LandingRing.NOTHING
                || peer.isDropped
                || connection.isCorrupt()
                || connection.state() == ConnectionState.OVER) {
            return false;
        }
        if (!peer.ring().isRight(packetBytes)) {
            connections.fail(connection, true, "a packet of " + packetBytes + " bytes in its landing ring");
            return false;
        }
        if (peer.ring().sequence(packetBytes) == connection.expected()) {
            peer.oddLooks = 0;
            peer.found = packetBytes;
            holders.count(peer);
            found++;
            return true;
        }
        // What was sent before it is in the completion queue; or the mark came before the header
        // (docs/project/adr/0021), and
        // that comes too.
        if (!isLast) {
            return false;
        }
        if (peer.oddLooks++ == 0) {
            peer.oddSince = System.nanoTime();
        } else if (peer.oddLooks > ODD_LOOKS && System.nanoTime() - peer.oddSince > ODD_NANOS) {
            connections.fail(
                    connection,
                    true,
                    "packet " + Integer.toUnsignedString(peer.ring().sequence(packetBytes))
                            + " in its landing ring where " + Integer.toUnsignedString(connection.expected())
                            + " had to come");
        }
        return false;
    }

    /** A packet came in a receive slot that might have come in a ring: whoever sends many gets one. */
    public void onSent(Connection connection, int kind, int packetBytes) {
        if (!isOn || !layout.fits(packetBytes) || !isImmediate && PacketHeader.needsCompletion(kind)) {
            return;
        }
        LandingPeer peer = peers[connection.peer()];
        if (peer.countedSince != sleeps) {
            peer.countedSince = sleeps;
            peer.sent = 0;
        }
        holders.count(peer);
        if (peer.isOpen() || peer.isLeaving || ++peer.sent < BUSY) {
            return;
        }
        LandingPeer told = peer;
        if (peer.hasRing()) {
            peer.turn();
        } else {
            told = holders.claim(peer, System.nanoTime());
        }
        if (told != null) {
            owe(told);
        }
        if (told == peer) {
            peer.sent = 0;
        }
    }

    /**
     * A LANDING packet's body.
     *
     * @return what is wrong with it, or null
     */
    public String onNews(Connection connection, long at) {
        if (!isOn) {
            return "news of a landing ring, where sluice.ib.eager is send";
        }
        LandingPeer peer = peers[connection.peer()];
        String fault = peer.onNews(at);
        if (fault == null && peer.isLeaving && !holders.mayRetire(peer) && isImmediate && peer.holdsUntold()) {
            fault = "a packet in its landing ring that no completion tells of";
        }
        if (fault == null && (peer.owesNews || peer.owesAgreement())) {
            owe(peer);
        }
        return fault;
    }

    /**
     * What any packet says in {@code LANDED}.
     *
     * @return what is wrong with it, or null
     */
    public String onReleased(Connection connection, int count) {
        if (isOn ? peers[connection.peer()].gate.onReleased(count) : count == 0) {
            return null;
        }
        return "it has handed up " + Integer.toUnsignedString(count) + " packets in all of its landing ring, of "
                + (isOn ? peers[connection.peer()].gate.toString() : "no ring");
    }

    /** True when a peer should be told that its ring has room, and nothing goes there that would tell it. */
    public boolean owesRoom(Connection connection) {
        LandingPeer peer = isOn ? peers[connection.peer()] : null;
        return peer != null && peer.isOpen() && peer.ring().owesNews();
    }

    /** What a packet to this peer has to say in {@code LANDED}. */
    public int toTell(Connection connection) {
        return isOn ? peers[connection.peer()].gate.toTell() : 0;
    }

    private void owe(LandingPeer peer) {
        if (!owing.contains(peer)) {
            owing.add(peer);
        }
    }

    /** A LANDING packet has left. */
    public void onNewsPosted(Connection connection) {
        peers[connection.peer()].isNewsPosted = false;
    }

    /** Sends the news that is owed. */
    public void tell() {
        for (int i = owing.size() - 1; i >= 0; i--) {
            LandingPeer peer = owing.get(i);
            peer.agree();
            ConnectionState state = peer.connection.state();
            if (state == ConnectionState.READY && peer.owesNews && !peer.isNewsPosted) {
                peer.owesNews = false;
                int result = posts.post(peer);
                if (result < 0) {
                    connections.fail(peer.connection, false, Errno.describe("ibv_post_send", result));
                } else {
                    peer.isNewsPosted = true;
                }
            }
            if (state.isDead() || !peer.owesNews && !peer.owesAgreement()) {
                owing.remove(i);
            }
        }
    }

    /**
     * Asks all that write to rings to stop, as a plain write wakes nobody.
     *
     * @return true when all have agreed, and what they had written is there
     */
    public boolean prepareSleep() {
        if (!isPolled()) {
            return true;
        }
        if (mayBringMore()) {
            tell();
            return false;
        }
        boolean isQuiet = true;
        for (int i = 0; i < withRing.size(); i++) {
            LandingPeer peer = withRing.get(i);
            if (peer.connection.state() == ConnectionState.READY) {
                if (peer.isOpen()) {
                    peer.turn();
                    owe(peer);
                }
                isQuiet &= peer.isQuiet();
            }
        }
        tell();
        for (int i = 0; i < owing.size(); i++) {
            // Nobody wakes this rank when its sender has left the gate, and the peer would wait for that without
            // sleeping.
            isQuiet &= !owing.get(i).owesAgreement();
        }
        sleeps += isQuiet ? 1 : 0;
        return isQuiet;
    }

    /** A ring is open, and brought something a short while ago. */
    private boolean mayBringMore() {
        boolean isOpen = false;
        for (int i = 0; i < withRing.size() && !isOpen; i++) {
            isOpen = withRing.get(i).isOpen();
        }
        long now = System.nanoTime();
        if (found != foundThen) {
            foundThen = found;
            quietSince = now;
        }
        return isOpen && now - quietSince < PATIENCE_NANOS;
    }

    /**
     * Nothing more is taken from this peer. Its ring stays until its queue pair is gone; another peer may have one
     * instead.
     */
    public void drop(Connection connection) {
        if (isOn) {
            LandingPeer peer = peers[connection.peer()];
            peer.isDropped = true;
            holders.remove(peer);
            owing.remove(peer);
        }
    }

    /** After the last queue pair. */
    @Override
    public void close() {
        GivingBack back = new GivingBack();
        back.close(holders);
        back.close(posts);
        back.end();
    }

    @Override
    public String toString() {
        return isOn ? "Landings" + withRing : "no landing rings";
    }
}
