package org.sluice.tcp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.buffer.MappedMemory;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.ChannelListener;
import org.sluice.device.channel.Coalescing;
import org.sluice.device.channel.Connecting;
import org.sluice.device.channel.GetResult;
import org.sluice.device.channel.Pacing;
import org.sluice.device.channel.PutResult;
import org.sluice.device.channel.Reading;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.channel.Writing;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.device.jvm.FileLimit;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.device.random.Unguessable;
import org.sluice.jni.os.OsCalls;
import org.sluice.tcp.connect.Connection;
import org.sluice.tcp.connect.ConnectionState;
import org.sluice.tcp.connect.Connections;
import org.sluice.tcp.connect.Connector;
import org.sluice.tcp.connect.Interfaces;
import org.sluice.tcp.connect.PeerAddress;
import org.sluice.tcp.connect.Retransmits;
import org.sluice.tcp.stream.Offers;
import org.sluice.tcp.stream.Outbound;
import org.sluice.tcp.tls.Identity;

/**
 * Ranks that neither share memory nor have verbs, over one TCP connection for each pair, made when one first sends to
 * the other.
 *
 * <p><i>Thread</i>: as {@link Channel} says. <i>Owns</i>: sockets, selectors and the helper. <i>Fails</i>: a peer whose
 * connection can't be made or breaks is told once, after what it had sent. <i>Proof</i>: {@code TcpChannelTest}.
 */
public final class TcpChannel implements Channel, Coalescing, Reading, Writing, Connecting, Pacing {
    /** Upper half of the key of memory that can only be written by its owner, to where the peer says. */
    private static final long WRITTEN = 9;
    /** Upper half of the key of memory that the peer may write to; the lower half is the offer's number. */
    private static final long OFFERED = 10;

    /** From this many connections on one look tells which have something; below, each is asked. */
    private static final int MANY = 4;

    private static final long PAUSE_NANOS = 20_000;
    /** What the peer's kernel has room for in any case. */
    private static final int SURELY_THERE = 48 << 10;

    private final Options options;
    private final Connections connections;
    private final Connector connector;
    private final Retransmits retransmits;
    private final Interfaces interfaces;
    private final PeerAddress own;
    /** Null without TLS. */
    private final Identity identity;

    private final Counters counters = new Counters();
    private final Selector readable;
    /** Those that are READY, as of {@link #changes}; under the progress lock, as what follows. */
    private Connection[] active = {};

    private int changes;
    private int next;
    private boolean hasMore;
    private boolean closed;
    /** By rank, after close: what was sent to it may not have arrived. */
    private final boolean[] undelivered;
    /** After close: whose peers have not taken all. */
    private List<Connection> lingering = List.of();

    /**
     * Listens; packets flow once peers are added and {@link #start} was called.
     *
     * @param ranks in the job
     * @param word what wakes this rank
     * @param os tells what the kernel has counted, if it is there
     */
    public static TcpChannel create(int rank, int ranks, WaitWord word, OsCalls os, Options options) {
        return new TcpChannel(rank, ranks, word, os, options);
    }

    private TcpChannel(int rank, int ranks, WaitWord word, OsCalls os, Options options) {
        this.options = options;
        retransmits = new Retransmits(os, ranks);
        interfaces = Interfaces.of(options);
        connections = new Connections(ranks, word);
        undelivered = new boolean[ranks];
        try {
            readable = Selector.open();
        } catch (IOException e) {
            throw FileLimit.failure("no selector", e);
        }
        try {
            identity = options.text(Option.TCP_TLS).equals("on") ? Identity.create(rank) : null;
            connector = new Connector(rank, connections, identity, interfaces, options);
        } catch (Throwable e) {
            closeSelector();
            throw e;
        }
        own = new PeerAddress(
                rank,
                interfaces.addresses(),
                connector.port(),
                Unguessable.bytes(TcpFacts.SECRET_BYTES),
                identity == null ? null : identity.fingerprint());
    }

    /** What peers need to connect; goes through the job's bootstrap. */
    public byte[] facts() {
        return TcpFacts.encode(own);
    }

    /** Where this rank listens. */
    int port() {
        return own.port();
    }

    /** For tests, which write what no channel writes. */
    SocketChannel socket(int peer) {
        return connections.of(peer).socket();
    }

