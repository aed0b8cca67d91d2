package org.sluice.hybrid.observe;

import java.lang.ref.WeakReference;
import jdk.jfr.FlightRecorder;
import org.sluice.device.ErrorCode;
import org.sluice.device.counter.Counter;
import org.sluice.hybrid.progress.WaitLog;
import org.sluice.hybrid.protocol.Exchange;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.request.Goal;
import org.sluice.hybrid.request.RequestState;
import org.sluice.hybrid.route.Route;
import org.sluice.ib.IbChannel;
import org.sluice.ib.connect.ConnectionState;

/**
 * One device's events of the flight recorder. Loaded when there is one.
 *
 * <p><i>Thread</i>: under the progress lock; {@link #choices} on the recorder's own, and on who closes. <i>Proof</i>:
 * {@code FlightRecorderProcessTest}, {@code RecordingCostProcessTest}.
 */
final class FlightEvents implements WaitLog.Listener {
    private final int rank;
    private final Route[] routes;
    private final Exchange exchange;
    /** By rank: how the peer's connection was when it was last told of. */
    private final String[] connections;

    private final Runnable choices = new Choices(this);
    /** Never filled in: it knows whether such events are wanted, so that a wait that nobody records allocates none. */
    private final FlightEvent.SlowRequest wanted;

    /** What the recorder keeps for good: a device that its program drops without closing it may go all the same. */
    private static final class Choices implements Runnable {
        private final WeakReference<FlightEvents> of;

        Choices(FlightEvents of) {
            this.of = new WeakReference<>(of);
        }

        @Override
        public void run() {
            FlightEvents events = of.get();
            if (events != null) {
                events.choices();
            } else {
                FlightRecorder.removePeriodicEvent(this);
            }
        }
    }

    FlightEvents(int rank, Route[] routes, Exchange exchange) {
        FlightEvent.register();
        this.wanted = new FlightEvent.SlowRequest();
        this.rank = rank;
        this.routes = routes;
        this.exchange = exchange;
        this.connections = new String[routes.length];
    }

    void begin() {
        FlightRecorder.addPeriodicEvent(FlightEvent.ProtocolChoice.class, choices);
    }

    void close() {
        leave();
        choices();
    }

    /** No chunk has choices of this device any more. */
    void leave() {
        FlightRecorder.removePeriodicEvent(choices);
    }

    /**
     * At the begin and the end of each chunk, and once more at the close: so every recording has them, as no chunk need
     * begin or end while the device is open.
     */
    private void choices() {
        for (Route route : routes) {
            FlightEvent.ProtocolChoice event = new FlightEvent.ProtocolChoice();
            event.rank = rank;
            event.peer = route.peer();
            event.channel = route.channel().name();
            event.locality = route.locality().name();
            event.eagerLimit = route.switchLimitBytes();
            event.sentEager = route.counters().get(Counter.SENT_EAGER);
            event.sentRendezvous = route.counters().get(Counter.SENT_RENDEZVOUS);
            event.sentByRoute = route.counters().get(Counter.SENT_BY_ROUTE);
            event.eagerShareExceeded = route.counters().get(Counter.EAGER_SHARE_EXCEEDED);
            event.commit();
        }
    }

    /** Tells of connections that have changed since. */
    void lookAtConnections() {
        if (!new FlightEvent.Connect().isEnabled()) {
            return;
        }
        for (Route route : routes) {
            int peer = route.peer();
            String state = connection(route);
            if (!state.equals(connections[peer])) {
                FlightEvent.Connect event = new FlightEvent.Connect();
                event.rank = rank;
                event.peer = peer;
                event.channel = route.channel().name();
                event.state = state;
                event.commit();
                connections[peer] = state;
            }
        }
    }

    /** Without verbs a peer is connected from the opening on. */
    private static String connection(Route route) {
        if (route.failure() != null) {
            return ConnectionState.FAILED.name();
        }
        return route.channel() instanceof IbChannel
                ? ((IbChannel) route.channel()).state(route.peer()).name()
                : ConnectionState.READY.name();
    }

    void failed(Failure failure) {
        FlightEvent.Failed event = new FlightEvent.Failed();
        event.rank = rank;
        event.peer = failure.peer();
        event.code = failure.code().name();
        event.message = failure.message();
        event.commit();
    }

    boolean areWaitsWanted() {
        return wanted.isEnabled();
    }

    @Override
    public Object began(Goal goal, String waiter) {
        if (!wanted.isEnabled()) {
            return null;
        }
        FlightEvent.SlowRequest event = new FlightEvent.SlowRequest();
        RequestState request = exchange.inspection().find(goal);
        event.rank = rank;
        event.request = request.what();
        event.peer = request.envelope().source();
        event.tag = request.envelope().tag();
        event.contextId = request.envelope().contextId();
        event.bytes = request.bytes();
        event.waiter = waiter;
        event.begin();
        return event;
    }

    @Override
    public void ended(Object began, Goal goal) {
        FlightEvent.SlowRequest event = (FlightEvent.SlowRequest) began;
        event.end();
        if (event.shouldCommit()) {
            event.outcome = outcome(goal);
            event.commit();
        }
    }

    static String outcome(Goal goal) {
        ErrorCode code = goal instanceof Completion ? ((Completion) goal).code() : ErrorCode.NONE;
        return !goal.isReached() ? "its limit came first" : code == ErrorCode.NONE ? "done" : code.name();
    }
}
