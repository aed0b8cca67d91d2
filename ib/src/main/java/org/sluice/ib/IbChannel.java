package org.sluice.ib;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.sluice.device.SluiceException;
import org.sluice.device.arena.Arena;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.ChannelListener;
import org.sluice.device.channel.Coalescing;
import org.sluice.device.channel.Connecting;
import org.sluice.device.channel.GetResult;
import org.sluice.device.channel.Keeping;
import org.sluice.device.channel.Lending;
import org.sluice.device.channel.Pacing;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.PutResult;
import org.sluice.device.channel.Reading;
import org.sluice.device.channel.Registering;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.channel.Writing;
import org.sluice.device.counter.Counters;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.ib.adapter.GivingBack;
import org.sluice.ib.adapter.Resources;
import org.sluice.ib.adapter.VerbsFailure;
import org.sluice.ib.connect.Connection;
import org.sluice.ib.connect.ConnectionState;
import org.sluice.ib.connect.Connections;
import org.sluice.ib.connect.Connector;
import org.sluice.ib.memory.RegistrationCache;
import org.sluice.ib.sleep.EventWatch;
import org.sluice.jni.verbs.Verbs;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * Ranks on other nodes, over reliable connections of libibverbs that are made when a peer is first sent to;
 * docs/explanation/verbs.md draws the protocol.
 *
 * <p><i>Thread</i>: as {@link Channel} says. <i>Owns</i>: everything of the adapter that this rank uses. <i>Fails</i>:
 * a peer whose connection can't be made or breaks is told once, after what it had sent. <i>Proof</i>:
 * {@code IbChannelRxeTest}.
 */
