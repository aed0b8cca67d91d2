package org.sluice.shm.threads;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.sluice.device.buffer.MappedMemory;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.ChannelListener;
import org.sluice.device.channel.EagerTaking;
import org.sluice.device.channel.GetResult;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.Reading;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.Sharing;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.channel.Withdrawn;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.device.jvm.JvmRanks;
import org.sluice.device.jvm.LocalEnd;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Options;
import org.sluice.shm.RankOrder;
import org.sluice.shm.ring.Doorbell;
import org.sluice.shm.ring.GuardedCopy;
import org.sluice.shm.ring.InboundRings;
import org.sluice.shm.ring.RingFailures;
import org.sluice.shm.ring.RingLayout;
import org.sluice.shm.ring.RingSize;
import org.sluice.shm.ring.RingWriter;

/**
 * Ranks that are threads of one JVM, each also a peer of itself. Rings are made at the first packet; large messages are
 * copied once, out of the sender's array.
 *
 * <p><i>Thread</i>: as {@link Channel} says. <i>Owns</i>: the rings that lead to this rank. <i>Fails</i>: a peer that
 * closed without being disconnected is handed up by {@link #checkPeers}, after what it had sent. <i>Proof</i>:
 * {@code ThreadChannelTest}.
 */
public final class ThreadChannel implements Channel, Reading, Sharing, EagerTaking, RingFailures, LocalEnd {
    /** {@link RemoteReference#key}: object is the array that the address counts from. */
    public static final long ARRAY = 1;
    /** {@link RemoteReference#key}: an absolute address; the object, if any, only keeps the memory alive. */
    public static final long ABSOLUTE = 4;

    private static final int PROTOCOL_SWITCH_LIMIT_BYTES = 4 << 10;
    private static final int CHUNK_BYTES = 32 << 10;
    private static final int GET_BYTES = 128 << 10;

    private final String jobId;
    private final int rank;
    private final int[] peers;
    /** By rank: its place in {@link #peers}. */
    private final int[] slots;

    private final WaitWord ownWord;
    private final RingSize ringSize;
    private final Doorbell doorbell;
    private final ByteBuffer doorbellMemory;
    private final InboundRings inbound;
    /** By rank; each element is written and used under that peer's send lock, and read by checkPeers. */
    private final ThreadRoute[] routes;
    /** By place in {@link #peers}; under the progress lock. */
    private final boolean[] told;

    private final Counters signals = new Counters();
    /** By place in {@link #peers}: the rings that lead here; under this object's lock. */
    private final ThreadRing[] rings;
    /**
     * By place in {@link #peers}: why a peer may not take what it reads here for a message any more; null where it may.
     */
    private final AtomicReferenceArray<Withdrawn> withdrawn;

    private volatile boolean closed;

    private ThreadChannel(String jobId, int rank, int[] peers, WaitWord ownWord, Options options) {
        this.jobId = jobId;
        this.rank = rank;
        this.peers = peers;
        this.ownWord = ownWord;
        this.ringSize = RingSize.choose(peers.length, options);
        this.routes = new ThreadRoute[peers[peers.length - 1] + 1];
        this.told = new boolean[peers.length];
        this.slots = RankOrder.places(peers);
        this.rings = new ThreadRing[peers.length];
        this.withdrawn = new AtomicReferenceArray<>(peers.length);
        if (peers.length > InboundRings.WATCH_ALL_LIMIT) {
            doorbellMemory =
                    ByteBuffer.allocateDirect(Math.toIntExact(Doorbell.bytes(peers.length) + Memory.FALSE_SHARING));
            doorbell = new Doorbell(
                    Memory.address(doorbellMemory) + Memory.FALSE_SHARING - 1 & -Memory.FALSE_SHARING, peers.length);
        } else {
            doorbellMemory = null;
            doorbell = null;
        }
        this.inbound = new InboundRings(peers.length, doorbell, this, ownWord.fences());
    }

    /**
     * Opens this rank's end; packets flow once the peer's end is open too.
     *
     * @param peersInThisJvm the ranks of this JVM, this one included
     * @param ownWord what wakes this rank; senders ring it
     */
    public static ThreadChannel open(String jobId, int rank, int[] peersInThisJvm, WaitWord ownWord, Options options) {
        int[] peers = RankOrder.ascending(peersInThisJvm);
        if (Arrays.binarySearch(peers, rank) < 0) {
            throw new IllegalArgumentException(
                    "rank " + rank + " is not among the ranks of this JVM " + Arrays.toString(peers));
        }
        ThreadChannel channel = new ThreadChannel(jobId, rank, peers, ownWord, options);
        JvmRanks.ofThisJvm().register(jobId, rank, channel);
        return channel;
    }