    /**
     * Says where a peer listens; the connection is made when it is first sent to.
     *
     * @throws SluiceException OPEN_FAILED where one of the two has TLS and the other has not
     */
    public void add(int peer, byte[] facts) {
        PeerAddress at = TcpFacts.decode(peer, facts);
        if (at.hasTls() != own.hasTls()) {
            String property = Option.TCP_TLS.property();
            throw new SluiceException(
                    ErrorCode.OPEN_FAILED,
                    peer,
                    "rank " + peer + " has " + property + "=" + (at.hasTls() ? "on" : "off") + " and rank "
                            + own.rank() + " has it " + (own.hasTls() ? "on" : "off")
                            + ": all ranks of a job have to have the same; give it to the launcher (-D" + property
                            + "=on), or set " + Option.TCP_TLS.environmentVariable() + " alike on all machines",
                    null);
        }
        if (identity != null) {
            identity.trust(at.certificate());
        }
        connections.add(at.reachedAt(interfaces.order(at.addresses())));
    }

    /** All peers are added: those who dial are answered from here on. */
    public void start() {
        connector.start(own);
    }

    /** Connects with all higher ranks, while the caller goes on; once all peers were started. */
    public void wantAll() {
        for (int peer = own.rank() + 1; peer < connections.all().length; peer++) {
            if (connections.of(peer) != null) {
                want(peer);
            }
        }
    }

    /** Where the connection to a peer stands. Any thread. */
    public ConnectionState state(int peer) {
        return connections.of(peer).state();
    }

    /** Has a peer connected to that nobody has sent to yet. Any thread. */
    public void want(int peer) {
        connector.want(connections.of(peer));
    }

    /** The job says that a rank has died. Any thread. */
    public void lost(int peer) {
        connections.lost(peer);
    }

    /** The job says that a rank closes, which had not met this one. Any thread. */
    public void closed(int peer) {
        connections.peerClosed(peer);
    }

    @Override
    public boolean isUnmet(int peer) {
        return state(peer) == ConnectionState.IDLE;
    }

    @Override
    public boolean leaveUnmet(int peer) {
        return connections.leaveUnmet(peer);
    }

    /** Asks the kernel for its own counts too. */
    @Override
    public Counters[] counters() {
        retransmits.read(connections.all());
        List<Counters> all = new ArrayList<>(List.of(counters, connections.counters()));
        for (Connection connection : connections.all()) {
            if (connection != null) {
                all.add(connection.counters());
            }
        }
        return all.toArray(new Counters[0]);
    }

    @Override
    public Counters[] counters(int peer) {
        Connection connection = connections.of(peer);
        return connection == null ? Channel.super.counters(peer) : new Counters[] {connection.counters()};
    }

    @Override
    public Set<Counter> unknownCounters() {
        return retransmits.unknown() == null ? Set.of() : Set.of(Counter.SOCKET_RETRANSMITS);
    }

    @Override
    public String name() {
        return "tcp";
    }

    @Override
    public int eagerLimitBytes() {
        return Outbound.BODY_BYTES;
    }

    @Override
    public int protocolSwitchLimitBytes() {
        return Outbound.BODY_BYTES;
    }

    @Override
    public int chunkBytes() {
        return Outbound.BODY_BYTES;
    }

    @Override
    public int getBytes(RemoteReference from) {
        return Outbound.PIECE_BYTES;
    }

    @Override
    public int trySend(
            int peer, int kind, int contextId, int tag, Object base, long address, int bytes, Object reference) {
        Connection connection = connections.of(peer);
        if (connection.state() != ConnectionState.READY) {
            return notReady(connection);
        }
        int result = connection.outbound().trySend(kind, contextId, tag, base, address, bytes);
        if (connection.outbound().isKept()) {
            connector.kept();
        }
        if (connection.outbound().isStuck()) {
            connector.stuck();
        }
        return result;
    }

    private int notReady(Connection connection) {
        connector.want(connection);
        return connection.state().isDead() ? PEER_FAILED : NO_RESOURCE;
    }

    @Override
    public Coalescing coalescing() {
        return this;
    }

    @Override
    public void gather(int peer) {
        connections.of(peer).outbound().gather();
    }

    @Override
    public boolean flush(int peer) {
        Connection connection = connections.of(peer);
        // Also before it is ready: what is sent alone afterwards must not wait for others.
        if (!connection.state().isDead()) {
            connection.outbound().flush();
            if (connection.outbound().isStuck()) {
                connector.stuck();
            }
        }
        return true;
    }

    @Override
    public Connecting connecting() {
        return this;
    }

