package org.sluice.hybrid.protocol;

import java.util.concurrent.TimeUnit;
import org.sluice.hybrid.route.Route;

/**
 * Says once that this rank waits for a message from any source although no other rank can send one any more. No receive fails of it: another thread of the rank may yet send to it.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: {@code AbandonedWaitsTest}, {@code CloseProcessTest}.
 */
public final class AbandonedWaits {
    /** Messages of its own come sooner, where a rank lives on them. */
    static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final int rank;
    private final Route[] routes;
    private final Exchange exchange;
    private boolean isAbandoned;
    private boolean isSaid;
    private long sinceNanos;
    private long received;

    public AbandonedWaits(int rank, Route[] routes, Exchange exchange) {
        this.rank = rank;
        this.routes = routes;
        this.exchange = exchange;
    }

    /** Whenever the peers are looked at. */
    public void look() {
        if (!isSaid && hasNobodyLeft() && isDue(ExchangeInspection.isOpenToAny(exchange), ExchangeInspection.receivedMessages(exchange, rank), System.nanoTime())) {
            isSaid = true;
            System.err.print("sluice: rank " + rank + " waits for a message from any source, but every other rank has closed its device or is dead: only rank " + rank
                    + " itself could send one" + System.lineSeparator());
        }
    }

    private boolean hasNobodyLeft() {
        for (Route route : routes) {
            if (route.peer() != rank && route.failure() == null) {
                return false;
            }
        }
        return routes.length > 1;
    }

    /** @param waits whether somebody does, while nobody is left @param ownMessages that have come from this rank so far */
    boolean isDue(boolean waits, long ownMessages, long nowNanos) {
        if (!isAbandoned || !waits || ownMessages != received) {
            isAbandoned = waits;
            sinceNanos = nowNanos;
            received = ownMessages;
        }
        return isAbandoned && nowNanos - sinceNanos >= PATIENCE_NANOS;
    }
}
