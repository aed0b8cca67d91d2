package org.sluice.shm.segment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.arena.Arena;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.ChannelListener;
import org.sluice.device.channel.Endpoint;
import org.sluice.device.channel.Fences;
import org.sluice.device.channel.GetResult;
import org.sluice.device.channel.Reading;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.Sharing;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.channel.Withdrawn;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.device.option.Options;
import org.sluice.jni.os.OsCalls;
import org.sluice.shm.RankOrder;
import org.sluice.shm.ring.Doorbell;
import org.sluice.shm.ring.InboundRings;
import org.sluice.shm.ring.LostMemory;
import org.sluice.shm.ring.MemoryFaults;
import org.sluice.shm.ring.RingFailures;
import org.sluice.shm.ring.RingReader;
import org.sluice.shm.ring.RingSize;

/**
 * Ranks in other JVMs of this node. Opened in steps, with the job's fences between: {@link #create}, {@link #facts} to
 * everybody, {@link #connect} to each peer, and when all have, {@link #unlink}.
 *
 * <p><i>Thread</i>: as {@link Channel} says; {@link #allocate} and {@link #free} from any. <i>Owns</i>: this rank's
 * segment: the rings that lead here and the arena. <i>Lends</i>: arena memory to message buffers. <i>Fails</i>: a peer
 * whose process ended, or whose segment or packets hold nonsense, is handed up once; what a dead peer had sent comes
 * first. <i>Proof</i>: {@code SegmentChannelTest}, {@code SegmentCorruptionTest}, {@code SegmentDeathProcessTest}.
 */
public final class SegmentChannel implements Channel, Reading, Sharing, RingFailures {
    /** {@link RemoteReference#key}: the address counts from the start of the sender's segment file. */
    public static final long ARENA = 2;
    /** {@link RemoteReference#key}: an address in the sender's process. */
    public static final long PROCESS_MEMORY = 3;
    /**
     * {@link RemoteReference#key}, in its lowest three bits: an address of the sender's heap, which holds as long as
     * the sender's segment says of collections what stands in the other bits.
     */
    static final long HEAP_ARRAY = 5;

    private static final int PROTOCOL_SWITCH_LIMIT_BYTES = 32 << 10; // Measured: ADR 0038.
    private static final int CHUNK_BYTES = 16 << 10;

    private final int rank;
    private final int[] peers;
    private final OwnSegment own;
    private final LostMemory lost;
    private final Arena arena;
    private final KernelCopy kernelCopy;
    private final HeapArrays heapArrays;
    private final WaitWord waitWord;
    private final InboundRings inbound;
    private final WaitWord.Waker waker;
    private final OsCalls os;
    /** By rank; written by {@link #connect}, before anybody sends. */
    private final SegmentRoute[] routes;
    /** By slot; under the progress lock. */
    private final boolean[] told;

    private final RemoteReads reads;
    private final Signals signals = new Signals();
    private int eagerLimitBytes;
    /** How many peers were told to have failed. */
    private int failures;

    private boolean closed;

    private SegmentChannel(
            int rank, int[] peers, OwnSegment own, int size, Options options, OsCalls os, Fences fences) {
        this.rank = rank;
        this.peers = peers;
        this.own = own;
        this.lost = own.lost();
        this.os = os;
        this.arena = new Arena(own);
        this.kernelCopy = new KernelCopy(os, options);
        this.heapArrays = new HeapArrays(os, own);
        this.reads = new RemoteReads(kernelCopy);
        this.waker = new FutexWaker(os);
        this.waitWord = new WaitWord(own.at(SegmentLayout.WAIT_WORD_AT), own.keepAlive(), waker, fences);
        this.routes = new SegmentRoute[size];
        this.told = new boolean[peers.length];
        this.eagerLimitBytes = own.layout().size().bodyLimit();
        boolean watchAll = peers.length <= InboundRings.WATCH_ALL_LIMIT;
        Doorbell doorbell = watchAll ? null : new Doorbell(own.at(SegmentLayout.DOORBELL_AT), peers.length);
        this.inbound = new InboundRings(peers.length, doorbell, this, fences);
        for (int slot = 0; slot < peers.length; slot++) {
            inbound.add(
                    slot,
                    new RingReader(peers[slot], own.ring(slot), own.layout().size(), null, this, own.keepAlive()));
        }
    }