    /** Credit is found by polling. */
    @Override
    public boolean makesRoomUnpolled(int peer) {
        return state(peer) != ConnectionState.READY;
    }

    /** The kernel wakes the peer's helper. */
    @Override
    public void signal(int peer) {}

    @Override
    public Reading reading() {
        return this;
    }

    @Override
    public Writing writing() {
        return this;
    }

    /** Out of direct memory the kernel takes the bytes themselves; those of an array are copied in any case. */
    @Override
    public boolean describe(int peer, Object owner, Object base, long address, long bytes, RemoteReference into) {
        into.clear();
        if (base != null || isTouchedHere(owner)) {
            return false;
        }
        into.set(WRITTEN << Integer.SIZE, 0, null);
        into.lease = owner;
        return true;
    }

    /** Pages of a file that go are the kernel's to meet, which reads and writes them but for what is encrypted. */
    private boolean isTouchedHere(Object owner) {
        return identity != null && MappedMemory.isMapped(owner);
    }

    @Override
    public void release(Object lease) {
        // The kernel reads in calls of this rank alone.
    }

    @Override
    public GetResult get(
            int peer,
            RemoteReference from,
            long offset,
            Object owner,
            Object base,
            long address,
            int bytes,
            Object ticket) {
        return from.key == WRITTEN << Integer.SIZE && from.address == 0 ? GetResult.BY_PUT : GetResult.FAILED;
    }

    @Override
    public boolean offer(int peer, Object owner, Object base, long address, long bytes, RemoteReference into) {
        if (base != null || isTouchedHere(owner)) {
            return false;
        }
        Offers.Offer offer = connections.offers().add(peer, owner, address, bytes);
        into.set(OFFERED << Integer.SIZE | offer.index(), offer.generation(), null);
        into.lease = offer;
        return true;
    }

    @Override
    public void takeBack(int peer, Object lease) {
        connections.of(peer).inbound().takeBack((Offers.Offer) lease);
    }

    @Override
    public int putBytes() {
        return Outbound.PIECE_BYTES;
    }

    @Override
    public PutResult put(
            int peer, RemoteReference from, long address, int bytes, RemoteReference to, long offset, Object ticket) {
        if (to.key >>> Integer.SIZE != OFFERED || to.address != (int) to.address) {
            return PutResult.FAILED;
        }
        Connection connection = connections.of(peer);
        if (connection.state() != ConnectionState.READY) {
            return PutResult.NO_RESOURCE;
        }
        long where = to.key << Integer.SIZE | to.address & 0xffffffffL;
        PutResult result = connection.outbound().put(where, offset, from.lease, address, bytes, ticket);
        if (connection.outbound().isStuck()) {
            connector.stuck();
        }
        return result;
    }

    @Override
    public Pacing pacing() {
        return this;
    }

    @Override
    public boolean wantsPoll() {
        return hasMore || connections.hasFailed();
    }

    @Override
    public int poll(ChannelListener listener, int limit) {
        connector.tell();
        if (changes != connections.changes()) {
            renew();
        }
        Connection[] all = active;
        boolean areMany = all.length > MANY;
        if (areMany) {
            select();
        }
        int handed = 0;
        boolean more = false;
        for (int i = 0; i < all.length; i++) {
            next = next + 1 < all.length ? next + 1 : 0;
            Connection each = all[next];
            if (each.state() != ConnectionState.READY) {
                continue;
            }
            each.outbound().push();
            tellFinished(each, listener);
            if (handed < limit
                    && (!areMany || each.isReadable() || each.inbound().hasMore())) {
                each.readable(false);
                handed += each.inbound().poll(listener, limit - handed);
                checkFault(each);
            }
            more |= each.inbound().hasMore();
        }
        hasMore = more;
        if (more && handed == 0) {
            // Whoever takes this for nothing, and sleeps, hears of it: no socket will say so.
            connections.wake();
        }
        if (connections.hasFailed()) {
            tellFailed(listener);
        }
        return handed;
    }

    private void checkFault(Connection connection) {
        String fault = connection.inbound().fault();
        if (fault != null && connection.state() == ConnectionState.READY) {
            connections.fail(connection, connection.inbound().isCorrupt(), fault);
        }
    }

    private static void tellFinished(Connection connection, ChannelListener listener) {
        Object ticket = connection.outbound().takeFinished();
        if (ticket != null) {
            listener.onPutDone(ticket, true);
        }
    }

