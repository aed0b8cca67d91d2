package org.sluice.hybrid.protocol;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.sluice.device.Device;
import org.sluice.device.SluiceException;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.ChannelListener;
import org.sluice.device.channel.Coalescing;
import org.sluice.device.channel.Connecting;
import org.sluice.device.channel.EagerTaking;
import org.sluice.device.channel.Endpoint;
import org.sluice.device.channel.GetResult;
import org.sluice.device.channel.Keeping;
import org.sluice.device.channel.Lending;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.PutResult;
import org.sluice.device.channel.Reading;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.Writing;
import org.sluice.device.memory.Memory;

/** Hands up whatever a test puts into it, as if peers had sent it, and notes what goes out. */
final class HostileChannel implements Channel, Lending, Coalescing, Reading, Writing, Keeping, EagerTaking, Connecting {
    /** One packet that goes out. */
    record Sent(int peer, int kind, long[] words) {}

    /** One piece that was asked for, or one that is written. */
    record Get(int peer, long offset, int bytes, Object ticket, boolean ok) {}

    /** The key of messages that are written by their senders, and of memory that is offered to them. */
    static final long WRITTEN = 66;

    private record Packet(int peer, int kind, int contextId, int tag, byte[] body) {}

    private final ArrayDeque<Packet> packets = new ArrayDeque<>();
    final ArrayDeque<Sent> sent = new ArrayDeque<>();
    /** The bodies of what was handed up or taken, in that order. */
    final ArrayDeque<byte[]> left = new ArrayDeque<>();

    final java.util.Set<Integer> disconnected = new java.util.HashSet<>();
    /** Whether it lets messages be taken past the listener. */
    boolean takes = true;
    /** How many more pieces of peers' memory can be read. */
    int readable = Integer.MAX_VALUE;
    /** How many pieces may be on the way; 0: they are there at once. */
    int depth;
    /** It can't read into any memory of this rank. */
    boolean unable;
    /** It can't say whether it reads faster than its peers stream. */
    boolean onTrial;
    /** Its sends are written to their receivers. */
    boolean writes;
    /** Pieces that are on the way, in the order in which they were asked for, and those that are written. */
    List<Get> gets = new ArrayList<>();

    List<Get> puts = new ArrayList<>();
    /** To whom memory is offered, once for each lease. */
    final List<Integer> offers = new ArrayList<>();
    /** Leases of messages that may still be read. */
    final List<Object> leases = new ArrayList<>();
    /** Messages whose memory it reads, as many at once as {@link #depth} says; offset is the tag. */
    final List<Get> loans = new ArrayList<>();

    private final ArrayDeque<Get> endedLoans = new ArrayDeque<>();
    /** How many bodies it keeps at most, and where those are that it keeps. */
    int keeps;

    final List<Long> kept = new ArrayList<>();
    final List<Long> shown = new ArrayList<>();
    /** What it says of each peer after its close. */
    SluiceException lost;
    /** What it does for persistent routes, once a test wants that. */
    ScriptedSlots slots;
    /** How many more packets of messages find room. */
    int room = Integer.MAX_VALUE;
    /** Peers that take nothing at all now, and those to whom a send throws. */
    final java.util.Set<Integer> full = new java.util.HashSet<>();

    final java.util.Set<Integer> broken = new java.util.HashSet<>();
    Runnable breaking = () -> {
        throw new IllegalStateException("broken on purpose");
    };
    /** To whom there is no room either, until somebody polls. */
    final java.util.Set<Integer> stuck = new java.util.HashSet<>();
    /** With whom nothing was ever said, and of those the ones that it has let go. */
    final java.util.Set<Integer> unmet = new java.util.HashSet<>();

    final java.util.Set<Integer> leftUnmet = new java.util.HashSet<>();
    /** Peers of which the next poll tells that they have closed without a CLOSE. */
    final ArrayDeque<Integer> closing = new ArrayDeque<>();
    /** Whether it sends several packets at once, and how many each series had. */
    boolean packs;

    final List<Integer> series = new ArrayList<>();
    private int seriesBegan;
    private final ArrayDeque<Get> ended = new ArrayDeque<>();
    private final ArrayDeque<Get> endedPuts = new ArrayDeque<>();
    /** Whether its peers agree that this rank sleeps. */
    volatile boolean agrees = true;

    void arrive(int peer, int kind, int contextId, int tag, byte[] body) {
        packets.add(new Packet(peer, kind, contextId, tag, body));
    }

    void arrive(int peer, int kind, long... words) {
        byte[] body = new byte[words.length * Long.BYTES];
        Memory.copy(words, Memory.arrayOffset(words), body, Memory.arrayOffset(body), body.length);
        arrive(peer, kind, 0, 0, body);
    }

