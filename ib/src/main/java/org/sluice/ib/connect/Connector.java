package org.sluice.ib.connect;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.sluice.ib.IbFacts;
import org.sluice.ib.adapter.Resources;
import org.sluice.ib.adapter.VerbsFailure;
import org.sluice.ib.wire.Greeting;
import org.sluice.ib.wire.Refusal;
import org.sluice.jni.verbs.VerbsCalls;
import org.sluice.jni.verbs.VerbsLayout;

/**
 * Makes connections: asks when somebody wants to send, answers who asks, tries again after a pause, and lets one of two
 * that crossed live: the lower rank's. No program's progress is needed for it, at neither end.
 *
 * <p><i>Thread</i>: the helper's, except {@link #want}; each event and each attempt under the connection lock.
 * <i>Owns</i>: which connections are under way. <i>Fails</i>: a connection that can't be made ends FAILED with the
 * reason. <i>Proof</i>: {@code ConnectRxeTest}, {@code VerbsFaultsRxeTest}.
 */
public final class Connector {
    private static final int RESOLVE_TIMEOUT_MS = 2000;
    private static final int RETRY_LIMIT = 8;
    /** Before the second attempt; twice as much before each that follows. */
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final VerbsCalls verbs;
    private final Connections connections;
    private final Resources resources;
    private final ConnectSettings settings;
    private final IbFacts own;
    private final ConcurrentLinkedQueue<Connection> wanted = new ConcurrentLinkedQueue<>();
    /** Those that have a deadline; others may be among them until the next look. */
    private final List<Connection> underWay = new ArrayList<>();

    public Connector(
            VerbsCalls verbs, Connections connections, Resources resources, ConnectSettings settings, IbFacts own) {
        this.verbs = verbs;
        this.connections = connections;
        this.resources = resources;
        this.settings = settings;
        this.own = own;
    }

    /**
     * Somebody wants to send there. Any thread.
     *
     * @return true when the helper is to be rung for it
     */
    public boolean want(Connection connection) {
        return connection.want() && wanted.add(connection);
    }

    /**
     * All, of which this rank asks for those to higher ranks.
     *
     * @return as {@link #want}
     * @throws org.sluice.device.SluiceException where the device has fewer queue pairs
     */
    public boolean wantAll() {
        Connection[] all = connections.all();
        resources.requireQueuePairs(
                (int) Arrays.stream(all).filter(each -> each != null).count());
        boolean isAny = false;
        for (int peer = own.rank() + 1; peer < all.length; peer++) {
            isAny |= all[peer] != null && want(all[peer]);
        }
        return isAny;
    }

    /**
     * Starts what is wanted and what has paused long enough, and gives up what took too long.
     *
     * @return nanoseconds until it has to be called again; Long.MAX_VALUE when nothing is under way
     */
    public long work() {
        for (Connection each = wanted.poll(); each != null; each = wanted.poll()) {
            start(each);
        }
        long now = System.nanoTime();
        long next = Long.MAX_VALUE;
        for (int i = underWay.size() - 1; i >= 0; i--) {
            Connection connection = underWay.get(i);
            long left = isUnderWay(connection) ? look(connection, now) : 0;
            if (left > 0) {
                next = Math.min(next, left);
            } else {
                underWay.remove(i);
            }
        }
        return next;
    }

    private static boolean isUnderWay(Connection connection) {
        ConnectionState state = connection.state();
        return state == ConnectionState.READY ? connection.isUnconfirmed : !state.isDead();
    }

    /** @return nanoseconds until the next look at it, or 0 when there is none */
    private long look(Connection connection, long now) {
        synchronized (connections) {
            if (connection.state() == ConnectionState.WANTED) {
                long pause = connection.notBeforeNanos - now;
                if (pause > 0) {
                    return pause;
                }
                start(connection);
                return isUnderWay(connection) ? Math.max(1, connection.deadlineNanos - now) : 0;
            }
            if (connection.state() == ConnectionState.READY) {
                return confirm(connection, now);
            }
            if (isUnderWay(connection) && now - connection.deadlineNanos >= 0) {
                connections.fail(
                        connection,
                        false,
                        "no connection within " + settings.timeoutMs()
                                + " ms (sluice.ib.connect.timeout.ms); it stands at " + connection.state()
                                + (connection.refusedBefore == null
                                        ? ""
                                        : "; the attempt before: " + connection.refusedBefore));
                return 0;
            }
            return connection.deadlineNanos - now;
        }
    }

