package org.sluice.shm.ring;

import java.lang.ref.Reference;
import java.util.Queue;
import org.sluice.device.Device;
import org.sluice.device.channel.ChannelListener;
import org.sluice.device.channel.Endpoint;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.Withdrawn;
import org.sluice.device.memory.Memory;

/**
 * The receiving end of one ring.
 *
 * <p><i>Thread</i>: all calls under the reader's progress lock, {@link #taken} excepted. <i>Owns</i>: the cells and
 * payload that are published and not yet consumed, and the control lines. <i>Lends</i>: a body to the listener, for the
 * time of its call. <i>Fails</i>: what the writer can't have written (sequence, kind, length, position) closes the ring
 * and is reported to {@link RingFailures}; nothing of it is believed. <i>Proof</i>: {@code RingStress},
 * {@code RingCorruptionTest}.
 */
public final class RingReader extends LeadingPadding {
    /** Sequence and kind. */
    private static final int ENVELOPE_BITS = RingLayout.LENGTH_SHIFT;

    private long next;
    /**
     * Low {@link #ENVELOPE_BITS} of the next cell's publish word where an EAGER packet has come; -1, which none is, of
     * a closed ring.
     */
    private long nextEager;

    private long payloadNext;
    private long tellCells;
    private long tellPayload;
    private long toldCells;
    private long toldPayload;
    private long emptyPolls;

    private final long ring;
    private final long cells;
    private final long cellMask;
    private final long payload;
    private final int cellCount;
    private final int payloadBytes;
    private final int bodyLimit;
    private final int peer;
    private final Queue<Object> references;
    private final RingFailures failures;
    private final Object keepAlive;
    private boolean closed;
    private int watched;
    private int withdrawn;

    long after0;
    long after1;
    long after2;
    long after3;
    long after4;
    long after5;
    long after6;
    long after7;
    long after8;
    long after9;
    long after10;
    long after11;
    long after12;
    long after13;
    long after14;

    /**
     * A reader at the beginning of a ring that is all zero.
     *
     * @param references what the writer offers before it publishes a cell with {@link RingLayout#REFERENCE_FLAG}; null
     *     between processes
     */
    public RingReader(
            int peer, long ring, RingSize size, Queue<Object> references, RingFailures failures, Object keepAlive) {
        this(peer, ring, size, references, failures, keepAlive, 0);
    }

    RingReader(
            int peer,
            long ring,
            RingSize size,
            Queue<Object> references,
            RingFailures failures,
            Object keepAlive,
            long start) {
        this.peer = peer;
        this.ring = ring;
        this.cells = ring + RingLayout.CELLS;
        this.payload = ring + size.payloadOffset();
        this.cellCount = size.cells();
        this.cellMask = cellCount - 1;
        this.payloadBytes = size.payloadBytes();
        this.bodyLimit = size.bodyLimit();
        this.references = references;
        this.failures = failures;
        this.keepAlive = keepAlive;
        this.toldCells = start;
        expect(start);
        tellAt();
    }

    /** As {@link org.sluice.device.channel.Channel#poll}, for this ring. */
    public int poll(ChannelListener listener, int limit) {
        long cell = cells + ((next & cellMask) << RingLayout.CELL_SHIFT);
        // Pairs with the writer's release store of the same word: whoever sees the sequence sees the cell and its
        // payload.
        long word = Memory.getLongVolatile(cell + RingLayout.PUBLISH);
        if ((int) word != emptySequence()) {
            return take(listener, limit, cell, word);
        }
        if (toldCells != next && !closed) {
            tellConsumed();
        }
        return 0;
    }

    private int take(ChannelListener listener, int limit, long firstCell, long firstWord) {
        if (closed) {
            return 0;
        }
        long cell = firstCell;
        long word = firstWord;
        int taken = 0;
        while (true) {
            if ((int) word != (int) (next + 1)) {
                return corrupt(taken, "sequence " + (int) word + " instead of " + (int) (next + 1), listener);
            }
            String nonsense = deliver(listener, cell, word);
            if (nonsense != null) {
                return corrupt(taken, nonsense, listener);
            }
            taken++;
            if (next >= tellCells || payloadNext >= tellPayload) {
                tellConsumed();
            }
            if (taken >= limit || closed) {
                // What was consumed is told by the next poll that finds nothing: a caller who has its message goes on
                // at once.
                Reference.reachabilityFence(this);
                return taken;
            }
            cell = cells + ((next & cellMask) << RingLayout.CELL_SHIFT);
            word = Memory.getLongVolatile(cell + RingLayout.PUBLISH);
            if ((int) word == emptySequence()) {
                break;
            }
        }
        tellConsumed();
        Reference.reachabilityFence(this);
        return taken;
    }