public final class IbChannel
        implements Channel, Lending, Coalescing, Reading, Writing, Keeping, Registering, Connecting, Pacing {
    private final Options options;
    private final Parts parts;
    private final Resources resources;
    private final Connections connections;
    private final Connector connector;
    private final RemoteMemory remote;
    private final EagerLoans loans;
    private final Arrivals arrivals;
    private final EventWatch watch;
    private final Counters counters = new Counters();
    private final Traffic traffic = new Traffic();
    private final Polling polling;
    private boolean closed;

    /**
     * Opens the adapter and listens; packets flow once peers are added.
     *
     * @param ranks in the job
     * @param peers how many of them are reached by this channel
     * @param process this rank's identity
     * @param word what wakes this rank
     */
    public static IbChannel create(int rank, int ranks, int peers, UUID process, WaitWord word, Options options) {
        return new IbChannel(rank, ranks, peers, process, word, options, Verbs.calls());
    }

    /** As the other, to all other ranks, over another library: one that is simulated. */
    public static IbChannel create(
            int rank, int ranks, UUID process, WaitWord word, Options options, VerbsCalls verbs) {
        return new IbChannel(rank, ranks, ranks - 1, process, word, options, verbs);
    }

    IbChannel(int rank, int ranks, int peers, UUID process, WaitWord word, Options options, VerbsCalls verbs) {
        this.options = options;
        parts = new Parts(rank, ranks, peers, process, word, options, verbs, counters, traffic);
        resources = parts.resources;
        connections = parts.connections;
        connector = parts.connector;
        remote = parts.remote;
        loans = new EagerLoans(remote.cache(), options, resources.sendPieces());
        arrivals = parts.arrivals;
        try {
            watch = new EventWatch(
                    verbs,
                    word,
                    parts,
                    "sluice-ib-events-" + rank,
                    descriptor("rdma_create_event_channel", verbs.eventChannelFd(parts.adapter.eventChannel())),
                    descriptor("ibv_get_async_event", verbs.asyncFd(parts.adapter.context())),
                    descriptor("ibv_create_comp_channel", verbs.completionChannelFd(resources.completionChannel())));
        } catch (RuntimeException | Error e) {
            GivingBack.after(e, parts);
            throw e;
        }
        polling = new Polling(verbs, parts, remote, watch, traffic);
    }

    private static int descriptor(String of, int result) {
        return (int) VerbsFailure.check("descriptor of " + of, result);
    }

    /** The program's memory that the adapter knows. Any thread, and after close too. */
    public RegistrationCache registrations() {
        return remote.cache();
    }

    /** For the message buffers of a rank that shares no memory with other processes; gives none after close. */
    public Arena privateArena() {
        return remote.arena();
    }

    /** What peers need to connect; goes through the job's bootstrap. */
    public byte[] facts() {
        return parts.own.encode();
    }

    /** Whether its adapter is the kernel's own in software, which works on the cores that ranks run on. Any thread. */
    public boolean isSoftRoce() {
        return resources.isSoftRoce();
    }

    /**
     * Whether the kernel moves long messages of this rank on the cores that ranks run on, and did so lately. Any
     * thread.
     */
    public boolean isMovedOnCores() {
        return resources.isSoftRoce() && traffic.isLong();
    }

    /** Says where a peer listens; the connection is made when it is first sent to. */
    public void add(int peer, byte[] facts) {
        parts.add(IbFacts.decode(peer, facts));
    }

    /**
     * All peers are added and listen.
     *
     * @param all whether to connect with them, while the caller goes on
     */
    public void start(boolean all) {
        if (all && connector.wantAll()) {
            watch.ring();
        }
    }

    /** Where the connection to a peer stands. Any thread. */
    public ConnectionState state(int peer) {
        return connections.of(peer).state();
    }

    /** Has a peer connected to that nobody has sent to yet. Any thread. */
    public void want(int peer) {
        if (connector.want(connections.of(peer))) {
            watch.ring();
        }
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

    /** {@link Counters} under the progress lock, then those of each peer's send lock. */
    @Override
    public Counters[] counters() {
        List<Counters> all = new ArrayList<>(List.of(
                counters,
                parts.helperCounters,
                remote.cache().counters(),
                remote.arena().counters(),
                connections.counters()));
        for (Connection connection : connections.all()) {
            if (connection != null) {
                all.add(connection.counters());
            }
        }
        return all.toArray(new Counters[0]);
    }

    @Override
    public String name() {
        return "ib";
    }

    @Override
    public int eagerLimitBytes() {
        return resources.bodyBytes();
    }

    @Override
    public int protocolSwitchLimitBytes() {
        return resources.bodyBytes();
    }

    @Override
    public int chunkBytes() {
        return resources.bodyBytes();
    }

    @Override
    public int trySend(
            int peer, int kind, int contextId, int tag, Object base, long address, int bytes, Object reference) {
        Connection connection = connections.of(peer);
        traffic.note(bytes);
        if (connection.state() != ConnectionState.READY) {
            return notReady(connection);
        }
        if (kind == PacketKind.CLOSE) {
            connection.sends().saysGoodbye(connection.taken());
        }
        int result = connection.sends().trySend(kind, contextId, tag, base, address, bytes);
        return result == SENT ? SENT : checked(connection, result);
    }

    private int checked(Connection connection, int result) {
        if (connection.sends().fault() != null) {
            connections.fail(connection, false, connection.sends().fault());
        }
        return result;
    }

    private int notReady(Connection connection) {
        ConnectionState state = connection.state();
        if (connector.want(connection)) {
            watch.ring();
        }
        return state.isDead() ? PEER_FAILED : NO_RESOURCE;
    }

    @Override
    public Lending lending() {
        return this;
    }

    @Override
    public int lendFromBytes() {
        return loans.fromBytes();
    }

    @Override
    public int lendAndWaitFromBytes() {
        return loans.waitFromBytes();
    }

    @Override
    public int lend(
            int peer,
            int contextId,
            int tag,
            Object owner,
            long address,
            int bytes,
            RemoteReference into,
            Object ticket) {
        Connection connection = connections.of(peer);
        traffic.note(bytes);
        if (connection.state() != ConnectionState.READY) {
            return notReady(connection);
        }
        return checked(connection, loans.lend(connection, contextId, tag, owner, address, bytes, into, ticket));
    }

    @Override
    public Keeping keeping() {
        return this;
    }

    @Override
    public boolean keep(long address) {
        return resources.receiveSlots().keep(address);
    }

    @Override
    public void show(long address) {
        resources.receiveSlots().show();
    }

    @Override
    public void giveBack(long address) {
        resources.receiveSlots().giveBack(address);
    }

    @Override
    public Coalescing coalescing() {
        return resources.bundleBytes() > 0 ? this : null;
    }

    @Override
    public void gather(int peer) {
        connections.of(peer).sends().gather();
    }

    @Override
    public boolean flush(int peer) {
        Connection connection = connections.of(peer);
        return connection.state().isDead()
                || checked(connection, connection.sends().flush()) != NO_RESOURCE;
    }

    @Override
    public Connecting connecting() {
        return this;
    }

    /** Credit and completions are found by polling. */
    @Override
    public boolean makesRoomUnpolled(int peer) {
        return connections.of(peer).state() != ConnectionState.READY;
    }

    /** The adapter wakes the peer. */
    @Override
    public void signal(int peer) {}

    @Override
    public Reading reading() {
        return this;
    }

    @Override
    public boolean describe(int peer, Object owner, Object base, long address, long bytes, RemoteReference into) {
        traffic.note(bytes);
        return remote.describe(connections.of(peer), base == null ? owner : null, address, bytes, into);
    }

    @Override
    public void release(Object lease) {
        remote.release(lease);
    }

    @Override
    public Registering registering() {
        return this;
    }

    @Override
    public boolean register(Object owner) {
        return remote.cache().keep(owner);
    }

    @Override
    public void deregister(Object owner) {
        remote.cache().forget(owner);
    }

    @Override
    public int getBytes(RemoteReference from) {
        return remote.pieceBytes();
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
        traffic.note(bytes);
        return remote.get(
                connections, connections.of(peer), from, offset, base == null ? owner : null, address, bytes, ticket);
    }

    @Override
    public Writing writing() {
        return this;
    }

    @Override
    public boolean offer(int peer, Object owner, Object base, long address, long bytes, RemoteReference into) {
        traffic.note(bytes);
        return remote.writes().offer(connections.of(peer), base == null ? owner : null, address, bytes, into);
    }

    @Override
    public void takeBack(int peer, Object lease) {
        remote.writes().takeBack(peer, lease);
    }

    @Override
    public int putBytes() {
        return remote.pieceBytes();
    }

    @Override
    public PutResult put(
            int peer, RemoteReference from, long address, int bytes, RemoteReference to, long offset, Object ticket) {
        traffic.note(bytes);
        return remote.writes().put(connections, connections.of(peer), from, address, bytes, to, offset, ticket);
    }

    @Override
    public RouteMemory remoteSlots() {
        return parts.routeMemory;
    }

    @Override
    public Pacing pacing() {
        return this;
    }

    @Override
    public boolean wantsPoll() {
        return watch.pending() != 0 || traffic.isNew() || arrivals.owesCredit();
    }

    @Override
    public int poll(ChannelListener listener, int limit) {
        return polling.poll(listener, limit);
    }

    @Override
    public boolean prepareSleep() {
        return parts.landings.prepareSleep();
    }

    @Override
    public void arm() {
        polling.arm();
    }

    @Override
    public void checkPeers(ChannelListener listener) {
        remote.cache().endCollected();
        parts.returns.look();
        SignsOfLife.post(connections, parts.posts);
        traffic.look();
    }

    @Override
    public void disconnect(int peer) {
        Connection connection = connections.of(peer);
        if (connection != null) {
            connections.over(connection);
            connection.sends().dropBundle();
            parts.landings.drop(connection);
            remote.letGo(connections, connection);
        }
    }

    @Override
    public SluiceException undelivered(int peer) {
        Connection connection = connections.of(peer);
        return connection == null ? null : connection.undelivered();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        boolean wasTold = polling.hasThrown();
        IllegalStateException failure = Draining.of(this, connections.all(), options.number(Option.CLOSE_TIMEOUT_MS));
        // First: from then on nobody else uses what is given back.
        CloseAll.of(() -> Draining.tell(wasTold ? null : failure), watch, connections::endAll, parts);
    }

    @Override
    public String toString() {
        return "IbChannel[" + parts.own + ", " + Arrays.toString(connections.all()) + ", " + remote + "]";
    }
}