    /**
     * The message that ends the making is lost again and again. Told any earlier, while it may be on its way, the
     * manager probably forgets that it sends its answer again until it gets that message, and destroying the identifier
     * waits until it has given up: that was seen once.
     */
    private long confirm(Connection connection, long now) {
        long left = connection.isUnconfirmed ? connection.deadlineNanos - now : 0;
        if (left > 0) {
            return left;
        }
        if (connection.isUnconfirmed) {
            connection.isUnconfirmed = false;
            verbs.tellEstablished(connection.id);
        }
        return 0;
    }

    /** From now on it has so much time. */
    private void limit(Connection connection) {
        connection.deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.timeoutMs());
        if (!underWay.contains(connection)) {
            underWay.add(connection);
        }
    }

    private void start(Connection connection) {
        synchronized (connections) {
            if (connection.state() != ConnectionState.WANTED) {
                return;
            }
            if (connection.attempts++ == 0) {
                limit(connection);
            }
            connection.enter(ConnectionState.RESOLVING);
            resolveAddress(connection);
        }
    }

    /** With a new identifier. Under the connection lock. */
    private void resolveAddress(Connection connection) {
        long id = verbs.createId(settings.eventChannel());
        if (id < 0) {
            connections.fail(connection, false, VerbsFailure.describe("rdma_create_id", id));
            return;
        }
        connections.identify(connection, id);
        IbFacts peer = connection.facts();
        int result = verbs.resolveAddress(id, own.address(), peer.address(), peer.port(), RESOLVE_TIMEOUT_MS);
        if (result < 0) {
            connections.fail(connection, false, VerbsFailure.describe("rdma_resolve_addr of " + peer.where(), result));
        }
    }

    /** One event of the connection manager, as {@link VerbsLayout} draws it. Under the connection lock. */
    void onEvent(int kind, int status, long id, byte[] privateData) {
        if (kind == VerbsLayout.CONNECT_REQUEST) {
            onRequest(id, Greeting.decode(privateData));
            return;
        }
        if (kind == VerbsLayout.DEVICE_REMOVAL) {
            // Each identifier is told, the listener's too, and all are of one device: whatever stands or would be made
            // over it is over.
            connections.failAll("the RDMA device of this rank was removed");
            return;
        }
        Connection connection = connections.ofId(id);
        if (connection == null || connection.state().isDead()) {
            return;
        }
        switch (kind) {
            case VerbsLayout.ADDRESS_RESOLVED:
                resolveRoute(connection);
                break;
            case VerbsLayout.ROUTE_RESOLVED:
                onRoute(connection);
                break;
            case VerbsLayout.ESTABLISHED:
                established(connection, privateData);
                break;
            case VerbsLayout.REJECTED:
                onRejected(connection, status, Refusal.decode(privateData));
                break;
            case VerbsLayout.ADDRESS_ERROR:
            case VerbsLayout.ROUTE_ERROR:
            case VerbsLayout.CONNECT_ERROR:
            case VerbsLayout.UNREACHABLE:
                again(connection, eventName(kind) + (status == 0 ? "" : ", status " + status));
                break;
            case VerbsLayout.DISCONNECTED:
                connection.leave();
                connections.fail(connection, false, "its end of the verbs connection is gone");
                break;
            default:
                break;
        }
    }

    private static String eventName(int kind) {
        switch (kind) {
            case VerbsLayout.ADDRESS_ERROR:
                return "its address can't be resolved";
            case VerbsLayout.ROUTE_ERROR:
                return "there is no route to it";
            case VerbsLayout.UNREACHABLE:
                return "it doesn't answer";
            default:
                return "the connection could not be made";
        }
    }

    private void resolveRoute(Connection connection) {
        verbs.setAckTimeout(connection.id, settings.ackTimeout());
        int result = verbs.setTypeOfService(connection.id, settings.typeOfService());
        boolean isCopied = connection.routedId != 0;
        if (result >= 0) {
            result = isCopied
                    ? verbs.copyRoute(connection.routedId, connection.id, settings.mtuBytes(), settings.serviceLevel())
                    : verbs.resolveRoute(connection.id, RESOLVE_TIMEOUT_MS);
        }
        if (result < 0) {
            again(
                    connection,
                    VerbsFailure.describe(isCopied ? "rdma_set_option of the path" : "rdma_resolve_route", result));
        }
    }

    /**
     * A route that is known can't be changed: where it is to be, a second identifier gets a copy, before its own is
     * looked for.
     */
    private void onRoute(Connection connection) {
        if (settings.isRouteChanged() && connection.routedId == 0) {
            connections.keepRoute(connection);
            resolveAddress(connection);
        } else {
            connections.dropRoute(connection);
            request(connection);
        }
    }

    private void request(Connection connection) {
        long made = makeQueuePair(connection);
        if (made < 0) {
            connections.fail(connection, false, resources.noQueuePair(made));
            return;
        }
        connection.enter(ConnectionState.CONNECTING);
        int result = verbs.connect(connection.id, parameters(connection.facts()), greeting(connection.facts()));
        if (result < 0) {
            again(connection, VerbsFailure.describe("rdma_connect", result));
        }
    }

    private long makeQueuePair(Connection connection) {
        long[] limits = new long[VerbsCalls.QUEUE_PAIR_FIELDS];
        limits[VerbsCalls.QUEUE_PAIR_MAX_SEND_WR] = resources.requestsOfOne();
        limits[VerbsCalls.QUEUE_PAIR_MAX_SEND_SGE] = resources.sendPieces();
        long made;
        int asked = resources.inline().toAsk();
        do {
            limits[VerbsCalls.QUEUE_PAIR_MAX_INLINE_BYTES] = resources.inline().toAsk();
            made = verbs.createQueuePair(
                    connection.id,
                    resources.domain(),
                    resources.completionQueue(),
                    resources.completionQueue(),
                    resources.receiveSlots().queue(),
                    limits);
            // No device says what it takes, but all say when that is too much: most with EINVAL, some with EIO or
            // ENOMEM.
        } while (made < 0 && resources.inline().askLess());
        if (made < 0) {
            // It was something else.
            resources.inline().ask(asked);
        } else {
            connections.queuePair(
                    connection,
                    made,
                    limits[VerbsCalls.QUEUE_PAIR_NUMBER],
                    resources.inline().toUse(limits[VerbsCalls.QUEUE_PAIR_MAX_INLINE_BYTES]));
        }
        return made;
    }

    private long[] parameters(IbFacts peer) {
        int reads = Math.min(resources.reads(), peer.reads());
        long[] parameters = new long[VerbsCalls.CONNECT_FIELDS];
        parameters[VerbsCalls.CONNECT_RESPONDER_RESOURCES] = reads;
        parameters[VerbsCalls.CONNECT_INITIATOR_DEPTH] = reads;
        parameters[VerbsCalls.CONNECT_RETRY_COUNT] = settings.retryCount();
        parameters[VerbsCalls.CONNECT_RNR_RETRY_COUNT] = settings.notReadyRetryCount();
        return parameters;
    }

    private byte[] greeting(IbFacts peer) {
        return new Greeting(own.rank(), peer.rank(), own.process(), peer.secret()).encode();
    }

    private void established(Connection connection, byte[] privateData) {
        connection.isUnconfirmed = false;
        if (connection.state() == ConnectionState.CONNECTING && !isFrom(connection, Greeting.decode(privateData))) {
            connections.fail(
                    connection,
                    true,
                    "what listens at " + connection.facts().where() + " is not rank " + connection.peer()
                            + " of this job");
        } else if (connection.state() == ConnectionState.CONNECTING
                || connection.state() == ConnectionState.ACCEPTING) {
            connections.ready(connection);
        }
    }

    private boolean isFrom(Connection connection, Greeting greeting) {
        return greeting != null
                && greeting.from() == connection.peer()
                && greeting.to() == own.rank()
                && greeting.process().equals(connection.facts().process())
                && isOwn(greeting.secret());
    }

    private boolean isOwn(UUID secret) {
        return secret.equals(own.secret());
    }

    private void onRequest(long id, Greeting greeting) {
        Connection connection = greeting == null || greeting.from() < 0 || greeting.from() >= connections.all().length
                ? null
                : connections.of(greeting.from());
        if (connection == null || !isFrom(connection, greeting)) {
            refuse(id, Refusal.STRANGER);
            return;
        }
        switch (connection.state()) {
            case IDLE:
            case WANTED:
            case CROSSED:
                accept(connection, id);
                break;
            case ACCEPTING:
                // It asks once at a time: what it asked for before is over, and the word of that was lost or is on its
                // way.
                connections.abandon(connection);
                accept(connection, id);
                break;
            case RESOLVING:
            case CONNECTING:
                if (connection.peer() < own.rank()) {
                    connections.abandon(connection);
                    accept(connection, id);
                } else {
                    refuse(id, Refusal.CROSSED);
                }
                break;
            default:
                refuse(id, connection.isClosedUnmet() ? Refusal.CLOSED : Refusal.NOT_AGAIN);
        }
    }

    private void refuse(long id, Refusal why) {
        verbs.reject(id, why.encode());
        connections.destroyId(id);
    }

    private void accept(Connection connection, long id) {
        connections.identify(connection, id);
        long result = makeQueuePair(connection);
        if (result < 0) {
            verbs.reject(id, Refusal.NO_RESOURCES.encode());
            connections.fail(connection, false, resources.noQueuePair(result));
            return;
        }
        connection.enter(ConnectionState.ACCEPTING);
        limit(connection);
        verbs.setAckTimeout(id, settings.ackTimeout());
        result = verbs.accept(id, parameters(connection.facts()), greeting(connection.facts()));
        if (result < 0) {
            connections.abandon(connection);
            connections.fail(connection, false, VerbsFailure.describe("rdma_accept", result));
        }
    }

    private void onRejected(Connection connection, int status, Refusal why) {
        if (why == Refusal.CROSSED && connection.peer() > own.rank()) {
            connections.fail(connection, true, "it refused a connection that it had to accept");
        } else if (why == Refusal.CROSSED) {
            connections.abandon(connection);
            connection.enter(ConnectionState.CROSSED);
        } else if (why == Refusal.UNKNOWN) {
            // Nobody listens there (yet), or the request was lost on the way.
            again(
                    connection,
                    "no connection was accepted at " + connection.facts().where() + ": "
                            + RejectReason.describe(status));
        } else if (why == Refusal.CLOSED) {
            connection.closedUnmet(true);
            connections.fail(connection, false, why.text());
        } else {
            connections.fail(connection, false, "it refused the connection: " + why.text());
        }
    }

    /** Tries once more after a pause, as long as there is time. */
    private void again(Connection connection, String why) {
        long now = System.nanoTime();
        long pause = FIRST_PAUSE_NANOS << Math.max(0, Math.min(connection.attempts - 1, RETRY_LIMIT));
        if (connection.state() == ConnectionState.READY) {
            connections.fail(connection, false, why);
        } else if (connection.isClosedUnmet()
                || connection.attempts > RETRY_LIMIT
                || now + pause - connection.deadlineNanos >= 0) {
            connections.fail(connection, false, why + ", after " + connection.attempts + " attempts");
        } else {
            connections.abandon(connection);
            connection.refusedBefore = why;
            connection.notBeforeNanos = now + pause;
            connection.enter(ConnectionState.WANTED);
        }
    }
}