    private void tellFailed(ChannelListener listener) {
        for (Connection each = connections.takeFailed(); each != null; each = connections.takeFailed()) {
            tellFinished(each, listener);
            Object unfinished = each.outbound().takeUnfinished();
            connections.over(each);
            if (unfinished != null) {
                listener.onPutDone(unfinished, false);
            }
            if (each.isClosedUnmet()) {
                listener.onPeerClosed(each.peer());
            } else {
                listener.onPeerFailed(each.peer(), each.isCorrupt(), each.reason());
            }
        }
    }

    private void renew() {
        changes = connections.changes();
        List<Connection> ready = new ArrayList<>();
        for (Connection each : connections.all()) {
            if (each != null && each.state() == ConnectionState.READY) {
                ready.add(each);
                register(each);
            }
        }
        active = ready.toArray(new Connection[0]);
        next = 0;
    }

    private void register(Connection connection) {
        try {
            if (connection.socket().keyFor(readable) == null) {
                connection.socket().register(readable, SelectionKey.OP_READ, connection);
            }
        } catch (IOException e) {
            connections.fail(connection, false, "its socket is closed");
        }
    }

    private void select() {
        try {
            readable.selectNow(TcpChannel::found);
        } catch (IOException e) {
            throw new UncheckedIOException("looking at the sockets failed: " + e.getMessage(), e);
        }
    }

    private static void found(SelectionKey key) {
        ((Connection) key.attachment()).readable(true);
    }

    @Override
    public void arm() {
        connector.arm();
    }

    /** The kernel finds out what became of them, and reading tells it. */
    @Override
    public void checkPeers(ChannelListener listener) {
        if (active.length <= MANY) {
            // What was closed is let go of by the selector's next look.
            select();
        }
    }

    @Override
    public void disconnect(int peer) {
        Connection connection = connections.of(peer);
        if (connection != null) {
            connections.over(connection);
        }
    }

    @Override
    public SluiceException undelivered(int peer) {
        return undelivered[peer]
                ? new SluiceException(
                        ErrorCode.TIMEOUT,
                        peer,
                        "what was sent to rank " + peer + " last may not have arrived: it did not take it within "
                                + Option.CLOSE_TIMEOUT_MS.property() + " of closing",
                        null)
                : null;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        drain();
        try {
            connector.close();
        } finally {
            for (Connection each : connections.all()) {
                if (each != null && !lingering.contains(each)) {
                    connections.over(each);
                }
            }
            Lingering.of(lingering);
            closeSelector();
        }
    }

    private void closeSelector() {
        try {
            readable.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Waits until the peers have what was sent, for a bounded time. A socket that is closed before would lose it as
     * soon as its peer sends anything.
     */
    private void drain() {
        ChannelListener nobody = new Nobody();
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(options.number(Option.CLOSE_TIMEOUT_MS));
        boolean isBusy = true;
        while (isBusy && System.nanoTime() - deadline < 0) {
            int taken = poll(nobody, Integer.MAX_VALUE);
            isBusy = taken != 0;
            for (Connection each : active) {
                isBusy |= isBusy(each);
            }
            if (isBusy && taken == 0) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        List<Connection> slow = new ArrayList<>();
        for (Connection each : active) {
            if (isBusy(each)) {
                undelivered[each.peer()] = each.outbound().isStuck();
                slow.add(each);
            } else if (each.state() == ConnectionState.READY) {
                each.outbound().end();
            }
        }
        lingering = slow;
    }

    private static boolean isBusy(Connection connection) {
        return connection.state() == ConnectionState.READY
                && (connection.outbound().isStuck() || connection.outbound().unconsumed() > SURELY_THERE);
    }

    /** Takes what comes while the channel closes. */
    private static final class Nobody implements ChannelListener {
        @Override
        public void onPacket(int peer, int kind, int contextId, int tag, long address, int bytes, Object reference) {
            // Nobody is left who could receive it.
        }

        @Override
        public void onPutDone(Object ticket, boolean ok) {
            // Its send has ended before the channel closes.
        }

        @Override
        public void onPeerFailed(int peer, boolean corrupt, String reason) {
            // It needs nothing any more.
        }
    }

    @Override
    public String toString() {
        String unknown = retransmits.unknown();
        return "TcpChannel[" + own + ", " + Arrays.toString(connections.all())
                + (unknown == null ? "" : ", what TCP sent again is not known: " + unknown) + "]";
    }
}