    /** Returns what is wrong with the cell, or null when it was handed up. */
    private String deliver(ChannelListener listener, long cell, long word) {
        int kind = (int) (word >>> RingLayout.KIND_SHIFT) & 0xff;
        int bytes = (int) (word >>> RingLayout.LENGTH_SHIFT);
        boolean referenced = (kind & RingLayout.REFERENCE_FLAG) != 0 && references != null;
        if (referenced) {
            kind &= ~RingLayout.REFERENCE_FLAG;
        }
        long body = cell + RingLayout.BODY;
        if (kind < 1 || kind > PacketKind.LAST || bytes > RingLayout.INLINE_BODY_LIMIT) {
            String nonsense = checkBody(kind, bytes, body);
            if (nonsense != null) {
                return nonsense;
            }
            body = bodyAt(bytes);
            passBody(bytes);
        }
        Object reference = referenced ? references.poll() : null;
        pass();
        // The fields stand before the listener is called: it may disconnect this peer, or throw.
        listener.onPacket(
                peer,
                kind,
                Memory.getInt(cell + RingLayout.CONTEXT_ID),
                Memory.getInt(cell + RingLayout.TAG),
                body,
                bytes,
                reference);
        return null;
    }

    /** For a cell that isn't an ordinary one with its body inside: what is wrong with it, or null. */
    private String checkBody(int kind, int bytes, long body) {
        if (kind < 1 || kind > PacketKind.LAST) {
            return "packet kind " + kind;
        }
        boolean payloadKind = kind == PacketKind.EAGER || kind == PacketKind.RNDV_DATA;
        if (!payloadKind || bytes > bodyLimit) {
            return PacketKind.name(kind) + " of " + bytes + " bytes";
        }
        long position = RingWriter.bodyStart(payloadNext, bytes, payloadBytes);
        long claimed = Memory.getLong(body);
        return claimed == position ? null : "a body at " + claimed + " instead of " + position;
    }

    private long bodyAt(int bytes) {
        return payload + (RingWriter.bodyStart(payloadNext, bytes, payloadBytes) & payloadBytes - 1);
    }

    private void passBody(int bytes) {
        payloadNext = RingWriter.bodyEnd(RingWriter.bodyStart(payloadNext, bytes, payloadBytes), bytes, payloadBytes);
    }

    /** As {@link org.sluice.device.channel.Endpoint#takeEager}, for this ring. */
    public long takeEager(int contextId, int tagOrAny, Object base, long address, long room, int elementSize) {
        long cell = cells + ((next & cellMask) << RingLayout.CELL_SHIFT);
        // Pairs with the writer's release store, as in poll.
        long word = Memory.getLongVolatile(cell + RingLayout.PUBLISH);
        if ((word & (1L << ENVELOPE_BITS) - 1) == nextEager) {
            return takePublished(cell, word, contextId, tagOrAny, base, address, room, elementSize);
        }
        return (int) word == emptySequence() ? Endpoint.NOTHING : Endpoint.FOR_POLL;
    }

    /**
     * Of its own, since most looks find nothing: in a loop of looks the compilers of JDK 19 and later take what follows
     * a find for rare, and put none of the methods that it calls into it.
     */
    private long takePublished(
            long cell, long word, int contextId, int tagOrAny, Object base, long address, long room, int elementSize) {
        int bytes = (int) (word >>> RingLayout.LENGTH_SHIFT);
        int tag = Memory.getInt(cell + RingLayout.TAG);
        if (bytes > room
                || (bytes & elementSize - 1) != 0
                || Memory.getInt(cell + RingLayout.CONTEXT_ID) != contextId
                || tag != tagOrAny && tagOrAny != Device.ANY_TAG
                || tag < 0) {
            return Endpoint.FOR_POLL;
        }
        // Where the copy throws, because the user's memory is gone for instance, or is lost, the packet is the poll's
        // as it was.
        if (bytes == Long.BYTES) {
            Memory.putLong(base, address, Memory.getLong(cell + RingLayout.BODY));
        } else if (bytes <= RingLayout.INLINE_BODY_LIMIT) {
            Memory.copy(null, cell + RingLayout.BODY, base, address, bytes);
        } else {
            if (checkBody(PacketKind.EAGER, bytes, cell + RingLayout.BODY) != null) {
                return Endpoint.FOR_POLL;
            }
            Memory.copy(null, bodyAt(bytes), base, address, bytes);
        }
        // Where pages of the segment were lost all of it is zeros, and so is the word; memory that was copied to may be
        // the segment's too.
        Memory.loadFence();
        if (Memory.getLong(cell + RingLayout.PUBLISH) != word || base == null && failures.lostRing() != null) {
            return Endpoint.FOR_POLL;
        }
        if (bytes > RingLayout.INLINE_BODY_LIMIT) {
            passBody(bytes);
            if (payloadNext >= tellPayload) {
                tellCells = next;
            }
        }
        pass();
        if (next >= tellCells) {
            tellConsumed();
        }
        emptyPolls = 0;
        Reference.reachabilityFence(this);
        return Endpoint.taken(tag, bytes);
    }

