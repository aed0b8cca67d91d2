package org.sluice.ib.landing;

import java.util.ArrayList;
import java.util.List;
import org.sluice.device.SluiceException;
import org.sluice.ib.adapter.GivingBack;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * Which peers have one of this rank's landing rings, of which there are but so many: the busiest (ADR 0021).
 *
 * <p><i>Thread</i>: under the progress lock. <i>Owns</i>: the rings' memory, until the queue pairs that can write there
 * are gone or their peers have agreed to write no more. <i>Fails</i>: not itself; a ring that can't be had is done
 * without for a while, one that the adapter keeps for good, which {@link #close} tells. <i>Proof</i>:
 * {@code RingHoldersTest}, {@code BusiestPeersTest}.
 */
final class RingHolders implements AutoCloseable {
    /**
     * So long no ring is tried for after one could not be had, and no second one taken back while a peer hasn't agreed
     * to give up its own.
     */
    static final long AGAIN_NANOS = 1_000_000_000L;

    private final VerbsCalls verbs;
    private final long domain;
    private final LandingLayout layout;
    /** Those that have a ring and are not over. */
    private final ArrayList<LandingPeer> peers = new ArrayList<>();

    private final List<LandingRing> all = new ArrayList<>();
    private final GivingBack back = new GivingBack();
    /**
     * Rings at a time: fewer for a while where one could not be had, and for good where one could not be given back.
     */
    private int wanted;

    private int most;
    private long refusedAt;
    /** How often a peer without a ring was compared with those that have one. */
    private int contests;

    /** @param most peers that may have one at a time */
    RingHolders(VerbsCalls verbs, long domain, LandingLayout layout, int most) {
        this.verbs = verbs;
        this.domain = domain;
        this.layout = layout;
        this.wanted = most;
        this.most = most;
    }

    /** Those that have a ring; whoever looks changes nothing. */
    ArrayList<LandingPeer> peers() {
        return peers;
    }

    /** A short packet came from this peer, in its ring or where it might have come in one. */
    void count(LandingPeer peer) {
        peer.count(contests);
    }

    /**
     * A peer without a ring is busy: it gets one, if one is free. Where all are taken, one that brings at most half as
     * much is taken back: its peer is asked to stop first, where it writes there, so that it is free a little later.
     * One at a time, and never to and fro between two that are about as busy. Peers that don't agree keep theirs, half
     * of all at most: the rest go on changing hands.
     *
     * @param now in ns
     * @return that peer, where it has one now; another, which has to be told that it is to stop; or null: nobody has
     *     news
     */
    LandingPeer claim(LandingPeer peer, long now) {
        if (most < wanted && now - refusedAt > AGAIN_NANOS) {
            most = wanted;
        }
        if (peers.size() < most) {
            return grant(peer, now);
        }
        int sent = peer.recent(contests);
        if (sent < Landings.BUSY) {
            return null;
        }
        LandingPeer quietest = null;
        int leaving = 0;
        for (int i = 0; i < peers.size(); i++) {
            LandingPeer each = peers.get(i);
            if (each.isLeaving) {
                if (mayRetire(each)) {
                    return grant(peer, now);
                }
                if (now - each.leavingSince < AGAIN_NANOS) {
                    return null;
                }
                leaving++;
            } else if (quietest == null || each.recent(contests) < quietest.recent(contests)) {
                quietest = each;
            }
        }
        boolean isBusier =
                quietest != null && quietest.recent(contests) <= sent / 2 && (leaving == 0 || 2 * leaving < most);
        contests++;
        return isBusier ? leave(quietest, now, peer) : null;
    }

    private LandingPeer leave(LandingPeer quietest, long now, LandingPeer next) {
        quietest.isLeaving = true;
        quietest.leavingSince = now;
        if (mayRetire(quietest)) {
            return grant(next, now);
        }
        if (!quietest.isOpen()) {
            return null;
        }
        quietest.turn();
        return quietest;
    }

    /**
     * Of one that is leaving: takes its ring back, where nothing is in it and nothing can come there.
     *
     * @return whether others may have one instead
     */
    boolean mayRetire(LandingPeer peer) {
        if (!peer.mayRetire()) {
            return false;
        }
        remove(peer);
        try {
            peer.ring().close();
        } catch (RuntimeException e) {
            back.failed(e);
            wanted--;
            most = Math.min(most, wanted);
            return false;
        }
        return true;
    }

    private LandingPeer grant(LandingPeer peer, long now) {
        if (peers.size() >= most) {
            return null;
        }
        try {
            if (peer.ring() == null) {
                peer.grant(new LandingRing(verbs, domain, layout));
                all.add(peer.ring());
            } else {
                peer.ring().renew(verbs, domain);
                peer.turn();
            }
        } catch (SluiceException | OutOfMemoryError e) {
            // Not enough memory, or not enough that may be locked: what there is has to do for a while.
            most = peers.size();
            refusedAt = now;
            return null;
        }
        peers.add(peer);
        return peer;
    }

    /** Its ring stays until its queue pair is gone, but another peer may have one instead. */
    void remove(LandingPeer peer) {
        peer.isLeaving = false;
        peers.remove(peer);
    }

    /** After the last queue pair. */
    @Override
    public void close() {
        for (LandingRing ring : all) {
            back.close(ring);
        }
        back.end();
    }
}
