package org.sluice.mpi;

import java.util.Arrays;
import java.util.BitSet;
import org.sluice.device.ErrorCode;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;
import org.sluice.device.layer.Layer;
import org.sluice.mpi.schedule.Ranks;

/**
 * What the members that live agree on, although others die meanwhile: the bitwise and of what each of them gives.
 *
 * <p>Rounds in which each tells all what it has heard so far. Who has heard the same ranks in two rounds running has
 * missed nothing that anybody else has: whatever a rank told before it died, those have passed on who outlived it. So
 * it tells the others the result, and is done; they are, too, when they hear it.
 *
 * <p><i>Thread</i>: one. <i>Fails</i>: as the device's calls, except for members that are gone.
 */
final class Agreement {
    private static final long GOES_ON = 0;
    private static final long DECIDED = 1;

    private final Layer layer;
    private final Ranks ranks;
    private final int rank;
    private final int context;
    /** Tells this agreement from those before and after it. */
    private final int tag;

    /** Whether it is decided, then the words. */
    private final long[] own;

    private final long[][] heard;
    private final BitSet gone = new BitSet();

    Agreement(Layer layer, Ranks ranks, int rank, int context, int tag, long[] words) {
        this.layer = layer;
        this.ranks = ranks;
        this.rank = rank;
        this.context = context;
        this.tag = tag;
        this.own = new long[1 + words.length];
        System.arraycopy(words, 0, own, 1, words.length);
        this.heard = new long[ranks.size()][own.length];
    }

    /** @return what all that live have agreed on */
    long[] run() {
        BitSet before = null;
        while (own[0] == GOES_ON) {
            BitSet now = round();
            own[0] = own[0] == GOES_ON && now.equals(before) ? DECIDED : own[0];
            before = now;
        }
        tell();
        forgetEarlier();
        return Arrays.copyOfRange(own, 1, own.length);
    }

    /** @return who was heard in it */
    private BitSet round() {
        Request[] receives = new Request[ranks.size()];
        for (int peer = 0; peer < receives.length; peer++) {
            if (isThere(peer)) {
                receives[peer] = layer.irecv(heard[peer], 0, own.length, ranks.inDevice(peer), tag, context, null);
            }
        }
        tell();
        BitSet now = new BitSet();
        for (int peer = 0; peer < receives.length; peer++) {
            if (receives[peer] != null && isHeard(receives[peer])) {
                now.set(peer);
                merge(heard[peer]);
            } else if (peer != rank) {
                gone.set(peer);
            }
        }
        return now;
    }

    private boolean isThere(int peer) {
        return peer != rank && !gone.get(peer);
    }

    /** A short message goes whether its receiver takes it or not; one that is gone is found by what it doesn't send. */
    private void tell() {
        Request[] sends = new Request[ranks.size()];
        for (int peer = 0; peer < sends.length; peer++) {
            if (isThere(peer)) {
                sends[peer] = layer.isend(own.clone(), 0, own.length, ranks.inDevice(peer), tag, context);
            }
        }
        for (Request send : sends) {
            if (send != null) {
                isHeard(send);
            }
        }
    }

    private static boolean isHeard(Request request) {
        try {
            request.waitFor();
            return true;
        } catch (SluiceException e) {
            if (isOfPeer(e.code())) {
                return false;
            }
            throw e;
        }
    }

    static boolean isOfPeer(ErrorCode code) {
        return code == ErrorCode.PEER_DEAD || code == ErrorCode.PEER_CLOSED || code == ErrorCode.PEER_CORRUPT;
    }

    private void merge(long[] others) {
        own[0] |= others[0];
        for (int i = 1; i < own.length; i++) {
            own[i] &= others[i];
        }
    }

    /** Results of the agreement before this one, told by those who decided when this rank did. */
    private void forgetEarlier() {
        for (int peer = 0; peer < ranks.size(); peer++) {
            if (isThere(peer)) {
                forget(ranks.inDevice(peer));
            }
        }
    }

    private void forget(int peer) {
        try {
            for (int earlier = Math.max(0, tag - 1); layer.iprobe(peer, earlier, context) != null; ) {
                layer.recv(heard[rank], 0, own.length, peer, earlier, context, new Status());
            }
        } catch (SluiceException e) {
            if (e.code() != ErrorCode.TRUNCATED && !isOfPeer(e.code())) {
                throw e;
            }
        }
    }
}