    @Override
    public String name() {
        return "threads";
    }

    @Override
    public int eagerLimitBytes() {
        return ringSize.bodyLimit();
    }

    @Override
    public int protocolSwitchLimitBytes() {
        return Math.min(PROTOCOL_SWITCH_LIMIT_BYTES, eagerLimitBytes());
    }

    @Override
    public int chunkBytes() {
        return Math.min(CHUNK_BYTES, eagerLimitBytes());
    }

    @Override
    public int getBytes(RemoteReference from) {
        return GET_BYTES;
    }

    @Override
    public int trySend(
            int peer, int kind, int contextId, int tag, Object base, long address, int bytes, Object reference) {
        ThreadRoute route = routes[peer];
        if (route == null) {
            route = connect(peer);
            if (route == null) {
                return isPeerClosed(peer) ? PEER_FAILED : NO_RESOURCE;
            }
        }
        RingWriter writer = route.writer;
        if (reference == null) {
            int result = writer.trySend(kind, contextId, tag, base, address, bytes);
            if (RingWriter.isClaimedAhead(bytes) && kind == PacketKind.EAGER && result == SENT) {
                claimAhead(peer, route, bytes);
            }
            return result;
        }
        // The object goes first, so that whoever sees the packet finds it; so the packet's room has to be certain
        // before.
        if (!writer.hasRoom(kind)) {
            return writer.failure() == null ? NO_RESOURCE : PEER_FAILED;
        }
        route.references.add(reference);
        return writer.trySend(kind | RingLayout.REFERENCE_FLAG, contextId, tag, base, address, bytes);
    }

    private void claimAhead(int peer, ThreadRoute route, int bytes) {
        if (route.back == null) {
            // Without the lock: a ring that is seen a message late costs time only.
            route.back = rings[slots[peer]];
        }
        if (route.back != null) {
            route.writer.claimAhead(bytes, route.back.reader().taken());
        }
    }

    private ThreadRoute connect(int peer) {
        ThreadChannel receiver = (ThreadChannel) JvmRanks.ofThisJvm().find(jobId, peer);
        ThreadRing ring = receiver == null ? null : receiver.ringFrom(rank);
        synchronized (this) {
            // disconnect, which comes under another lock, must find the route or prevent it.
            if (ring != null && !told[slot(peer)]) {
                routes[peer] = new ThreadRoute(receiver, receiver.slot(rank), ring);
            }
            return routes[peer];
        }
    }

    /** Called by the sender: makes the ring that leads from it to this rank; null when this rank is closed. */
    private synchronized ThreadRing ringFrom(int sender) {
        int slot = slot(sender);
        if (closed || told[slot]) {
            return null;
        }
        ThreadRing ring = new ThreadRing(sender, ringSize, this);
        rings[slot] = ring;
        inbound.add(slot, ring.reader());
        return ring;
    }

    private int slot(int peer) {
        int slot = Arrays.binarySearch(peers, peer);
        if (slot < 0) {
            throw new IllegalArgumentException(
                    "rank " + peer + " is not among the ranks of this JVM " + Arrays.toString(peers));
        }
        return slot;
    }

    private boolean isPeerClosed(int peer) {
        return closed || told[slot(peer)] || JvmRanks.ofThisJvm().hasEnded(jobId, peer);
    }

    @Override
    public void signal(int peer) {
        ThreadRoute route = routes[peer];
        if (route == null) {
            return;
        }
        ThreadChannel receiver = route.receiver;
        if (receiver.doorbell != null && receiver.doorbell.ringUnlessWatched(route.writer, route.slot)) {
            count(Counter.DOORBELLS);
        }
        if (receiver.ownWord.ringIfSleeping()) {
            count(Counter.WAKE_UPS);
        }
    }

    /** Signals come from several threads at once; both things that are counted cost far more than this lock. */
    private void count(Counter counter) {
        synchronized (signals) {
            signals.increment(counter);
        }
    }

    @Override
    public Reading reading() {
        return this;
    }

    @Override
    public Sharing sharing() {
        return this;
    }

    @Override
    public EagerTaking taking() {
        return this;
    }

    @Override
    public boolean describe(int peer, Object owner, Object base, long address, long bytes, RemoteReference into) {
        into.set(base == null ? ABSOLUTE : ARRAY, address, base);
        return true;
    }