    /**
     * Makes this rank's segment.
     *
     * @param secret what only the job's ranks know, different for each opening: the file's name comes from it
     * @param size ranks in the job
     * @param nodePeers the ranks of this node in other JVMs
     * @param os the native calls, or what stands in for them: there is a slower way for each
     */
    public static SegmentChannel create(
            String secret, int rank, int size, int[] nodePeers, Options options, OsCalls os) {
        return create(secret, rank, size, nodePeers, options, os, Fences.SYMMETRIC, false);
    }

    /**
     * @param fences what the ranks of this node have agreed on
     * @param unnamed whether all peers can open what this process has open
     */
    public static SegmentChannel create(
            String secret,
            int rank,
            int size,
            int[] nodePeers,
            Options options,
            OsCalls os,
            Fences fences,
            boolean unnamed) {
        int[] peers = RankOrder.peers(nodePeers, rank, size);
        SegmentLayout layout = new SegmentLayout(RingSize.choose(peers.length, options), peers.length);
        OwnSegment own = OwnSegment.create(secret, rank, size, layout, options, os, unnamed);
        try {
            return new SegmentChannel(rank, peers, own, size, options, os, fences);
        } catch (RuntimeException e) {
            own.close();
            throw e;
        }
    }

    /** Removes the name of the segment of a rank that died before it could; without effect when there is none. */
    public static void removeName(String secret, int deadRank, Options options, OsCalls os) {
        OwnSegment.remove(SegmentName.of(options, os, secret, deadRank));
    }

    /** What each peer hands to its {@link #connect}. */
    public byte[] facts() {
        return own.facts(peers, processId(), kernelCopy.probeAddress(), kernelCopy.probeValue())
                .encode();
    }

    private int processId() {
        int pid = os.getpid();
        return pid > 0 ? pid : (int) ProcessHandle.current().pid();
    }

    /** Opens the way to a peer; refuses with OPEN_FAILED what isn't the peer's segment. */
    public void connect(int peer, byte[] peerFacts) {
        connect(new int[] {peer}, new byte[][] {peerFacts});
    }

