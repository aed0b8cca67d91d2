package org.sluice.hybrid.protocol;

import java.lang.invoke.VarHandle;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.Connecting;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.operation.PeerFailures;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.route.Route;

/**
 * The last that a device tells its peers: that it closes; or that it has failed, as they wait for what never comes, and
 * its program may go on without closing it.
 *
 * <p>What waited in the routes of a device that failed went with them, so the word goes past it, straight to the
 * channel. Where there is no room for it that could come without polling, which is over, the connection ends at once:
 * its peer hears that.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Fails</i>: where a channel throws once more, its peers learn it when
 * the device is closed. <i>Proof</i>: {@code FarewellTest}, {@code FailedDeviceCases}.
 */
final class Farewell {
    /** Body of a CLOSE that says more than that the device was closed. */
    static final int BYTES = Long.BYTES;
    /** Why: the device failed. */
    static final long DEVICE_FAILED = 1;
    /** Why: the rank's program ended and left the device open. */
    static final long ENDED_OPEN = 2;

    /** A peer that takes nothing for so long learns it when the device is closed. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final int self;
    private final Route[] routes;
    private final long[] body = new long[1];
    /** By rank, while this is going on. */
    private final boolean[] told;

    private int left;
    private long deadline;

    Farewell(int self, Route[] routes) {
        this.self = self;
        this.routes = routes;
        this.told = new boolean[routes.length];
    }

    /**
     * Sends the last packet to every peer that still listens.
     *
     * @return those that were left out, as it would be the first, and cost a connection
     */
    BitSet ofClose() {
        BitSet unmet = new BitSet();
        for (Route route : routes) {
            int peer = route.peer();
            if (peer != self && route.failure() == null && isUnmet(route)) {
                unmet.set(peer);
            } else if (peer != self) {
                sendClose(route);
            }
        }
        return unmet;
    }

    /**
     * Sends it to those too that have been met meanwhile.
     *
     * @param areTold whether they know it: else to all
     */
    void ofUnmet(BitSet unmet, boolean areTold) {
        for (int peer = unmet.nextSetBit(0); peer >= 0; peer = unmet.nextSetBit(peer + 1)) {
            Connecting connecting = routes[peer].abilities().connecting;
            if (!areTold || connecting == null || !connecting.leaveUnmet(peer)) {
                sendClose(routes[peer]);
            }
        }
    }

    private static boolean isUnmet(Route route) {
        Connecting connecting = route.abilities().connecting;
        return connecting != null && connecting.isUnmet(route.peer());
    }

    private static void sendClose(Route route) {
        route.sendControl(PacketKind.CLOSE, 0, 0, 0, 0);
    }

    /**
     * Tells those for whom there is room now.
     *
     * @return false where {@link #tell} has to go on
     */
    boolean begin(Throwable cause) {
        body[0] = cause instanceof EndedOpen ? ENDED_OPEN : DEVICE_FAILED;
        told[self] = true;
        left = routes.length - 1;
        deadline = System.nanoTime() + PATIENCE_NANOS;
        tell();
        return isOver();
    }

    /** Where the device is closed the channels are given back: whoever was not told by now learns it from that. */
    void onEnd(Failure failure) {
        if (failure.code() != ErrorCode.DEVICE_FAILED) {
            left = 0;
        }
    }

    boolean isOver() {
        return left == 0;
    }

    /**
     * Tells those for whom there is room now.
     *
     * @return how many
     */
    int tell() {
        int before = left;
        for (int peer = 0; left > 0 && peer < routes.length; peer++) {
            if (!told[peer] && tell(routes[peer])) {
                told[peer] = true;
                left--;
            }
        }
        int done = before - left;
        if (System.nanoTime() - deadline >= 0) {
            left = 0;
        }
        return done;
    }

    /** As {@link Exchange#undelivered}. */
    SluiceException undelivered(PeerFailures failures) {
        for (Route route : routes) {
            Connecting connecting = route.abilities().connecting;
            SluiceException undelivered =
                    connecting == null || failures.isKnown(route.peer()) ? null : connecting.undelivered(route.peer());
            if (undelivered != null) {
                return undelivered;
            }
        }
        return null;
    }

    private boolean tell(Route route) {
        Channel channel = route.channel();
        Connecting connecting = route.abilities().connecting;
        int peer = route.peer();
        try {
            int result;
            boolean mayWait;
            route.lock();
            try {
                // Asked before: what has changed by then has room for the next try.
                mayWait = connecting == null || connecting.makesRoomUnpolled(peer);
                result = channel.trySend(peer, PacketKind.CLOSE, 0, 0, body, Memory.arrayOffset(body), BYTES, null);
            } finally {
                route.unlock();
            }
            if (result == Channel.NO_RESOURCE) {
                if (mayWait) {
                    return false;
                }
                channel.disconnect(peer);
                return true;
            }
            // As strong as whatever the ranks have agreed on between a packet and the look at who sleeps.
            VarHandle.fullFence();
            channel.signal(peer);
        } catch (Throwable e) {
            // It may be what the device failed of; the first cause is told already.
            return true;
        }
        return true;
    }
}
