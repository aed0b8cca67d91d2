package org.sluice.hybrid.route;

import org.sluice.hybrid.request.Envelope;
import org.sluice.hybrid.request.InFlight;

/**
 * Looks at what is on the way to a peer, and changes nothing. <i>Thread</i>: under the progress lock; takes and leaves
 * the send lock. <i>Proof</i>: {@code InspectionTest}.
 */
public final class RouteInspection {
    private final Route route;

    RouteInspection(Route route) {
        this.route = route;
    }

    /** Messages that are not over, but for those that this rank writes into the peer's memory. */
    public int sends() {
        route.lock();
        try {
            return count();
        } finally {
            route.unlock();
        }
    }

    /**
     * As {@link #sends}, and the eager bytes that the peer has room for: in one go, as each may take the lock from the
     * thread that it is biased to.
     */
    public long[] sendsAndShareLeft() {
        route.lock();
        try {
            return new long[] {count(), route.share.left()};
        } finally {
            route.unlock();
        }
    }

    private int count() {
        return route.pending.messages.size()
                + route.pending.streams.size()
                + route.started.size()
                + route.loans.onTheWay.size();
    }

    public void list(InFlight into) {
        route.lock();
        try {
            for (SendOperation operation = route.pending.messages.first();
                    operation != null;
                    operation = operation.next) {
                add(operation, "waits for room on the way to the peer", into);
            }
            for (SendOperation operation : route.pending.streams) {
                add(operation, operation.streamed + " of " + operation.accepted + " bytes have gone as a stream", into);
            }
            route.started.table.any(operation -> {
                add(
                        operation,
                        (operation.withdrawing ? "it is cancelled, and the peer was asked to forget it; " : "")
                                + "the peer was told of it and has not answered: no receive has matched it there, or"
                                + " its bytes are being read",
                        into);
                return false;
            });
            route.loans.onTheWay.any(operation -> {
                add(operation, "the channel reads it out of the program's memory", into);
                return false;
            });
        } finally {
            route.unlock();
        }
    }

    private void add(SendOperation operation, String state, InFlight into) {
        into.add(
                "send",
                new Envelope(operation.contextId, route.peer(), operation.tag),
                operation.bytes,
                state,
                operation.completion);
    }
}