    /** Connects to several, in this order; where one can't be connected, those before it are. */
    public void connect(int[] several, byte[][] theirFacts) {
        if (several.length != theirFacts.length) {
            throw new IllegalArgumentException(
                    "facts of " + theirFacts.length + " peers for " + several.length + ": each has its own");
        }
        try {
            Undisturbed.call(new Callable<Void>() {
                @Override
                public Void call() {
                    for (int i = 0; i < several.length; i++) {
                        connectOne(several[i], theirFacts[i]);
                    }
                    return null;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void connectOne(int peer, byte[] peerFacts) {
        int slot = slot(peer);
        SegmentFacts facts = SegmentFacts.decode(peer, peerFacts);
        PeerSegment segment = PeerSegment.open(peer, facts, own.uid(), os);
        try {
            routes[peer] = route(peer, slot, facts, segment);
        } finally {
            if (routes[peer] == null) {
                segment.close();
            }
        }
        eagerLimitBytes = Math.min(eagerLimitBytes, facts.layout().size().bodyLimit());
    }

    private SegmentRoute route(int peer, int slot, SegmentFacts facts, PeerSegment segment) {
        int slotOverThere = facts.slot(rank);
        if (slotOverThere < 0) {
            throw new SluiceException(
                    ErrorCode.OPEN_FAILED,
                    peer,
                    "rank " + peer + " has no ring for rank " + rank + ", only for " + Arrays.toString(facts.peers()),
                    null);
        }
        SegmentRoute route = new SegmentRoute(slot, slotOverThere, segment, waker, inbound.ring(slot), own, signals);
        boolean canRead = kernelCopy.canRead(facts);
        reads.counters().increment(Counter.NATIVE_CROSSINGS);
        if (canRead) {
            route.writer.announceReadsMemory();
        } else if (kernelCopy.isRequired()) {
            throw new SluiceException(
                    ErrorCode.OPEN_FAILED,
                    peer,
                    "sluice.shm.cma is on and the memory of rank " + peer + " can't be read: "
                            + kernelCopy.lastRefusal() + "; set it to auto to go without",
                    null);
        }
        return route;
    }

    /**
     * Takes the segment's name away, if it has one, once all have connected; also done by close and at the JVM's exit.
     * The peers' names go too: one of them may be killed before it gets that far.
     */
    public void unlink() {
        own.unlink();
        for (int peer : peers) {
            if (routes[peer] != null && routes[peer].segment.facts().descriptor() < 0) {
                OwnSegment.remove(Path.of(routes[peer].segment.facts().path()));
            }
        }
    }

    /** The word on which this rank sleeps; peers and, through it, other channels of this rank ring it. */
    public WaitWord waitWord() {
        return waitWord;
    }

    /** The memory of message buffers, which peers can read. */
    public Arena arena() {
        return arena;
    }

    /** Zeroed memory that peers can read: an absolute address, at a multiple of 64. */
    public long allocate(long bytes) {
        return arena.allocate(bytes);
    }

    public void free(long address) {
        arena.free(address);
    }

    private int slot(int peer) {
        int slot = Arrays.binarySearch(peers, peer);
        if (slot < 0) {
            throw new IllegalArgumentException("rank " + peer + " is none of the peers " + Arrays.toString(peers));
        }
        return slot;
    }

    @Override
    public String name() {
        return "shm";
    }

    @Override
    public int eagerLimitBytes() {
        return eagerLimitBytes;
    }

    @Override
    public int protocolSwitchLimitBytes() {
        return Math.min(PROTOCOL_SWITCH_LIMIT_BYTES, eagerLimitBytes);
    }

    @Override
    public int chunkBytes() {
        return Math.min(CHUNK_BYTES, eagerLimitBytes);
    }

    @Override
    public int getBytes(RemoteReference from) {
        return isReadByKernel(from) ? KernelCopy.PIECE_BYTES : chunkBytes();
    }

    @Override
    public boolean isGetOnTrial(RemoteReference from) {
        return isReadByKernel(from) && !kernelCopy.isRequired();
    }

    private static boolean isReadByKernel(RemoteReference from) {
        return from.key == PROCESS_MEMORY || HeapArrays.isArray(from);
    }

    @Override
    public int trySend(
            int peer, int kind, int contextId, int tag, Object base, long address, int bytes, Object reference) {
        return routes[peer].trySend(kind, contextId, tag, base, address, bytes);
    }

    @Override
    public void signal(int peer) {
        signals.ring(routes[peer]);
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
    public boolean describe(int peer, Object owner, Object base, long address, long bytes, RemoteReference into) {
        into.clear();
        long offset = base == null ? arena.offsetOf(address, bytes) : Arena.NOWHERE;
        if (offset != Arena.NOWHERE) {
            into.set(ARENA, offset, null);
            return true;
        }
        if (!kernelCopy.isWorth(bytes) || !inbound.ring(routes[peer].slot).writerReadsMemory()) {
            return false;
        }
        if (base != null) {
            return heapArrays.describe(base, address, into);
        }
        into.set(PROCESS_MEMORY, address, null);
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
        GetResult result = reads.read(routes[peer].segment, from, offset, owner, base, address, bytes);
        return result == GetResult.DONE && lostMemory() != null ? GetResult.FAILED : result;
    }

    @Override
    public String lostMemory() {
        return lost.found();
    }

    @Override
    public String lostRing() {
        return lost.found();
    }

    @Override
    public void withdraw(int peer, Withdrawn why) {
        try {
            inbound.ring(slot(peer)).withdraw(why);
        } catch (InternalError e) {
            // The segment is gone: its peers find that out.
            MemoryFaults.settle();
        }
    }

    @Override
    public Withdrawn withdrawn(int peer) {
        return routes[peer].writer.withdrawn();
    }

    @Override
    public long addressInPlace(int peer, RemoteReference from, long bytes) {
        return from.key == ARENA ? routes[peer].segment.arenaAddress(from.address, bytes) : 0;
    }

    @Override
    public int poll(ChannelListener listener, int limit) {
        try {
            return inbound.poll(listener, limit);
        } catch (InternalError e) {
            int before = failures;
            checkPeers(listener);
            if (failures == before) {
                throw e; // Not of a segment: the listener's, or some mapping of the program.
            }
            return 0;
        }
    }

    @Override
    public Endpoint endpoint(int peer) {
        return routes[peer];
    }

    @Override
    public void arm() {
        // Senders look at the wait word and at the watched flag after every packet.
    }

    @Override
    public void checkPeers(ChannelListener listener) {
        // What an earlier access left pending would be blamed on the first segment that is looked at.
        MemoryFaults.settle();
        try {
            checkSegments(listener);
        } catch (InternalError e) {
            // Cut short between the look and the use: the second look sees it.
            MemoryFaults.settle();
            checkSegments(listener);
        }
    }

    private void checkSegments(ChannelListener listener) {
        String ownWrong = own.check();
        if (ownWrong == null) {
            inbound.sweep(listener);
        }
        for (int slot = 0; slot < peers.length; slot++) {
            SegmentRoute route = routes[peers[slot]];
            if (ownWrong != null) {
                fail(slot, true, ownWrong, listener);
            } else if (!told[slot] && route != null) {
                checkPeer(slot, route, listener);
            }
        }
        Reference.reachabilityFence(this);
    }

    private void checkPeer(int slot, SegmentRoute route, ChannelListener listener) {
        if (route.segment.isOwnerGone()) {
            inbound.drain(slot, listener);
            fail(slot, false, "its process has ended without closing its device", listener);
            return;
        }
        String wrong = route.segment.check();
        if (wrong == null && route.writer.failure() != null) {
            wrong = "rank " + peers[slot] + " wrote nonsense: " + route.writer.failure();
        }
        if (wrong != null) {
            fail(slot, true, wrong, listener);
        }
    }

    @Override
    public void onRingCorrupt(int peer, String reason, ChannelListener listener) {
        // Nonsense in a ring is often only what comes of a segment that is gone.
        String ownWrong = own.check();
        fail(slot(peer), true, ownWrong != null ? ownWrong : reason, listener);
    }

    private void fail(int slot, boolean corrupt, String reason, ChannelListener listener) {
        if (!told[slot]) {
            failures++;
            disconnect(peers[slot]);
            listener.onPeerFailed(peers[slot], corrupt, reason);
        }
    }

    @Override
    public void disconnect(int peer) {
        int slot = slot(peer);
        told[slot] = true;
        if (routes[peer] != null) {
            routes[peer].writer.fail("disconnected");
        }
        inbound.close(slot);
    }

    /** What was counted by reading from peers, under the progress lock, and by signalling them. */
    @Override
    public Counters[] counters() {
        return new Counters[] {reads.counters(), signals.counters(), arena.counters()};
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        GivingBack back = new GivingBack();
        for (int slot = 0; slot < peers.length; slot++) {
            SegmentRoute route = routes[peers[slot]];
            disconnect(peers[slot]);
            if (route != null) {
                try {
                    route.segment.close();
                } catch (RuntimeException e) {
                    back.failed(e);
                }
            }
        }
        try {
            heapArrays.close();
        } catch (RuntimeException e) {
            back.failed(e);
        }
        try {
            own.close();
        } catch (RuntimeException e) {
            back.failed(e);
        }
        try {
            arena.close();
        } catch (RuntimeException e) {
            back.failed(e);
        }
        back.end();
    }
}
