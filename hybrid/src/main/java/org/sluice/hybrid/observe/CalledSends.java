package org.sluice.hybrid.observe;

import java.lang.ref.WeakReference;
import org.sluice.hybrid.protocol.Exchange;
import org.sluice.hybrid.protocol.ExchangeInspection;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.InFlight;
import org.sluice.hybrid.request.RequestState;
import org.sluice.hybrid.route.Route;

/**
 * Says of a send for which no thread waits, but a future or a coroutine, that it has long stood still, as {@link StuckReport} does of those that a thread waits for. It watches one send at
 * a time, as those would cost memory whose beginnings were kept: so it may take longer than the limit until one is found. Receives are not told of, since who wants to be called is often a server.
 *
 * <p><i>Thread</i>: under the progress lock; the line is printed on a thread of its own. <i>Fails</i>: never. <i>Proof</i>: {@code DumpProcessTest}.
 */
final class CalledSends {
    private static final int MORE_PATIENT = 10;
    private static final int LOOKS_PER_LIMIT = 2;

    private final int rank;
    private final Exchange exchange;
    private final Route[] routes;
    private long limitNanos;
    private long lookedNanos;
    private WeakReference<Completion> watched = new WeakReference<>(null);
    private long sinceNanos;

    CalledSends(int rank, Exchange exchange, Route[] routes, long limitNanos) {
        this.rank = rank;
        this.exchange = exchange;
        this.routes = routes;
        this.limitNanos = limitNanos;
        this.lookedNanos = System.nanoTime() - limitNanos;
    }

    void look() {
        long now = System.nanoTime();
        if (now - lookedNanos < limitNanos / LOOKS_PER_LIMIT) {
            return;
        }
        lookedNanos = now;
        RequestState still = find(watched.get());
        if (still == null) {
            sinceNanos = now;
            watchAny();
        } else if (now - sinceNanos >= limitNanos) {
            StuckReport.say(rank, "sluice: rank " + rank + " has waited for " + StuckReport.seconds(now - sinceNanos) + " s in a future or coroutine: " + still.text()
                    + StuckReport.hint(still, routes) + StuckReport.END);
            limitNanos *= MORE_PATIENT;
        }
    }

    /** Null where it is over, or no send. */
    private RequestState find(Completion completion) {
        if (completion == null) {
            return null;
        }
        InFlight found = new InFlight(0, each -> each == completion ? "it" : "", each -> "");
        ExchangeInspection.list(exchange, found);
        for (RequestState state : found.listed()) {
            if (StuckReport.isSend(state)) {
                return new RequestState(state.what(), state.peer(), state.tag(), state.contextId(), state.bytes(), state.state(), "");
            }
        }
        return null;
    }

    private void watchAny() {
        for (Completion completion : ExchangeInspection.calledBack(exchange)) {
            if (find(completion) != null) {
                watched = new WeakReference<>(completion);
                return;
            }
        }
    }
}
