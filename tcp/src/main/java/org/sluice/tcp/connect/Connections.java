package org.sluice.tcp.connect;

import java.util.ArrayList;
import java.util.List;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.device.memory.Memory;
import org.sluice.tcp.stream.Blocks;
import org.sluice.tcp.stream.Inbound;
import org.sluice.tcp.stream.Offers;
import org.sluice.tcp.stream.Outbound;
import org.sluice.tcp.stream.Wire;

/**
 * A rank's connections by peer, and how they end: by failure, which is told after the peer's last packet, or silently.
 *
 * <p><i>Thread</i>: state changes under this object's monitor; the look-ups come from any thread, {@link #takeFailed}
 * and {@link #over} under the progress lock. <i>Proof</i>: {@code ConnectTest}.
 */
public final class Connections {
    private final WaitWord word;
    private final Blocks blocks = new Blocks();
    private final Offers offers = new Offers();
    /** By rank; null where the peer is reached otherwise. */
    private final Connection[] connections;

    private final List<Connection> failed = new ArrayList<>();
    private volatile boolean hasFailed;
    /** Counts those that came to be READY, or were. */
    private volatile int changes;

    private final Counters counters = new Counters();

    public Connections(int ranks, WaitWord word) {
        this.connections = new Connection[ranks];
        this.word = word;
    }

    public synchronized void add(PeerAddress peer) {
        Counters own = new Counters();
        Outbound outbound = new Outbound(blocks, own);
        connections[peer.rank()] =
                new Connection(peer.rank(), peer, own, outbound, new Inbound(peer.rank(), blocks, offers, outbound));
    }

    public Connection of(int rank) {
        return connections[rank];
    }

    public Connection[] all() {
        return connections;
    }

    Blocks blocks() {
        return blocks;
    }

    public Offers offers() {
        return offers;
    }

    /** How many were made. */
    public Counters counters() {
        return counters;
    }

    /** Differs where one has become READY, or is no more, since it was asked for before. Any thread. */
    public int changes() {
        return changes;
    }

    /**
     * Wakes the rank if it sleeps; what the caller changed before is seen by the poll that follows its announcement, or
     * it is woken.
     */
    public void wake() {
        word.fences().afterPublish();
        Memory.fullFence();
        word.ringIfSleeping();
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField")
    private void changed() {
        changes++;
        wake();
    }

    synchronized boolean ready(Connection connection, Wire wire) {
        if (connection.state().isDead()) {
            return false;
        }
        counters.increment(Counter.CONNECTIONS);
        connection.closedUnmet(false);
        connection.ready(wire);
        changed();
        return true;
    }

    /** Any thread. */
    public synchronized void fail(Connection connection, boolean isCorrupt, String reason) {
        if (connection.fail(isCorrupt, reason)) {
            failed.add(connection);
            hasFailed = true;
            changed();
        }
    }

    /** The job says that a rank has died. A connection that stands tells it by itself, after what the peer had sent. */
    public synchronized void lost(int peer) {
        Connection connection = connections[peer];
        if (connection != null && connection.state() != ConnectionState.READY) {
            fail(connection, false, "its process, or its machine, has ended");
        }
    }

    /** As {@link org.sluice.device.channel.Connecting#leaveUnmet}. */
    public synchronized boolean leaveUnmet(int peer) {
        return connections[peer].leaveUnmet();
    }

    /** A peer has said, past this channel, that it closes and has not met this rank. Any thread. */
    public synchronized void peerClosed(int peer) {
        Connection connection = connections[peer];
        if (connection == null
                || connection.state() == ConnectionState.READY
                || connection.state().isDead()) {
            return;
        }
        connection.closedUnmet(true);
        if (connection.state().compareTo(ConnectionState.WANTED) <= 0) {
            fail(connection, false, Handshake.Verdict.CLOSED.text);
        }
    }

    /** Whether {@link #takeFailed} has one. Any thread. */
    public boolean hasFailed() {
        return hasFailed;
    }

    /** One that failed and was not told yet; it is told of now. */
    public synchronized Connection takeFailed() {
        if (failed.isEmpty()) {
            hasFailed = false;
            return null;
        }
        return failed.remove(failed.size() - 1);
    }

    /** Ends a connection of which nothing is to be told any more. */
    public void over(Connection connection) {
        synchronized (this) {
            connection.enter(ConnectionState.OVER);
            failed.remove(connection);
            changed();
        }
        connection.close();
    }
}
