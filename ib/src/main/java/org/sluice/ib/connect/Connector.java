package org.sluice.ib.connect;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jctools.maps.NonBlockingHashMapLong;
import org.sluice.device.counter.Counters;
import org.sluice.ib.IbFacts;
import org.sluice.ib.adapter.Resources;
import org.sluice.ib.adapter.VerbsFailure;
import org.sluice.ib.queue.Credits;
import org.sluice.ib.queue.SendQueue;
import org.sluice.ib.queue.SlotBudget;
import org.sluice.ib.wire.Greeting;
import org.sluice.ib.wire.Refusal;
import org.sluice.jni.verbs.VerbsCalls;
import org.sluice.jni.verbs.VerbsLayout;

/**
 * Makes and ends connections: asks when somebody wants to send, answers who asks, and lets one of two that crossed live: the lower rank's.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Owns</i>: connections, their identifiers and queue pairs. <i>Fails</i>: a connection that
 * can't be made ends FAILED with the reason; {@link #dead} lists it. <i>Proof</i>: {@code ConnectRxeTest}, {@code VerbsFaultsRxeTest}.
 */
public final class Connector implements AutoCloseable {
    private static final int RESOLVE_TIMEOUT_MS = 2000;
    private static final long RETRY_LIMIT = 8;

    private final VerbsCalls verbs;
    private final Resources resources;
    private final ConnectSettings settings;
    private final IbFacts own;
    private final SlotBudget budget;
    /** By rank; null where the peer is reached otherwise. */
    private final Connection[] connections;
    private final NonBlockingHashMapLong<Connection> byId = new NonBlockingHashMapLong<>();
    private final NonBlockingHashMapLong<Connection> byQueuePair = new NonBlockingHashMapLong<>();
    private final List<Connection> dead = new ArrayList<>();

    public Connector(VerbsCalls verbs, Resources resources, ConnectSettings settings, IbFacts own, int ranks) {
        this.verbs = verbs;
        this.resources = resources;
        this.settings = settings;
        this.own = own;
        this.connections = new Connection[ranks];
        this.budget = new SlotBudget(resources.slots(), settings.mostCredits());
    }

    /** Says where a peer listens; nothing is sent to it yet. */
    public void add(IbFacts peer) {
        Credits credits = new Credits(budget);
        Counters counters = new Counters();
        connections[peer.rank()] = new Connection(peer.rank(), peer, credits,
                new SendQueue(verbs, resources.sendBuffers(), credits, peer.rank(), resources.window(), counters), counters);
    }

    /** The connection to a rank; null where the peer is reached otherwise. */
    public Connection connection(int rank) {
        return connections[rank];
    }

    public Connection[] connections() {
        return connections;
    }

    public Connection ofQueuePair(long number) {
        return byQueuePair.get(number);
    }

    /** Those that failed and were not told yet; the caller empties it. */
    public List<Connection> dead() {
        return dead;
    }

    /** Fails a connection; its queue pair takes nothing any more. */
    public void fail(Connection connection, boolean isCorrupt, String reason) {
        ConnectionState before = connection.state();
        if (connection.fail(isCorrupt, reason)) {
            dead.add(connection);
            end(connection, before);
        }
    }

    /** Ends a connection of which nothing is to be told. */
    public void over(Connection connection) {
        ConnectionState before = connection.state();
        if (before != ConnectionState.OVER) {
            dead.remove(connection);
            connection.enter(ConnectionState.OVER);
            if (before != ConnectionState.FAILED) {
                end(connection, before);
            }
        }
    }

    private void end(Connection connection, ConnectionState before) {
        connection.credits().giveBack();
        if (before != ConnectionState.READY && before != ConnectionState.ACCEPTING) {
            // No packet has come or gone; the connection manager refuses in this rank's name what may still be answered.
            abandon(connection);
        } else if (connection.queuePair != 0) {
            // Tells the peer, and moves the queue pair to the error state, which flushes what is posted.
            if (verbs.disconnect(connection.id) < 0) {
                verbs.failQueuePair(connection.queuePair);
            }
        }
    }

    /** Starts what senders want. */
    public void startWanted() {
        for (Connection connection : connections) {
            if (connection != null && connection.state() == ConnectionState.WANTED) {
                start(connection);
            }
        }
    }