    /** What the sequence of the next cell is while nothing has arrived: that of the lap before, 0 in the first lap. */
    private int emptySequence() {
        return next < cellCount ? 0 : (int) (next + 1 - cellCount);
    }

    private void pass() {
        expect(next + 1);
    }

    /** From now on this is the next cell. */
    private void expect(long index) {
        next = index;
        nextEager = RingLayout.publishWord(index, PacketKind.EAGER, 0);
    }

    private void tellConsumed() {
        toldCells = next;
        toldPayload = payloadNext;
        tellAt();
        // Gives the room back: pairs with the writer's loads when it is out of room. What the listener read was read
        // before.
        Memory.putLongRelease(ring + RingLayout.CONSUMED_PAYLOAD, payloadNext);
        Memory.putLongRelease(ring + RingLayout.CONSUMED_CELLS, next);
    }

    private void tellAt() {
        tellCells = next + (cellCount >> 2);
        tellPayload = payloadNext + (payloadBytes >> 2);
    }

    private int corrupt(int taken, String what, ChannelListener listener) {
        MemoryFaults.settle();
        close();
        failures.onRingCorrupt(peer, "the ring from rank " + peer + " holds " + what + " at packet " + next, listener);
        return taken;
    }

    /** How many packets were taken; a hint for whoever isn't under the progress lock. */
    public long taken() {
        return next;
    }

    /** True when the next poll would find something, be it nonsense. */
    public boolean hasPacket() {
        long cell = cells + ((next & cellMask) << RingLayout.CELL_SHIFT);
        return !closed && (int) Memory.getLongVolatile(cell + RingLayout.PUBLISH) != emptySequence();
    }

    /** Compares the control lines with what this end wrote there; returns what is wrong, or null. */
    public String checkControl() {
        long cellsNow = Memory.getLongVolatile(ring + RingLayout.CONSUMED_CELLS);
        long payloadNow = Memory.getLongVolatile(ring + RingLayout.CONSUMED_PAYLOAD);
        int watchedNow = Memory.getIntVolatile(ring + RingLayout.WATCHED);
        int withdrawnNow = Memory.getIntVolatile(ring + RingLayout.WITHDRAWN);
        if (cellsNow != toldCells || payloadNow != toldPayload || watchedNow != watched || withdrawnNow != withdrawn) {
            return "the control lines of the ring from rank " + peer + " were overwritten: consumed cells " + cellsNow
                    + ", payload " + payloadNow + ", watched " + watchedNow + ", withdrawn " + withdrawnNow
                    + " instead of " + toldCells
                    + ", " + toldPayload + ", " + watched + ", " + withdrawn;
        }
        return null;
    }

    /** Tells the writer whether this end looks at the ring; who looks away fences afterwards, and polls once more. */
    public void watch(boolean on) {
        watched = on ? 1 : 0;
        emptyPolls = 0;
        Memory.putIntVolatile(ring + RingLayout.WATCHED, watched);
    }

    /**
     * Tells the writer that what it was told to read here is used again from now on, and why: the first time that it is
     * called.
     */
    public void withdraw(Withdrawn why) {
        if (withdrawn != RingLayout.NOT_WITHDRAWN) {
            return;
        }
        withdrawn = why == Withdrawn.BY_CLOSE ? RingLayout.WITHDRAWN_BY_CLOSE : RingLayout.WITHDRAWN_BY_FAILURE;
        Memory.putIntVolatile(ring + RingLayout.WITHDRAWN, withdrawn);
        // Whatever is written to that memory from now on is seen no earlier than this; pairs with the fence in
        // RingWriter.withdrawn.
        Memory.fullFence();
    }

    public boolean isWatched() {
        return watched != 0;
    }

    /** Counts one more poll that found nothing, and returns how many there were since the last that did. */
    long countEmptyPoll() {
        return ++emptyPolls;
    }

    void forgetEmptyPolls() {
        emptyPolls = 0;
    }

    /** True when the writer said that it can read this process's memory. */
    public boolean writerReadsMemory() {
        return Memory.getIntVolatile(ring + RingLayout.CAN_READ_MEMORY) == 1;
    }

    public int peer() {
        return peer;
    }

    /** Hands up nothing any more. */
    public void close() {
        closed = true;
        nextEager = -1;
        if (references != null) {
            references.clear();
        }
    }

    public boolean isClosed() {
        return closed;
    }

    /** The memory that the addresses lie in. */
    public Object keepAlive() {
        return keepAlive;
    }
}