    boolean isEmpty() {
        return packets.isEmpty();
    }

    @Override
    public String name() {
        return "hostile";
    }

    @Override
    public int eagerLimitBytes() {
        return 1024;
    }

    @Override
    public int protocolSwitchLimitBytes() {
        return 1024;
    }

    @Override
    public int chunkBytes() {
        return 100;
    }

    @Override
    public int trySend(
            int peer, int kind, int contextId, int tag, Object base, long address, int bytes, Object reference) {
        if (disconnected.contains(peer)) {
            return PEER_FAILED;
        }
        if (broken.contains(peer)) {
            breaking.run();
        }
        if (full.contains(peer) || stuck.contains(peer)) {
            return NO_RESOURCE;
        }
        if (!PacketKind.isControl(kind) && room-- <= 0) {
            room = 0;
            return NO_RESOURCE;
        }
        long[] words = new long[bytes / Long.BYTES];
        Memory.copy(base, address, words, Memory.arrayOffset(words), words.length * (long) Long.BYTES);
        sent.add(new Sent(peer, kind, words));
        return SENT;
    }

    @Override
    public Lending lending() {
        return this;
    }

    @Override
    public int lendFromBytes() {
        return Integer.MAX_VALUE;
    }

    @Override
    public int lendAndWaitFromBytes() {
        return Integer.MAX_VALUE;
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
        if (disconnected.contains(peer) || unable) {
            return unable ? BY_COPY : PEER_FAILED;
        }
        if (loans.size() == depth) {
            return NO_RESOURCE;
        }
        loans.add(new Get(peer, tag, bytes, ticket, true));
        into.lease = new Object();
        leases.add(into.lease);
        return LENT;
    }

    @Override
    public Connecting connecting() {
        return this;
    }

    @Override
    public boolean isUnmet(int peer) {
        return unmet.contains(peer);
    }

    @Override
    public boolean leaveUnmet(int peer) {
        return unmet.contains(peer) && leftUnmet.add(peer);
    }

    @Override
    public boolean makesRoomUnpolled(int peer) {
        return !stuck.contains(peer);
    }

    @Override
    public Coalescing coalescing() {
        return packs ? this : null;
    }

    @Override
    public void gather(int peer) {
        seriesBegan = sent.size();
    }

    @Override
    public boolean flush(int peer) {
        series.add(sent.size() - seriesBegan);
        return true;
    }

    /** The next poll tells that this message was read, or may not have been. */
    void endLoan(Get loan, boolean ok) {
        loans.remove(loan);
        endedLoans.add(new Get(loan.peer, loan.offset, loan.bytes, loan.ticket, ok));
    }

    @Override
    public Keeping keeping() {
        return this;
    }

    @Override
    public boolean keep(long address) {
        return kept.size() < keeps && kept.add(address);
    }

    @Override
    public void show(long address) {
        shown.add(address);
    }

    @Override
    public void giveBack(long address) {
        if (!kept.remove(address)) {
            throw new IllegalStateException("given back twice");
        }
        Memory.free(address);
    }

    @Override
    public void signal(int peer) {
        // Nobody sleeps.
    }

    @Override
    public Reading reading() {
        return this;
    }

    @Override
    public boolean describe(int peer, Object owner, Object base, long address, long bytes, RemoteReference into) {
        into.clear();
        if (!writes) {
            return false;
        }
        into.set(WRITTEN, 0, null);
        into.lease = new Object();
        leases.add(into.lease);
        return true;
    }

    @Override
    public void release(Object lease) {
        if (!leases.remove(lease)) {
            throw new IllegalStateException("given back twice");
        }
    }

    @Override
    public Writing writing() {
        return this;
    }

    @Override
    public boolean offer(int peer, Object owner, Object base, long address, long bytes, RemoteReference into) {
        if (unable) {
            return false;
        }
        into.set(WRITTEN, 4096, null);
        into.lease = peer;
        offers.add(peer);
        return true;
    }

    @Override
    public void takeBack(int peer, Object lease) {
        if (!lease.equals(peer) || !offers.remove(lease)) {
            throw new IllegalStateException("taken back from " + peer + ": " + lease);
        }
    }

    @Override
    public int putBytes() {
        return chunkBytes();
    }

    @Override
    public PutResult put(
            int peer, RemoteReference from, long address, int bytes, RemoteReference to, long offset, Object ticket) {
        if (to.key != WRITTEN) {
            return PutResult.FAILED;
        }
        if (puts.size() == depth) {
            return PutResult.NO_RESOURCE;
        }
        puts.add(new Get(peer, offset, bytes, ticket, true));
        return PutResult.STARTED;
    }

