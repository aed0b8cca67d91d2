package org.sluice.hybrid.observe;

import jdk.jfr.FlightRecorder;
import org.sluice.hybrid.operation.Witness;
import org.sluice.hybrid.progress.ProgressEngine;
import org.sluice.hybrid.progress.WaitLog;
import org.sluice.hybrid.protocol.AbandonedWaits;
import org.sluice.hybrid.protocol.Exchange;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.route.Route;

/**
 * Tells the flight recorder of what befalls a device, from when the recorder is there: it may be started at any time,
 * and announces itself to nobody, so this looks for it when the peers are looked at, a few times a second. Until then
 * it costs that look, and one class of the recorder's, loaded after the opening (docs/project/adr/0046).
 *
 * <p><i>Thread</i>: under the progress lock, but for {@link #close}. <i>Fails</i>: in a runtime without the recorder,
 * or with one that refuses, it does nothing. <i>Proof</i>: {@code FlightRecorderProcessTest},
 * {@code OpenClassesProcessTest}.
 */
public final class Recording implements Witness {
    private final int rank;
    private final Route[] routes;
    private final Exchange exchange;
    private final ProgressEngine engine;
    private final WaitLog waits;
    private final AbandonedWaits abandoned;
    private final long tellNanos;
    private final long begunNanos;
    /** Made, and its class loaded, when a send could have stood still for so long. */
    private CalledSends sends;

    private boolean isImpossible;
    /** At the last look somebody wanted to know of waits. */
    private boolean haveWaits;

    private volatile FlightEvents events;
    private volatile boolean closed;

    /** @param tellNanos how long a send may stand still for which no thread waits, before that is said; 0: for ever */
    public Recording(int rank, Route[] routes, Exchange exchange, ProgressEngine engine, long tellNanos) {
        this.rank = rank;
        this.routes = routes;
        this.exchange = exchange;
        this.engine = engine;
        this.waits = engine.waits();
        this.tellNanos = tellNanos;
        this.begunNanos = System.nanoTime();
        this.abandoned = new AbandonedWaits(rank, routes, exchange);
    }

    @Override
    public void look() {
        abandoned.look();
        lookAtSends();
        if (beginIfThere()) {
            takeWaits();
            events.lookAtConnections();
        }
    }

    private void lookAtSends() {
        if (tellNanos > 0 && sends == null && System.nanoTime() - begunNanos >= tellNanos) {
            sends = new CalledSends(rank, exchange, routes, tellNanos);
        }
        // A program of blocking calls keeps its threads' locks to itself.
        if (sends != null && engine.areCallbacksWanted()) {
            sends.look();
        }
    }

    private boolean beginIfThere() {
        if (events == null && isRecorderThere()) {
            begin();
        }
        return events != null;
    }

    /**
     * A recording has come that wants to know of waits, be it the first or not, which the recorder may be there for
     * before it begins: it has those that wait without a thread.
     */
    private void takeWaits() {
        boolean wanted = events.areWaitsWanted();
        if (wanted && !haveWaits) {
            exchange.inspection().calledBack().forEach(waits::adopt);
        }
        haveWaits = wanted;
    }

    @Override
    public void failed(Failure failure) {
        if (beginIfThere()) {
            events.lookAtConnections();
            events.failed(failure);
        }
    }

    private boolean isRecorderThere() {
        if (isImpossible) {
            return false;
        }
        try {
            return FlightRecorder.isInitialized();
        } catch (LinkageError e) {
            isImpossible = true;
            return false;
        }
    }

    private void begin() {
        if (closed) {
            return;
        }
        try {
            FlightEvents begun = new FlightEvents(rank, routes, exchange);
            begun.begin();
            events = begun;
            waits.tell(begun);
            if (closed) {
                // The close may have looked before there were any.
                begun.leave();
            }
        } catch (RuntimeException | LinkageError e) {
            // The recorder refuses, as a security manager has it do, or lacks a part.
            isImpossible = true;
        }
    }

    /** Also for a recording that no look has found, as the device was open for a moment. */
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            FlightEvents last =
                    events != null || !isRecorderThere() ? events : new FlightEvents(rank, routes, exchange);
            if (last != null) {
                last.close();
            }
        } catch (RuntimeException | LinkageError e) {
            // What is recorded lacks it; the close, which has channels to give back, goes on.
            return;
        }
    }
}