    private void start(Connection connection) {
        if (connection.attempts++ == 0) {
            connection.deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.timeoutMs());
        }
        connection.enter(ConnectionState.RESOLVING);
        long id = verbs.createId(settings.eventChannel());
        if (id < 0) {
            fail(connection, false, VerbsFailure.describe("rdma_create_id", id));
            return;
        }
        connection.id = id;
        byId.put(id, connection);
        int result = verbs.resolveAddress(id, own.address(), connection.facts().address(), connection.facts().port(), RESOLVE_TIMEOUT_MS);
        if (result < 0) {
            fail(connection, false, VerbsFailure.describe("rdma_resolve_addr of " + connection.facts().where(), result));
        }
    }

    /** One event of the connection manager, as {@link VerbsLayout} draws it. */
    void onEvent(int kind, int status, long id, byte[] privateData) {
        if (kind == VerbsLayout.CONNECT_REQUEST) {
            onRequest(id, Greeting.decode(privateData));
            return;
        }
        Connection connection = byId.get(id);
        if (connection == null || connection.state().isDead()) {
            return;
        }
        switch (kind) {
            case VerbsLayout.ADDRESS_RESOLVED:
                resolveRoute(connection);
                break;
            case VerbsLayout.ROUTE_RESOLVED:
                request(connection);
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
                fail(connection, false, "its end of the verbs connection is gone");
                break;
            case VerbsLayout.DEVICE_REMOVAL:
                fail(connection, false, "the RDMA device of this rank was removed");
                break;
            default:
                break;
        }
    }

    private static String eventName(int kind) {
        switch (kind) {
            case VerbsLayout.ADDRESS_ERROR: return "its address can't be resolved";
            case VerbsLayout.ROUTE_ERROR: return "there is no route to it";
            case VerbsLayout.UNREACHABLE: return "it doesn't answer";
            default: return "the connection could not be made";
        }
    }

    private void resolveRoute(Connection connection) {
        verbs.setAckTimeout(connection.id, settings.ackTimeout());
        int result = verbs.setTypeOfService(connection.id, settings.typeOfService());
        result = result < 0 ? result : verbs.resolveRoute(connection.id, RESOLVE_TIMEOUT_MS);
        if (result < 0) {
            again(connection, VerbsFailure.describe("rdma_resolve_route", result));
        }
    }

    private void request(Connection connection) {
        long made = makeQueuePair(connection);
        if (made < 0) {
            fail(connection, false, VerbsFailure.describe("rdma_create_qp", made));
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
        limits[VerbsCalls.QUEUE_PAIR_MAX_SEND_SGE] = 1;
        long made = verbs.createQueuePair(connection.id, resources.domain(), resources.completionQueue(), resources.completionQueue(),
                resources.receiveSlots().queue(), limits);
        if (made >= 0) {
            connection.queuePair = made;
            connection.queuePairNumber = limits[VerbsCalls.QUEUE_PAIR_NUMBER];
            connection.sends().queuePair(made);
            byQueuePair.put(connection.queuePairNumber, connection);
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
        if (connection.state() == ConnectionState.CONNECTING && !isFrom(connection, Greeting.decode(privateData))) {
            fail(connection, true, "what listens at " + connection.facts().where() + " is not rank " + connection.peer() + " of this job");
            return;
        }
        connection.enter(ConnectionState.READY);
    }

    /** A packet came: its peer holds the connection for made, whatever became of the message that says so. */
    public void heard(Connection connection) {
        if (connection.state() == ConnectionState.ACCEPTING) {
            connection.enter(ConnectionState.READY);
        }
    }

    private boolean isFrom(Connection connection, Greeting greeting) {
        return greeting != null && greeting.from() == connection.peer() && greeting.to() == own.rank()
                && greeting.process().equals(connection.facts().process()) && isOwn(greeting.secret());
    }

    private boolean isOwn(UUID secret) {
        return secret.equals(own.secret());
    }

    private void onRequest(long id, Greeting greeting) {
        Connection connection = greeting == null || greeting.from() < 0 || greeting.from() >= connections.length ? null
                : connections[greeting.from()];
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
                // It asks once at a time: what it asked for before is over, and the word of that was lost or is on its way.
                abandon(connection);
                accept(connection, id);
                break;
            case RESOLVING:
            case CONNECTING:
                if (connection.peer() < own.rank()) {
                    abandon(connection);
                    accept(connection, id);
                } else {
                    refuse(id, Refusal.CROSSED);
                }
                break;
            default:
                refuse(id, Refusal.NOT_AGAIN);
        }
    }

    private void refuse(long id, Refusal why) {
        verbs.reject(id, why.encode());
        verbs.destroyId(id);
    }

    private void accept(Connection connection, long id) {
        connection.id = id;
        byId.put(id, connection);
        long result = makeQueuePair(connection);
        if (result < 0) {
            verbs.reject(id, Refusal.NO_RESOURCES.encode());
            fail(connection, false, VerbsFailure.describe("rdma_create_qp", result));
            return;
        }
        connection.enter(ConnectionState.ACCEPTING);
        connection.deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.timeoutMs());
        verbs.setAckTimeout(id, settings.ackTimeout());
        result = verbs.accept(id, parameters(connection.facts()), greeting(connection.facts()));
        if (result < 0) {
            abandon(connection);
            fail(connection, false, VerbsFailure.describe("rdma_accept", result));
        }
    }

    /** Of a connection that is over, and on which nobody sends: afterwards the adapter reads and writes nothing for it. */
    public void destroyQueuePair(Connection connection) {
        if (connection.queuePair != 0) {
            byQueuePair.remove(connection.queuePairNumber);
            verbs.destroyQueuePair(connection.id);
            connection.queuePair = 0;
            connection.sends().giveBack();
        }
    }

    /** Gives up this rank's own attempt; nothing was ever posted to its queue pair. */
    private void abandon(Connection connection) {
        byId.remove(connection.id);
        if (connection.queuePair != 0) {
            byQueuePair.remove(connection.queuePairNumber);
            verbs.destroyQueuePair(connection.id);
            connection.queuePair = 0;
        }
        if (connection.id != 0) {
            verbs.destroyId(connection.id);
            connection.id = 0;
        }
    }

    private void onRejected(Connection connection, int status, Refusal why) {
        if (why == Refusal.CROSSED && connection.peer() > own.rank()) {
            fail(connection, true, "it refused a connection that it had to accept");
        } else if (why == Refusal.CROSSED) {
            abandon(connection);
            connection.enter(ConnectionState.CROSSED);
        } else if (why == Refusal.UNKNOWN) {
            // Nobody listens there (yet), or the request was lost on the way.
            again(connection, "nobody accepts connections at " + connection.facts().where() + " (status " + status + ")");
        } else {
            fail(connection, false, "it refused the connection: " + why.text());
        }
    }

    /** Tries once more, as long as there is time; {@link #checkDeadlines} lets some pass first. */
    private void again(Connection connection, String why) {
        if (connection.state() == ConnectionState.READY) {
            fail(connection, false, why);
        } else if (connection.attempts > RETRY_LIMIT || System.nanoTime() - connection.deadlineNanos >= 0) {
            fail(connection, false, why + ", after " + connection.attempts + " attempts");
        } else {
            abandon(connection);
            connection.enter(ConnectionState.WANTED);
        }
    }

    /** A few times a second. */
    public void checkDeadlines() {
        long now = System.nanoTime();
        for (Connection connection : connections) {
            if (connection == null) {
                continue;
            }
            ConnectionState state = connection.state();
            boolean isOnTheWay = state == ConnectionState.RESOLVING || state == ConnectionState.CONNECTING
                    || state == ConnectionState.ACCEPTING || state == ConnectionState.CROSSED;
            if (isOnTheWay && now - connection.deadlineNanos >= 0) {
                fail(connection, false, "no connection within " + settings.timeoutMs() + " ms (sluice.ib.connect.timeout.ms); it stands at "
                        + state);
            }
        }
    }

    /** Destroys all connections; nobody sends any more. */
    @Override
    public void close() {
        for (Connection connection : connections) {
            if (connection != null) {
                abandon(connection);
                connection.sends().close();
            }
        }
    }
}
