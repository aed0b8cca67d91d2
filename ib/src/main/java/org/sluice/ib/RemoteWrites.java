package org.sluice.ib;

import org.sluice.device.channel.ChannelListener;
import org.sluice.device.channel.GetResult;
import org.sluice.device.channel.PutResult;
import org.sluice.device.channel.Reading;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.Writing;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.ib.connect.Connection;
import org.sluice.ib.connect.ConnectionState;
import org.sluice.ib.connect.Connections;
import org.sluice.ib.memory.Registration;
import org.sluice.ib.memory.RegistrationCache;
import org.sluice.ib.queue.TransferQueue;
import org.sluice.ib.queue.WorkIds;
import org.sluice.ib.queue.WorkRequest;
import org.sluice.jni.Errno;
import org.sluice.jni.verbs.VerbsCalls;
import org.sluice.jni.verbs.VerbsLayout;

/**
 * Long messages that their senders write: memory that peers were told of, and the writes into theirs that are on the
 * way, also those into the slots of persistent routes ({@link RouteMemory}).
 *
 * <p><i>Thread</i>: {@link #describe} under the peer's send lock, the rest under the progress lock. <i>Fails</i>: a
 * write that fails ends its connection. <i>Proof</i>: {@code PutRxeTest}, {@code RemoteWritesRxeTest},
 * {@code WriteRendezvousRxeTest}.
 */
final class RemoteWrites {
    /** {@link RemoteReference#key} of a message, upper half, the rest 0: its sender writes it where it is told to. */
    static final int WRITABLE = 6;
    /**
     * Of memory that is offered, upper half: the lower is its remote key, the address one of the receiver's process.
     */
    static final int OFFERED = 7;

    private final VerbsCalls verbs;
    private final RegistrationCache cache;
    private final Movers movers;
    private final int pieceBytes;
    private final int depth;
    private final WorkRequest request;
    private final Counters counters;
    /** By rank; made with the first write. */
    private final TransferQueue[] writes;
    /** By rank: what it may write to. */
    private final int[] offers;

    /**
     * @param movers says which long messages are written
     * @param depth writes to one peer that may be on the way, those into slots too
     * @param request that nobody else uses meanwhile
     */
    RemoteWrites(
            VerbsCalls verbs,
            RegistrationCache cache,
            int ranks,
            Movers movers,
            int pieceBytes,
            int depth,
            WorkRequest request,
            Counters counters) {
        this.verbs = verbs;
        this.cache = cache;
        this.movers = movers;
        this.pieceBytes = pieceBytes;
        this.depth = depth;
        this.request = request;
        this.counters = counters;
        this.writes = new TransferQueue[ranks];
        this.offers = new int[ranks];
    }

    /** As {@link Reading#describe}, of direct memory: the peer is told nothing but that it will be written to. */
    boolean describe(Object owner, long address, long bytes, RemoteReference into) {
        Registration source = cache.acquire(owner, address, bytes);
        if (source == null) {
            return false;
        }
        into.set((long) WRITABLE << Integer.SIZE, 0, null);
        into.lease = source;
        return true;
    }

    /** What {@link Reading#get} answers where the peer says that it will write. */
    GetResult answer(Connection connection, RemoteReference from, Object owner) {
        if (!movers.isWritten(connection) || from.key != (long) WRITABLE << Integer.SIZE || from.address != 0) {
            return GetResult.FAILED;
        }
        return owner == null || !movers.mayPeersWrite() ? GetResult.BY_STREAM : GetResult.BY_PUT;
    }

    /** As {@link Writing#offer}. */
    boolean offer(Connection connection, Object owner, long address, long bytes, RemoteReference into) {
        // One that failed is told soon; what is to come from it then ends.
        if (owner == null || !movers.mayPeersWrite() || connection.state() != ConnectionState.READY) {
            return false;
        }
        Registration destination = cache.acquire(owner, address, bytes);
        if (destination == null) {
            return false;
        }
        into.set((long) OFFERED << Integer.SIZE | destination.rkey() & 0xFFFFFFFFL, address, null);
        into.lease = destination;
        offers[connection.peer()]++;
        return true;
    }

