package org.sluice.ib;

import java.util.concurrent.TimeUnit;
import org.sluice.device.arena.Arena;
import org.sluice.device.channel.ChannelListener;
import org.sluice.device.channel.GetResult;
import org.sluice.device.channel.Reading;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Options;
import org.sluice.ib.adapter.Resources;
import org.sluice.ib.connect.Connection;
import org.sluice.ib.connect.ConnectionState;
import org.sluice.ib.connect.Connections;
import org.sluice.ib.memory.PrivateExtents;
import org.sluice.ib.memory.Registration;
import org.sluice.ib.memory.RegistrationCache;
import org.sluice.ib.queue.TransferQueue;
import org.sluice.ib.queue.WorkIds;
import org.sluice.ib.queue.WorkRequest;
import org.sluice.jni.Errno;
import org.sluice.jni.verbs.VerbsCalls;
import org.sluice.jni.verbs.VerbsLayout;

/**
 * Long messages between direct memory: the sender names registered memory, the receiver reads it into its own by RDMA;
 * or the other way round ({@link RemoteWrites}), as {@code sluice.ib.rendezvous} says.
 *
 * <p><i>Thread</i>: {@link #describe} under the peer's send lock, {@link #release} any, the rest under the progress
 * lock. <i>Owns</i>: the registrations of the program's memory, and the reads on the way. <i>Fails</i>: a read that
 * fails ends its connection; the destinations of others that are on the way, and what peers may write to, are the
 * adapter's until their completions came or the queue pair is gone. <i>Proof</i>: {@code RendezvousRxeTest},
 * {@code ReadingDeathRxeTest}, {@code IbChannelRxeTest}.
 */
final class RemoteMemory implements AutoCloseable {
    /**
     * {@link RemoteReference#key}, upper half: the lower is the sender's remote key, the address one of the sender's
     * process.
     */
    static final int READABLE = 5;

    /**
     * A piece: long enough that its work request costs nothing beside it, short enough that the sends behind it are
     * soon retired.
     */
    private static final int PIECE_BYTES = 256 << 10;
    /** So long the reads and writes of a connection that failed have to come back by themselves. */
    private static final long FLUSH_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final VerbsCalls verbs;
    private final RegistrationCache cache;
    private final PrivateExtents extents;
    private final Arena arena;
    private final Movers movers;
    private final int pieceBytes;
    private final int depth;
    /** By rank; made with the first read. */
    private final TransferQueue[] reads;

    private final RemoteWrites writes;
    private final long memory;
    private final WorkRequest request;
    private final Counters counters;

    /** @param mostBytes longest message of the port */
    RemoteMemory(
            VerbsCalls verbs,
            long domain,
            Options options,
            int ranks,
            long mostBytes,
            Resources resources,
            Counters counters) {
        this.verbs = verbs;
        this.movers = new Movers(options, resources.isSoftRoce());
        this.cache = new RegistrationCache(
                verbs, domain, movers.access(), resources.mostRegionBytes(), resources.mostRegions(), options);
        this.extents = new PrivateExtents(options, cache);
        this.arena = new Arena(extents);
        this.pieceBytes = (int) Math.max(1, Math.min(PIECE_BYTES, mostBytes));
        this.depth = resources.reads();
        this.reads = new TransferQueue[ranks];
        this.memory = Memory.allocate(WorkRequest.BYTES);
        Memory.setZero(memory, WorkRequest.BYTES);
        this.request = new WorkRequest(memory);
        this.counters = counters;
        this.writes = new RemoteWrites(verbs, cache, ranks, movers, pieceBytes, resources.writes(), request, counters);
    }

    RegistrationCache cache() {
        return cache;
    }

    Arena arena() {
        return arena;
    }

    RemoteWrites writes() {
        return writes;
    }

    int pieceBytes() {
        return pieceBytes;
    }

    private int depth(Connection connection) {
        return Math.min(depth, connection.facts().reads());
    }

    /** As {@link Reading#describe}. */
    boolean describe(Connection connection, Object owner, long address, long bytes, RemoteReference into) {
        into.clear();
        if (owner == null || movers.isStreamed()) {
            return false;
        }
        if (movers.isWritten(connection)) {
            return writes.describe(owner, address, bytes, into);
        }
        if (depth(connection) == 0) {
            return false;
        }
        Registration registration = cache.acquire(owner, address, bytes);
        if (registration == null) {
            return false;
        }
        into.set((long) READABLE << Integer.SIZE | registration.rkey() & 0xFFFFFFFFL, address, null);
        into.lease = registration;
        return true;
    }

