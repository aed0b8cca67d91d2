package org.sluice.hybrid.observe;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.sluice.device.Device;
import org.sluice.device.option.Option;
import org.sluice.hybrid.progress.LongParks;
import org.sluice.hybrid.progress.ProgressEngine;
import org.sluice.hybrid.protocol.Exchange;
import org.sluice.hybrid.request.AnyOf;
import org.sluice.hybrid.request.Goal;
import org.sluice.hybrid.request.InFlight;
import org.sluice.hybrid.request.RequestState;
import org.sluice.hybrid.route.Route;

/**
 * Says for whom a call has waited long, so that a program that stands still is not silent: first of all for sends, as a
 * rank that computes may let others wait for its messages. Who waits for any rank is a server, and is not told of. Each
 * line makes a device ten times as patient: a wait that was long and ended says that such waits are the program's way,
 * and one that never ends is told of in the end.
 *
 * <p><i>Thread</i>: the one that waits; the line is printed on one of its own. <i>Fails</i>: never. <i>Proof</i>:
 * {@code DumpProcessTest}.
 */
public final class StuckReport {
    /** How many times as long a receive or a probe may wait. */
    private static final int RECEIVES = 3;

    static final int MORE_PATIENT = 10;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final String END =
            ". The next line like this is of a wait ten times as long (" + Option.STUCK_REPORT_MS.property()
                    + "); ./sluice top --dump prints what waits for whom" + System.lineSeparator();

    private final int rank;
    private final ProgressEngine engine;
    private final Exchange exchange;
    private final Route[] routes;
    /** Under the progress lock. */
    private long limitNanos;

    public StuckReport(int rank, ProgressEngine engine, Exchange exchange, Route[] routes, long limitNanos) {
        this.rank = rank;
        this.engine = engine;
        this.exchange = exchange;
        this.routes = routes;
        this.limitNanos = limitNanos;
    }

    /** @return as {@link LongParks#parked} */
    public long look(Goal goal, long parkedNanos) {
        String[] line = new String[1];
        long[] next = {LongParks.ENOUGH};
        engine.inspect(
                () -> {
                    if (parkedNanos < limitNanos) {
                        next[0] = limitNanos - parkedNanos;
                        return;
                    }
                    List<RequestState> states = states(goal);
                    boolean forAny =
                            states.stream().anyMatch(state -> state.envelope().source() == Device.ANY_SOURCE);
                    boolean sends = states.stream().anyMatch(StuckReport::isSend);
                    if (states.isEmpty() || forAny) {
                        return;
                    }
                    if (!sends && parkedNanos < RECEIVES * limitNanos) {
                        next[0] = RECEIVES * limitNanos - parkedNanos;
                        return;
                    }
                    limitNanos *= MORE_PATIENT;
                    line[0] = text(states, parkedNanos);
                },
                PATIENCE_NANOS);
        if (line[0] != null) {
            say(rank, line[0]);
        }
        return next[0];
    }

    /** As {@link #look}, of a thread that waits for what a rank writes to memory that both share. */
    public long lookInMemory(int peer, long waitedNanos) {
        String[] line = new String[1];
        long[] next = {LongParks.ENOUGH};
        engine.inspect(
                () -> {
                    long limit = RECEIVES * limitNanos;
                    if (waitedNanos < limit) {
                        next[0] = limit - waitedNanos;
                        return;
                    }
                    limitNanos *= MORE_PATIENT;
                    line[0] = beginning(waitedNanos) + "rank " + peer + collectives() + END;
                },
                PATIENCE_NANOS);
        if (line[0] != null) {
            say(rank, line[0]);
        }
        return next[0];
    }

    /** What the thread waits for; under the lock. */
    private List<RequestState> states(Goal goal) {
        InFlight found = new InFlight(
                0,
                completion -> completion == goal || goal instanceof AnyOf && ((AnyOf) goal).has(completion)
                        ? "its thread"
                        : "",
                completion -> "");
        exchange.inspection().list(found);
        return found.listed();
    }

    private static boolean isSend(RequestState state) {
        return state.what().equals("send");
    }

    private String text(List<RequestState> states, long parkedNanos) {
        RequestState told =
                states.stream().filter(StuckReport::isSend).findFirst().orElse(states.get(0));
        return beginning(parkedNanos)
                + plain(told).text()
                + (states.size() == 1 ? "" : " (and " + (states.size() - 1) + " more)")
                + collectives()
                + (isSend(told) ? hint(told, routes) : hint(told))
                + END;
    }

    private String beginning(long nanos) {
        return "sluice: rank " + rank + " has waited for " + seconds(nanos) + " s in thread "
                + Thread.currentThread().getName() + ": ";
    }

    /** Those that this rank is in; under the lock. */
    private String collectives() {
        return exchange.activities().stream()
                .filter(each -> each.turn() > 0)
                .map(each -> ", in " + each.call() + " of " + each.name() + ", call " + each.turn() + " there")
                .collect(Collectors.joining());
    }

    /** Of a send that a future or a coroutine waits for. */
    static String ofNoThread(int rank, long nanos, RequestState told, Route[] routes) {
        return "sluice: rank " + rank + " has waited for " + seconds(nanos) + " s in a future or coroutine: "
                + plain(told).text() + hint(told, routes) + END;
    }

    private static RequestState plain(RequestState told) {
        return new RequestState(told.what(), told.envelope(), told.bytes(), told.state(), "");
    }

    private static String seconds(long nanos) {
        return nanos < TimeUnit.SECONDS.toNanos(2)
                ? String.format(Locale.ROOT, "%.1f", nanos / 1e9)
                : Long.toString(TimeUnit.NANOSECONDS.toSeconds(nanos));
    }

    /** Of a send. */
    private static String hint(RequestState told, Route[] routes) {
        int limit = routes[told.envelope().source()].switchLimitBytes();
        return told.bytes() > limit
                ? ". Messages of more than " + limit + " bytes to that rank wait for their receive"
                : "";
    }

    private String hint(RequestState told) {
        int source = told.envelope().source();
        int contextId = told.envelope().contextId();
        int all = exchange.inspection().unexpectedFrom(source);
        int alike = exchange.inspection().unexpectedFrom(source, contextId);
        if (alike == 0 && all > 0 && contextId <= RequestState.LAYER_CONTEXT) {
            return ". All that came from rank " + source + " and that no receive has matched, " + all
                    + ", is of other communicators, or of collectives, as MPI.Finalize is one";
        }
        return all == 0
                ? ""
                : ". Of the messages that came from rank " + source + " no receive has matched " + all
                        + ": look at tags and contexts";
    }

    /** Not on the thread that waits, which may go on while nobody reads standard error. */
    static void say(int rank, String line) {
        try {
            Thread thread = new Thread(null, () -> System.err.print(line), "sluice-says-" + rank, 0, false);
            thread.setDaemon(true);
            thread.start();
        } catch (OutOfMemoryError e) {
            // Nothing depends on it.
            return;
        }
    }
}