    /** As {@link Writing#takeBack}. */
    void takeBack(int peer, Object lease) {
        offers[peer]--;
        cache.release((Registration) lease);
    }

    /** Slots that this peer may write to came into being, or went. */
    void lent(int peer, int more) {
        offers[peer] += more;
    }

    /** As {@link Writing#put}. */
    PutResult put(
            Connections connections,
            Connection connection,
            RemoteReference from,
            long address,
            int bytes,
            RemoteReference to,
            long offset,
            Object ticket) {
        if (!movers.isWritten(connection)
                || !(from.lease instanceof Registration)
                || to.key >>> Integer.SIZE != OFFERED
                || to.address <= 0
                || offset < 0
                || bytes <= 0
                || bytes > pieceBytes
                || offset > Long.MAX_VALUE - bytes - to.address) {
            return PutResult.FAILED;
        }
        Registration source = (Registration) from.lease;
        if (!source.covers(address, bytes)) {
            throw new IllegalArgumentException(
                    bytes + " bytes at 0x" + Long.toHexString(address) + " are not of " + source);
        }
        return write(connections, connection, from, address, bytes, to, offset, ticket);
    }

    int pieceBytes() {
        return pieceBytes;
    }

    /** Whether one more write to this peer has room now. */
    boolean hasRoom(Connection connection) {
        TransferQueue queue = writes[connection.peer()];
        return connection.state() == ConnectionState.READY && (queue == null || !queue.isFull());
    }

    /**
     * A write of which everything was checked.
     *
     * @return as {@link Writing#put}
     */
    PutResult write(
            Connections connections,
            Connection connection,
            RemoteReference from,
            long address,
            int bytes,
            RemoteReference to,
            long offset,
            Object ticket) {
        if (!hasRoom(connection)) {
            return PutResult.NO_RESOURCE;
        }
        Registration source = (Registration) from.lease;
        TransferQueue queue = writes[connection.peer()];
        if (queue == null) {
            queue = new TransferQueue(depth);
            writes[connection.peer()] = queue;
        }
        request.fill(
                WorkIds.of(WorkIds.WRITE, connection.peer(), connection.sends().postedLow()),
                VerbsLayout.OPCODE_RDMA_WRITE,
                VerbsLayout.SEND_SIGNALED,
                address,
                bytes,
                source.lkey());
        request.remote(to.address + offset, (int) to.key);
        // Before the post: whether one that was refused has reached the adapter, nobody says.
        queue.add(ticket, null, bytes);
        counters.increment(Counter.WORK_REQUESTS);
        counters.increment(Counter.NATIVE_CROSSINGS);
        int result = request.post(verbs, connection.queuePair());
        queue.posted(connection.sends().postingLow());
        if (result < 0) {
            connections.fail(connection, false, Errno.describe("ibv_post_send", result));
        }
        return PutResult.STARTED;
    }

    /**
     * The oldest write of a connection has completed.
     *
     * @return 1 when that was told, 0 when nobody waits for it any more
     */
    int onWritten(Connection connection, boolean isGood, ChannelListener listener) {
        if (!isWriting(connection)) {
            return 0;
        }
        TransferQueue queue = writes[connection.peer()];
        Object ticket = queue.firstTicket();
        // A packet behind it is taken after its bytes are there.
        boolean hasArrived = isGood || connection.hasTaken(queue.firstPacket() + 1);
        queue.remove();
        listener.onPutDone(ticket, hasArrived);
        return 1;
    }

    boolean isWriting(Connection connection) {
        TransferQueue queue = writes[connection.peer()];
        return queue != null && !queue.isEmpty();
    }

    /** True while only the end of the queue pair keeps a peer from writing to this rank's memory. */
    boolean isOffered(Connection connection) {
        return offers[connection.peer()] > 0;
    }

    /** The queue pair is gone: what was offered is taken back by whoever offered it. */
    void clear(Connection connection) {
        for (TransferQueue queue = writes[connection.peer()]; queue != null && !queue.isEmpty(); ) {
            queue.remove();
        }
    }
}
