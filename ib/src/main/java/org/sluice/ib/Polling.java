package org.sluice.ib;

import org.sluice.device.channel.ChannelListener;
import org.sluice.ib.adapter.Resources;
import org.sluice.ib.connect.Connections;
import org.sluice.ib.sleep.EventWatch;
import org.sluice.jni.Errno;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * What one poll does, in this order: events that were told of, what failed, completions and packets, receive slots,
 * credit, deaths.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Fails</i>: what concerns all peers ends the device, so it is thrown.
 * <i>Proof</i>: {@code IbChannelRxeTest}, {@code SleepRxeTest}.
 */
final class Polling {
    private final VerbsCalls verbs;
    private final Resources resources;
    private final Connections connections;
    private final RemoteMemory remote;
    private final Arrivals arrivals;
    private final EventWatch watch;
    private final Traffic traffic;
    /** What {@link #arm} could not do, for the poll that follows it. */
    private int armFailure;
    /** The last poll threw, so whoever polls was told. */
    private boolean hasThrown;

    Polling(VerbsCalls verbs, Parts parts, RemoteMemory remote, EventWatch watch, Traffic traffic) {
        this.verbs = verbs;
        this.resources = parts.resources;
        this.connections = parts.connections;
        this.remote = remote;
        this.arrivals = parts.arrivals;
        this.watch = watch;
        this.traffic = traffic;
    }

    int poll(ChannelListener listener, int limit) {
        hasThrown = true;
        traffic.polled();
        check("ibv_req_notify_cq", armFailure);
        int events = watch.pending();
        if (events != 0) {
            takeEvents(events);
        }
        connections.collect();
        int taken = arrivals.take(listener, limit);
        resources.receiveSlots().post();
        arrivals.sendCredits();
        if (!connections.dead().isEmpty()
                && arrivals.isNothingOwed(taken, connections.dead().size())) {
            DeathNotices.give(connections, remote, listener);
        }
        hasThrown = false;
        int handedUp = taken >= 0 ? taken : -1 - taken;
        if (handedUp != 0) {
            traffic.note(handedUp, arrivals.takeBytes());
        }
        return handedUp;
    }

    boolean hasThrown() {
        return hasThrown;
    }

    private static void check(String call, int result) {
        if (result < 0) {
            throw new IllegalStateException(Errno.describe(call, result));
        }
    }

    private void takeEvents(int events) {
        if ((events & EventWatch.BROKEN) != 0) {
            watch.tell();
        }
        if ((events & EventWatch.COMPLETION) != 0) {
            check("ibv_get_cq_event", verbs.drainCompletionEvents(resources.completionChannel()));
        }
        watch.taken(events);
    }

    void arm() {
        watch.dropMark(resources.completionChannel());
        armFailure = verbs.requestNotify(resources.completionQueue());
    }
}
