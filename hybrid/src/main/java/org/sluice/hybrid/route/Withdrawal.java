package org.sluice.hybrid.route;

import org.sluice.device.channel.PacketKind;

/**
 * Takes back a send that no receive has matched: at once where the peer hasn't heard of it, else when the peer says so
 * (docs/project/adr/0052-sends-that-are-taken-back.md).
 *
 * <p><i>Thread</i>: under the progress lock; takes and leaves the send lock. <i>Proof</i>: {@code CancelledSendCases},
 * {@code HostilePacketsTest}.
 */
public final class Withdrawal {
    /**
     * What became of a send that is to be taken back: the peer is asked for it by what has gone (ASKED_FOR) or what
     * waits for room (TO_BE_ASKED_FOR).
     */
    public enum Begun {
        WITHDRAWN,
        ASKED_FOR,
        TO_BE_ASKED_FOR,
        TOO_LATE
    }

    private Withdrawal() {}

    public static Begun begin(Route route, SendOperation operation) {
        Begun begun;
        route.lock();
        try {
            begun = route.pending.withdraw(operation)
                    ? Begun.WITHDRAWN
                    : route.started.withdraw(operation) ? ask(route, operation) : Begun.TOO_LATE;
        } finally {
            route.unlockChanged();
        }
        if (begun == Begun.ASKED_FOR) {
            route.signal();
        }
        return begun;
    }

    /** Under the send lock, under which the peer's failure would have taken the operation away. */
    private static Begun ask(Route route, SendOperation operation) {
        if (route.pending.control(true, PacketKind.RNDV_CANCEL, operation.id, 0, 0, 0, 0, Long.BYTES)) {
            return Begun.ASKED_FOR;
        }
        route.markWork();
        return Begun.TO_BE_ASKED_FOR;
    }

    /**
     * RNDV_WITHDRAWN came.
     *
     * @return the operation, which the route knows no more, or null when the peer was not asked
     */
    public static SendOperation end(Route route, long sendId) {
        route.lock();
        try {
            return route.started.withdrawn(sendId);
        } finally {
            route.unlock();
        }
    }
}