    @Override
    public void release(Object lease) {
        throw new IllegalArgumentException("this channel gave out no lease " + lease);
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
        Object source = from.key == ARRAY ? from.object : null;
        if (source == null && from.key != ABSOLUTE) {
            return GetResult.FAILED;
        }
        GetResult result = GetResult.DONE;
        if (MappedMemory.isMapped(owner) || source == null && MappedMemory.isMapped(from.object)) {
            result = GuardedCopy.copy(source, from.address + offset, base, address, bytes);
        } else {
            Memory.copy(source, from.address + offset, base, address, bytes);
        }
        Reference.reachabilityFence(from.object);
        // The sender finds the same when it has to touch its memory itself, and says so.
        return result == GetResult.FAILED ? GetResult.BY_STREAM : result;
    }

    @Override
    public void withdraw(int peer, Withdrawn why) {
        withdrawn.compareAndSet(slot(peer), null, why);
        // As between processes: what the program writes there later is seen no earlier than this.
        Memory.fullFence();
    }

    @Override
    public Withdrawn withdrawn(int peer) {
        ThreadRoute route = routes[peer];
        ThreadChannel sender = route != null
                ? route.receiver
                : (ThreadChannel) JvmRanks.ofThisJvm().find(jobId, peer);
        // As between processes: the copy's loads come before this one.
        Memory.loadFence();
        if (sender == null) {
            return Withdrawn.BY_CLOSE;
        }
        boolean hasClosed = sender.closed;
        Withdrawn why = sender.withdrawn.get(sender.slot(rank));
        return why != null ? why : hasClosed ? Withdrawn.BY_CLOSE : Withdrawn.NO;
    }

    @Override
    public long addressInPlace(int peer, RemoteReference from, long bytes) {
        // Pages of a file that goes are not for the program that reads a lease to meet.
        return from.key == ABSOLUTE && !MappedMemory.isMapped(from.object) ? from.address : 0;
    }

    @Override
    public int poll(ChannelListener listener, int limit) {
        return inbound.poll(listener, limit);
    }

    @Override
    public long takeEager(
            int peer, int contextId, int tagOrAny, Object base, long address, long bytes, int elementSize) {
        return inbound.takeEager(slots[peer], contextId, tagOrAny, base, address, bytes, elementSize);
    }

    /** Nothing to do: senders look at the wait word and at the watched flag after every packet. */
    @Override
    public void arm() {}

    @Override
    public void checkPeers(ChannelListener listener) {
        inbound.sweep(listener);
        for (int slot = 0; slot < peers.length; slot++) {
            int peer = peers[slot];
            if (told[slot] || peer == rank) {
                continue;
            }
            ThreadRoute route = routes[peer];
            String failure = route == null ? null : route.writer.failure();
            // In this order: a peer that closes says so before it fails the rings that lead to it.
            if (failure != null && !route.receiver.closed) {
                fail(slot, true, "rank " + peer + " wrote nonsense: " + failure, listener);
            } else if (isPeerClosed(peer)) {
                inbound.drain(slot, listener);
                fail(slot, false, "rank " + peer + " closed without a word", listener);
            }
        }
    }

    @Override
    public void onRingCorrupt(int peer, String reason, ChannelListener listener) {
        fail(slot(peer), true, reason, listener);
    }

    private void fail(int slot, boolean corrupt, String reason, ChannelListener listener) {
        if (!told[slot]) {
            disconnect(peers[slot]);
            listener.onPeerFailed(peers[slot], corrupt, reason);
        }
    }

    @Override
    public void disconnect(int peer) {
        int slot = slot(peer);
        ThreadRoute route;
        synchronized (this) {
            told[slot] = true;
            route = routes[peer];
        }
        if (route != null) {
            route.writer.fail("disconnected");
        }
        inbound.close(slot);
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    /** What was counted while signalling. */
    @Override
    public Counters[] counters() {
        return new Counters[] {signals};
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            for (ThreadRing ring : rings) {
                if (ring != null) {
                    ring.writer().fail("the receiver closed");
                }
            }
        }
        for (int slot = 0; slot < peers.length; slot++) {
            inbound.close(slot);
        }
        JvmRanks.ofThisJvm().unregister(jobId);
        Reference.reachabilityFence(doorbellMemory);
    }

    /** This rank's way to a peer. */
    private static final class ThreadRoute {
        private final RingWriter writer;
        private final Queue<Object> references;
        private final ThreadChannel receiver;
        private final int slot;
        /** The ring that leads from the peer to this rank; null until it was needed. Under the peer's send lock. */
        private ThreadRing back;

        ThreadRoute(ThreadChannel receiver, int slot, ThreadRing ring) {
            this.writer = ring.writer();
            this.references = ring.references();
            this.receiver = receiver;
            this.slot = slot;
        }
    }
}