    void release(Object lease) {
        cache.release((Registration) lease);
    }

    /** As {@link Reading#get}. */
    GetResult get(
            Connections connections,
            Connection connection,
            RemoteReference from,
            long offset,
            Object owner,
            long address,
            int bytes,
            Object ticket) {
        if (from.key >>> Integer.SIZE == RemoteWrites.WRITABLE) {
            return writes.answer(connection, from, owner);
        }
        if (from.key >>> Integer.SIZE != READABLE
                || from.address <= 0
                || offset < 0
                || bytes <= 0
                || bytes > pieceBytes
                || offset > Long.MAX_VALUE - bytes - from.address
                || depth(connection) == 0) {
            return GetResult.FAILED;
        }
        if (owner == null) {
            return GetResult.BY_STREAM;
        }
        TransferQueue queue = reads[connection.peer()];
        if (queue == null) {
            queue = new TransferQueue(depth(connection));
            reads[connection.peer()] = queue;
        }
        // One that failed is told soon; what wants to read from it then ends.
        if (queue.isFull() || connection.state() != ConnectionState.READY) {
            return GetResult.NO_RESOURCE;
        }
        Registration destination = cache.acquire(owner, address, bytes);
        if (destination == null) {
            return GetResult.BY_STREAM;
        }
        request.fill(
                WorkIds.of(WorkIds.READ, connection.peer(), connection.sends().postedLow()),
                VerbsLayout.OPCODE_RDMA_READ,
                VerbsLayout.SEND_SIGNALED,
                address,
                bytes,
                destination.lkey());
        request.remote(from.address + offset, (int) from.key);
        // Before the post: whether one that was refused has reached the adapter, nobody says.
        queue.add(ticket, destination, bytes);
        counters.increment(Counter.WORK_REQUESTS);
        counters.increment(Counter.NATIVE_CROSSINGS);
        int result = request.post(verbs, connection.queuePair());
        if (result < 0) {
            connections.fail(connection, false, Errno.describe("ibv_post_send", result));
        }
        return GetResult.STARTED;
    }

    /**
     * The oldest read of a connection has completed.
     *
     * @return 1 when that was told, 0 when nobody waits for it any more
     */
    int onRead(Connection connection, boolean isGood, ChannelListener listener) {
        TransferQueue queue = reads[connection.peer()];
        if (queue == null || queue.isEmpty()) {
            return 0;
        }
        Object ticket = queue.firstTicket();
        cache.release(queue.remove());
        listener.onGetDone(ticket, isGood);
        return 1;
    }

    /**
     * True while reads, writes and loans of a connection that failed may still come back by themselves, as they nearly
     * always do.
     */
    boolean isFlushing(Connection connection) {
        return isMoving(connection) && System.nanoTime() - connection.failedNanos() < FLUSH_NANOS;
    }

    /** Something of the program's memory is in the adapter's hands by a work request of this rank. */
    private boolean isMoving(Connection connection) {
        return isReading(connection)
                || writes.isWriting(connection)
                || connection.sends().isLending();
    }

    private boolean isReading(Connection connection) {
        TransferQueue queue = reads[connection.peer()];
        return queue != null && !queue.isEmpty();
    }

    /**
     * The connection is over, and nobody sends on it: after this the adapter writes to no destination of its reads,
     * lets the peer write to nothing that it was offered, and reads no source of its writes and no memory that was lent
     * to it.
     */
    void letGo(Connections connections, Connection connection) {
        if ((isMoving(connection) || writes.isOffered(connection)) && connections.destroyQueuePair(connection)) {
            for (TransferQueue queue = reads[connection.peer()]; queue != null && !queue.isEmpty(); ) {
                cache.release(queue.remove());
            }
            writes.clear(connection);
        }
    }

    /** After the last queue pair. */
    @Override
    public void close() {
        Memory.free(memory);
        try {
            cache.close();
        } finally {
            extents.close();
            arena.close();
        }
    }

    @Override
    public String toString() {
        return cache.toString();
    }
}
