package org.sluice.hybrid.route;

/**
 * Takes back a send that no receive has matched: at once where the peer hasn't heard of it, else when the peer says so
 * (docs/adr/0052-sends-that-are-taken-back.md).
 *
 * <p><i>Thread</i>: under the progress lock; takes and leaves the send lock. <i>Proof</i>: {@code CancelledSendCases}, {@code HostilePacketsTest}.
 */
public final class Withdrawal {
    /** Where a send that is to be taken back is. */
    public enum Begun { WITHDRAWN, TO_BE_ASKED_FOR, TOO_LATE }

    private Withdrawal() {
    }

    public static Begun begin(Route route, SendOperation operation) {
        route.lock();
        try {
            return route.pending.withdraw(operation) ? Begun.WITHDRAWN
                    : route.started.withdraw(operation) ? Begun.TO_BE_ASKED_FOR : Begun.TOO_LATE;
        } finally {
            route.unlockChanged();
        }
    }

    /** RNDV_WITHDRAWN came. @return the operation, which the route knows no more, or null when the peer was not asked */
    public static SendOperation end(Route route, long sendId) {
        route.lock();
        try {
            return route.started.withdrawn(sendId);
        } finally {
            route.unlock();
        }
    }
}
