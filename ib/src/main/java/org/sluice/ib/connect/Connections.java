package org.sluice.ib.connect;

import java.util.ArrayList;
import java.util.List;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.ib.IbFacts;
import org.sluice.ib.adapter.GivingBack;
import org.sluice.ib.adapter.Resources;
import org.sluice.ib.queue.Credits;
import org.sluice.ib.queue.ReceiveSlots;
import org.sluice.ib.queue.SendQueue;
import org.sluice.ib.queue.SlotBudget;
import org.sluice.ib.sleep.EventWatch;
import org.sluice.ib.wire.Refusal;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * A rank's connections, found by peer or by queue pair, and how they end: by failure, which is told after the peer's
 * last packet, or silently.
 *
 * <p><i>Thread</i>: state changes, and every call of librdmacm is made, under this object's monitor, the connection
 * lock. It is the innermost lock: progress thread and senders take it inside theirs, the helper takes it alone, and its
 * holder waits for nothing but system calls. {@link #collect}, {@link #dead} and {@link #over} are besides under the
 * progress lock; the look-ups come from any thread. <i>Owns</i>: identifiers and queue pairs; one that was ever READY
 * lives until {@link #close}, so that whoever saw READY may post to it, or until {@link #destroyQueuePair}, when nobody
 * does. <i>Fails</i>: not itself. <i>Proof</i>: {@code ConnectRxeTest}, {@code VerbsFaultsRxeTest}.
 */
public final class Connections implements AutoCloseable {
    private final VerbsCalls verbs;
    private final Resources resources;
    private final WaitWord word;
    private final SlotBudget budget;
    private final GivingBack back = new GivingBack();
    private final Undestroyed undestroyed;
    /** By rank; null where the peer is reached otherwise. */
    private final Connection[] connections;

    private final ConnectionTable byId = new ConnectionTable();
    private final ConnectionTable byQueuePair = new ConnectionTable();
    /** Under the connection lock: what failed since the last {@link #collect}. */
    private final List<Connection> failed;

    private volatile boolean hasFailed;
    private volatile boolean isPortDown;
    /** Under the connection lock. */
    private final Counters counters = new Counters();
    /** Under the progress lock: failed before the last poll began, and not told yet. */
    private final List<Connection> dead;

    /** @param word rung when a connection is ready or has failed */
    public Connections(VerbsCalls verbs, Resources resources, int mostCredits, WaitWord word, int ranks) {
        this.verbs = verbs;
        this.resources = resources;
        this.word = word;
        this.undestroyed = new Undestroyed(verbs);
        this.connections = new Connection[ranks];
        // With room for all: a connection that fails is told of also where there is no memory left.
        this.failed = new ArrayList<>(ranks);
        this.dead = new ArrayList<>(ranks);
        this.budget = new SlotBudget(resources.slots() - ReceiveSlots.mostKept(resources.slots()), mostCredits);
    }

    /** Says where a peer listens; nothing is sent to it yet. */
    public synchronized void add(IbFacts peer) {
        Credits credits = new Credits(budget);
        Counters counters = new Counters();
        connections[peer.rank()] = new Connection(
                peer.rank(),
                peer,
                credits,
                new SendQueue(
                        verbs,
                        resources.sendBuffers(),
                        credits,
                        peer.rank(),
                        resources.window(),
                        resources.bundle(),
                        counters),
                counters);
    }

    public SlotBudget budget() {
        return budget;
    }

    /**
     * Adds receive slots, where there may be more, which busy peers may borrow too. Any thread.
     *
     * @return how many
     */
    public int addSlots() {
        int added = resources.receiveSlots().grow();
        budget.slots(resources.receiveSlots().count() - ReceiveSlots.mostKept(resources.slots()));
        return added;
    }

    /** The connection to a rank; null where the peer is reached otherwise. */
    public Connection of(int rank) {
        return connections[rank];
    }

    public Connection[] all() {
        return connections;
    }

    public Connection ofQueuePair(long number) {
        return byQueuePair.get(number);
    }

    Connection ofId(long id) {
        return byId.get(id);
    }

    /** Under the connection lock. */
    void identify(Connection connection, long id) {
        connection.id = id;
        byId.put(id, connection);
    }

    /**
     * Under the connection lock: the connection goes on with another identifier, which gets a copy of this one's route.
     */
    void keepRoute(Connection connection) {
        byId.remove(connection.id);
        connection.routedId = connection.id;
        connection.id = 0;
    }

    /** Under the connection lock: nobody copies that route any more. */
    void dropRoute(Connection connection) {
        if (connection.routedId != 0) {
            destroyId(connection.routedId);
            connection.routedId = 0;
        }
    }

    /** Under the connection lock: this queue pair is the connection's from now on. */
    void queuePair(Connection connection, long queuePair, long number, int inlineBytes) {
        connection.queuePair = queuePair;
        connection.queuePairNumber = number;
        connection.sends().queuePair(queuePair, inlineBytes);
        byQueuePair.put(number, connection);
    }

    /** Under the connection lock: all that a sender needs is there. Whoever waits for it is woken. */
    void ready(Connection connection) {
        counters.increment(Counter.CONNECTIONS);
        connection.closedUnmet(false);
        connection.enter(ConnectionState.READY);
        EventWatch.wake(word);
    }

    /**
     * A packet came on this queue pair: its peer holds the connection for made, whatever became of the message that
     * says so.
     */
    public void heard(Connection connection, long queuePairNumber) {
        if (connection.state() == ConnectionState.ACCEPTING) {
            synchronized (this) {
                if (connection.state() == ConnectionState.ACCEPTING && connection.queuePairNumber == queuePairNumber) {
                    connection.isUnconfirmed = true;
                    ready(connection);
                }
            }
        }
    }

    /**
     * For the reason of what fails meanwhile; by itself it ends nothing, as the adapter sends again for a while. Any
     * thread.
     */
    public void portIsDown(boolean is) {
        isPortDown = is;
    }

    /** Fails a connection; its queue pair takes nothing any more. Any thread. */
    public synchronized void fail(Connection connection, boolean isCorrupt, String reason) {
        ConnectionState before = connection.state();
        if (connection.fail(isCorrupt, isPortDown ? ofPort(reason) : reason)) {
            failed.add(connection);
            hasFailed = true;
            end(connection, before);
            EventWatch.wake(word);
        }
    }

    /**
     * Throws nothing: a work request that was refused may be on its way all the same, and its connection has to fail.
     */
    private static String ofPort(String reason) {
        try {
            return reason + "; the port of this rank's RDMA device is down";
        } catch (OutOfMemoryError e) {
            return reason;
        }
    }

    /**
     * The device itself is of no use any more: also peers that nobody has sent to fail, since none can be connected to.
     * Any thread.
     */
    public synchronized void failAll(String reason) {
        for (Connection connection : connections) {
            if (connection != null) {
                fail(connection, false, reason);
            }
        }
    }

    /**
     * The job says that a rank has died. Any thread. Where a connection stands the adapter finds it out itself, after
     * what the peer had sent; one that was not made yet would never tell.
     */
    public synchronized void lost(int peer) {
        Connection connection = connections[peer];
        if (connection != null && connection.state() != ConnectionState.READY) {
            fail(connection, false, "its process, or its machine, has ended");
        }
    }

    /** As {@link org.sluice.device.channel.Connecting#leaveUnmet}: from here on requests of this peer are refused. */
    public synchronized boolean leaveUnmet(int peer) {
        return connections[peer].leaveUnmet();
    }

    /**
     * A peer has said, past this channel, that it closes and has not met this rank. Any thread. Where a connection
     * stands, the peer has met it meanwhile, and says CLOSE there; what becomes of a request that is on its way to the
     * peer shows whether it has.
     */
    public synchronized void peerClosed(int peer) {
        Connection connection = connections[peer];
        if (connection == null
                || connection.state() == ConnectionState.READY
                || connection.state().isDead()) {
            return;
        }
        connection.closedUnmet(true);
        // Up to here nothing is on its way.
        if (connection.state().compareTo(ConnectionState.RESOLVING) <= 0) {
            fail(connection, false, Refusal.CLOSED.text());
        }
    }

    /** How many were made. */
    public Counters counters() {
        return counters;
    }

    /**
     * At the beginning of a poll: only what failed before completions were taken can be told after them, as whatever
     * such a peer had sent is among those.
     */
    public void collect() {
        if (hasFailed) {
            synchronized (this) {
                for (int i = 0; i < failed.size(); i++) {
                    dead.add(failed.get(i));
                }
                failed.clear();
                hasFailed = false;
            }
        }
    }

    /** Those that failed before the last {@link #collect} and were not told yet. */
    public List<Connection> dead() {
        return dead;
    }

    /** Ends a connection of which nothing is to be told any more. */
    public void over(Connection connection) {
        synchronized (this) {
            ConnectionState before = connection.state();
            connection.enter(ConnectionState.OVER);
            failed.remove(connection);
            if (!before.isDead()) {
                end(connection, before);
            }
        }
        dead.remove(connection);
        connection.credits().giveBack();
    }

    private void end(Connection connection, ConnectionState before) {
        if (before != ConnectionState.READY && before != ConnectionState.ACCEPTING) {
            // No packet has come or gone; the connection manager refuses in this rank's name what may still be
            // answered.
            abandon(connection);
        } else if (connection.queuePair != 0) {
            // Tells the peer, and moves the queue pair to the error state, which flushes what is posted.
            if (verbs.disconnect(connection.id) < 0) {
                verbs.failQueuePair(connection.queuePair);
            }
        }
    }

    /** Gives up an attempt, under the connection lock; nothing of this rank was ever posted to its queue pair. */
    void abandon(Connection connection) {
        dropRoute(connection);
        byId.remove(connection.id);
        if (connection.queuePair != 0) {
            byQueuePair.remove(connection.queuePairNumber);
            connection.queuePair = 0;
            if (verbs.destroyQueuePair(connection.id) < 0) {
                // Its identifier knows it, and stays as long as it does.
                undestroyed.add(connection.id);
                connection.id = 0;
            }
        }
        if (connection.id != 0) {
            destroyId(connection.id);
            connection.id = 0;
        }
    }

    /** Under the connection lock: where the library doesn't take it, close tells. */
    void destroyId(long id) {
        back.took("rdma_destroy_id", verbs.destroyId(id));
    }

    /**
     * Of a connection that is over, and on which nobody sends: afterwards the adapter reads and writes nothing for it.
     *
     * @return false where the adapter doesn't let go of it: then it keeps everything until close
     */
    public synchronized boolean destroyQueuePair(Connection connection) {
        if (connection.queuePair == 0) {
            return true;
        }
        if (verbs.destroyQueuePair(connection.id) < 0) {
            return false;
        }
        byQueuePair.remove(connection.queuePairNumber);
        connection.queuePair = 0;
        connection.sends().giveBack();
        return true;
    }

    /** Ends all, without a word to anybody above. */
    public void endAll() {
        for (Connection connection : connections) {
            if (connection != null) {
                over(connection);
            }
        }
    }

    /** Destroys all connections; nobody sends any more, and the helper has ended. */
    @Override
    public synchronized void close() {
        for (Connection connection : connections) {
            if (connection != null) {
                abandon(connection);
                connection.sends().close();
            }
        }
        undestroyed.end(back);
        back.end();
    }

    /** After close: the adapter has queue pairs of this rank that it didn't destroy, and may use whatever they may. */
    public synchronized boolean isAnyLeft() {
        return !undestroyed.isEmpty();
    }
}
