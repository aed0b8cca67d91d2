package org.sluice.hybrid.observe;

import java.lang.ref.WeakReference;
import org.sluice.hybrid.protocol.Exchange;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.InFlight;
import org.sluice.hybrid.route.Route;

/**
 * Says of a send for which no thread waits, but a future or a coroutine, that it has long stood still, as
 * {@link StuckReport} does of those that a thread waits for. It watches one send at a time, since to keep the beginning
 * of each would cost memory: so it may take longer than the limit until one is found. Receives are not told of, since
 * who wants to be called is often a server.
 *
 * <p><i>Thread</i>: under the progress lock; the line is printed on a thread of its own. <i>Fails</i>: never.
 * <i>Proof</i>: {@code DumpProcessTest}.
 */
final class CalledSends {
    private static final int LOOKS_PER_LIMIT = 2;

    private final int rank;
    private final Exchange exchange;
    private final Route[] routes;
    private long limitNanos;
    private long lookedNanos;
    private WeakReference<Completion> watched = new WeakReference<>(null);
    /** {@link Completion#uses} of the one that is watched: a collective sends with the same ones again and again. */
    private int watchedUse;

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
        Completion before = watched.get();
        Completion[] first = new Completion[1];
        InFlight found = new InFlight(
                0,
                each -> {
                    first[0] = first[0] == null && each.callback() != null ? each : first[0];
                    return each == before && each.uses() == watchedUse ? "it" : "";
                },
                each -> "");
        exchange.inspection().listSends(found);
        if (found.listed().isEmpty()) {
            watched = new WeakReference<>(first[0]);
            watchedUse = first[0] == null ? 0 : first[0].uses();
            sinceNanos = now;
        } else if (now - sinceNanos >= limitNanos) {
            StuckReport.say(
                    rank,
                    StuckReport.ofNoThread(
                            rank, now - sinceNanos, found.listed().get(0), routes));
            limitNanos *= StuckReport.MORE_PATIENT;
        }
    }
}