    /** The next poll tells that this piece was written, or may not have been. */
    void endPut(Get put, boolean ok) {
        puts.remove(put);
        endedPuts.add(new Get(put.peer, put.offset, put.bytes, put.ticket, ok));
    }

    /** The next poll tells that this was written into its slot, or may not have been. */
    void end(ScriptedSlots.Write write, boolean ok) {
        slots.writes.remove(write);
        endedPuts.add(new Get(write.peer(), write.offset(), (int) write.bytes(), write.ticket(), ok));
    }

    @Override
    public ScriptedSlots remoteSlots() {
        return slots;
    }

    @Override
    public boolean isGetOnTrial(RemoteReference from) {
        return onTrial;
    }

    @Override
    public int getBytes(RemoteReference from) {
        return chunkBytes();
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
        if (from.key == WRITTEN) {
            return GetResult.BY_PUT;
        }
        if (unable) {
            return GetResult.BY_STREAM;
        }
        if (depth == 0) {
            return readable-- > 0 ? GetResult.DONE : GetResult.FAILED;
        }
        if (gets.size() == depth) {
            return GetResult.NO_RESOURCE;
        }
        gets.add(new Get(peer, offset, bytes, ticket, true));
        return GetResult.STARTED;
    }

    /** The next poll tells that this piece is there, or never will be. */
    void end(Get get, boolean ok) {
        gets.remove(get);
        ended.add(new Get(get.peer, get.offset, get.bytes, get.ticket, ok));
    }

    @Override
    public int poll(ChannelListener listener, int limit) {
        for (Get get; (get = ended.poll()) != null; ) {
            listener.onGetDone(get.ticket, get.ok);
        }
        for (Get put; (put = endedPuts.poll()) != null; ) {
            listener.onPutDone(put.ticket, put.ok);
        }
        for (Get loan; (loan = endedLoans.poll()) != null; ) {
            listener.onLentBack(loan.ticket, loan.ok);
        }
        for (Integer peer; (peer = closing.poll()) != null; ) {
            listener.onPeerClosed(peer);
        }
        Packet packet = packets.poll();
        if (packet == null) {
            return 0;
        }
        left.add(packet.body);
        if (!disconnected.contains(packet.peer)) {
            long address = Memory.allocate(packet.body.length + 8L);
            Memory.copy(packet.body, Memory.arrayOffset(packet.body), null, address, packet.body.length);
            listener.onPacket(
                    packet.peer, packet.kind, packet.contextId, packet.tag, address, packet.body.length, null);
            if (!kept.contains(address)) {
                Memory.free(address);
            }
        }
        return 1;
    }

    @Override
    public EagerTaking taking() {
        return this;
    }

    @Override
    public long takeEager(
            int peer, int contextId, int tagOrAny, Object base, long address, long bytes, int elementSize) {
        Packet packet =
                packets.stream().filter(each -> each.peer == peer).findFirst().orElse(null);
        if (packet == null || !takes) {
            return packet == null ? Endpoint.NOTHING : Endpoint.FOR_POLL;
        }
        if (packet.kind != PacketKind.EAGER
                || packet.contextId != contextId
                || packet.tag != tagOrAny && tagOrAny != Device.ANY_TAG
                || packet.body.length > bytes
                || packet.body.length % elementSize != 0
                || disconnected.contains(peer)) {
            return Endpoint.FOR_POLL;
        }
        packets.remove(packet);
        left.add(packet.body);
        Memory.copy(packet.body, Memory.arrayOffset(packet.body), base, address, packet.body.length);
        return Endpoint.taken(packet.tag, packet.body.length);
    }

    @Override
    public boolean prepareSleep() {
        return agrees;
    }

    @Override
    public void arm() {
        // Nobody sleeps.
    }

    @Override
    public void checkPeers(ChannelListener listener) {
        // They all live.
    }

    @Override
    public void disconnect(int peer) {
        disconnected.add(peer);
        gets.removeIf(get -> get.peer == peer);
        ended.removeIf(get -> get.peer == peer);
        puts.removeIf(put -> put.peer == peer);
        endedPuts.removeIf(put -> put.peer == peer);
        loans.removeIf(loan -> loan.peer == peer);
        endedLoans.removeIf(loan -> loan.peer == peer);
        if (slots != null) {
            slots.writes.removeIf(write -> write.peer() == peer);
        }
    }

    @Override
    public SluiceException undelivered(int peer) {
        return lost;
    }

    @Override
    public void close() {
        // Nothing to give back.
    }
}
