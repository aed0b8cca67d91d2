package org.sluice.tcp.connect;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.sluice.device.counter.Counters;
import org.sluice.tcp.stream.Inbound;
import org.sluice.tcp.stream.Outbound;
import org.sluice.tcp.stream.Wire;

/**
 * A rank's way to one peer: its state, its socket, and what goes and comes there.
 *
 * <p><i>Thread</i>: state is read by any; it changes under the monitor of {@link Connections}, except that a sender
 * moves IDLE to WANTED under this one's. <i>Owns</i>: the socket, until {@link #closeSocket}. <i>Proof</i>:
 * {@code ConnectTest}.
 */
public final class Connection {
    private final int peer;
    private final PeerAddress address;
    private final Counters counters;
    private final Outbound outbound;
    private final Inbound inbound;

    private volatile ConnectionState state = ConnectionState.IDLE;
    private volatile SocketChannel socket;
    private String reason;
    private boolean corrupt;
    private boolean isClosedUnmet;

    /** Of the poller: its selector has found something there. */
    private boolean isReadable;

    /** Of the helper: when an attempt that goes on is given up. */
    long deadlineNanos;
    /** Of the helper: the pause after an attempt that failed. */
    long notBeforeNanos;
    /** Of the helper: what became of the attempts. */
    final Unreached unreached = new Unreached();
    /** Of the helper: the attempt that goes on. */
    Handshake handshake;
    /** Of the helper; null before it is READY. */
    Silence silence;
    /** Of the helper: the peer's port can be reached from here. */
    boolean isReached;

    /** Of the helper: what {@link Outbound#written} said when it last looked. */
    long seenWritten = -1;

    /** Of the helper: which address comes next. */
    int attempts;

    Connection(int peer, PeerAddress address, Counters counters, Outbound outbound, Inbound inbound) {
        this.peer = peer;
        this.address = address;
        this.counters = counters;
        this.outbound = outbound;
        this.inbound = inbound;
    }

    public int peer() {
        return peer;
    }

    PeerAddress address() {
        return address;
    }

    public Outbound outbound() {
        return outbound;
    }

    public Inbound inbound() {
        return inbound;
    }

    /** Counts what happens under the monitor of the outbound stream. */
    public Counters counters() {
        return counters;
    }

    public ConnectionState state() {
        return state;
    }

    public SocketChannel socket() {
        return socket;
    }

    synchronized void enter(ConnectionState next) {
        state = next;
    }

    /**
     * A sender needs it.
     *
     * @return true where it was idle
     */
    boolean want() {
        if (state != ConnectionState.IDLE) {
            return false;
        }
        synchronized (this) {
            if (state != ConnectionState.IDLE) {
                return false;
            }
            state = ConnectionState.WANTED;
            return true;
        }
    }

    synchronized boolean leaveUnmet() {
        if (state != ConnectionState.IDLE) {
            return false;
        }
        isClosedUnmet = true;
        state = ConnectionState.OVER;
        return true;
    }

    /** Under the monitor of {@link Connections}. */
    void closedUnmet(boolean is) {
        isClosedUnmet = is;
    }

    /** Whether it ended as one of the two has closed. Of one that is dead. */
    public boolean isClosedUnmet() {
        return isClosedUnmet;
    }

    /** Under the monitor of {@link Connections}. */
    boolean fail(boolean isCorrupt, String why) {
        if (state.isDead()) {
            return false;
        }
        corrupt = isCorrupt;
        reason = why;
        enter(ConnectionState.FAILED);
        return true;
    }

    public String reason() {
        return reason;
    }

    public boolean isCorrupt() {
        return corrupt;
    }

    void ready(Wire wire) {
        socket = wire.socket();
        outbound.open(wire, inbound);
        inbound.open(wire);
        enter(ConnectionState.READY);
    }

    /** Where the peer listens, at the address that the connection has. */
    SocketAddress remote() throws IOException {
        InetSocketAddress now = (InetSocketAddress) socket.getRemoteAddress();
        return new InetSocketAddress(now.getAddress(), address.port());
    }

    /** Under the progress lock. */
    public boolean isReadable() {
        return isReadable;
    }

    public void readable(boolean is) {
        isReadable = is;
    }

    /**
     * Reads, for nobody, what was encrypted if it was.
     *
     * @return whether more may come
     */
    public boolean drop(ByteBuffer into) {
        try {
            int read;
            do {
                read = socket.read(into.clear());
            } while (read > 0);
            return read == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Ends what goes and comes, with nothing to be told. */
    public void close() {
        outbound.close();
        inbound.close();
        closeSocket();
    }

    /** Nothing is read or written any more. */
    private void closeSocket() {
        SocketChannel open = socket;
        if (open != null) {
            Sockets.close(open);
        }
    }

    @Override
    public String toString() {
        return "Connection[to " + peer + ends() + ", " + state + (reason == null ? "" : ": " + reason) + ", " + outbound
                + "]";
    }

    /** As {@code ss -ti} names it. */
    private String ends() {
        SocketChannel open = socket;
        try {
            return open == null
                    ? ""
                    : " from " + words(open.getLocalAddress()) + " to " + words(open.getRemoteAddress());
        } catch (IOException e) {
            return " (closed)";
        }
    }

    private static String words(SocketAddress address) {
        if (!(address instanceof InetSocketAddress)) {
            return "nowhere";
        }
        InetSocketAddress end = (InetSocketAddress) address;
        String host = end.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + end.getPort();
    }
}
