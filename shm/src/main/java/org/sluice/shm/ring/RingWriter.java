package org.sluice.shm.ring;

import java.lang.ref.Reference;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.Sharing;
import org.sluice.device.channel.Withdrawn;
import org.sluice.device.memory.Memory;

/**
 * The sending end of one ring.
 *
 * <p><i>Thread</i>: {@link #trySend} and {@link #hasRoom} under the peer's send lock, {@link #fail} any. <i>Owns</i>:
 * the cells and payload from what the reader consumed up to what it published. <i>Fails</i>: no room and a dead peer
 * are returned values; nonsense in the reader's control line fails the ring. <i>Proof</i>: {@code RingStress},
 * {@code RingCorruptionTest}.
 */
public final class RingWriter extends LeadingPadding {
    /** A few lines come as fast with the body itself. */
    private static final int CLAIM_LEAST = 512;
    /** Claiming takes time of its own: as long as the answer takes at most. */
    private static final int CLAIM_MOST = 16 << 10;
    /**
     * A core that reads on fetches lines ahead; those that come next it must not take from the writer, who has claimed
     * them.
     */
    private static final int GAP = 1 << 10;
    /** Smaller payload rings have no room for gaps. */
    private static final int GAP_LEAST_RING = 256 << 10;

    /** Cells that are claimed together: their lines are fetched beside each other, those of single sends hardly. */
    private static final int CLAIMED_CELLS = 8;

    private long next;
    /** The first cell that an ordinary packet may not take; control packets may go RESERVED_CELLS further. */
    private long cellLimit;

    private long payloadNext;
    /** Of the packet with a body in the payload ring that was sent last, or was to be. */
    private long payloadBefore;

    private long payloadLimit;
    private long takenAtClaim;

    private final long ring;
    private final long cells;
    private final long cellMask;
    private final long payload;
    private final int cellCount;
    private final int payloadBytes;
    private final int bodyLimit;
    private final Object keepAlive;
    private final LostMemory lost;
    private volatile String failure;

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

    /** A writer at the beginning of a ring that is all zero. */
    public RingWriter(long ring, RingSize size, Object keepAlive) {
        this(ring, size, keepAlive, 0, LostMemory.NEVER);
    }

    /** @param lost what becomes of memory that bodies are copied from */
    public RingWriter(long ring, RingSize size, Object keepAlive, LostMemory lost) {
        this(ring, size, keepAlive, 0, lost);
    }

    /** For tests of the wrap of the 32-bit sequence: a ring whose first {@code start} cells were sent and consumed. */
    RingWriter(long ring, RingSize size, Object keepAlive, long start) {
        this(ring, size, keepAlive, start, LostMemory.NEVER);
    }

    private RingWriter(long ring, RingSize size, Object keepAlive, long start, LostMemory lost) {
        this.lost = lost;
        this.ring = ring;
        this.cells = ring + RingLayout.CELLS;
        this.payload = ring + size.payloadOffset();
        this.cellCount = size.cells();
        this.cellMask = cellCount - 1;
        this.payloadBytes = size.payloadBytes();
        this.bodyLimit = size.bodyLimit();
        this.keepAlive = keepAlive;
        this.next = start;
        this.cellLimit = start + cellCount - RingLayout.RESERVED_CELLS;
        this.payloadLimit = payloadBytes;
    }

    /** As {@link Channel#trySend}; {@code kind} may carry {@link RingLayout#REFERENCE_FLAG}. */
    public int trySend(int kind, int contextId, int tag, Object base, long address, int bytes) {
        try {
            return send(kind, contextId, tag, base, address, bytes);
        } catch (InternalError e) {
            takeBack(bytes);
            throw e;
        }
    }

    /**
     * Counts what it takes of the ring only once the body is there. With 326 bytes of code the compiler would leave it
     * out of its callers.
     */
    private int send(int kind, int contextId, int tag, Object base, long address, int bytes) {
        long index = next;
        if (index >= cellLimit && !roomFor(kind, index)) {
            return failure == null ? Channel.NO_RESOURCE : Channel.PEER_FAILED;
        }
        if (failure != null) {
            return Channel.PEER_FAILED;
        }
        long cell = cells + ((index & cellMask) << RingLayout.CELL_SHIFT);
        if (bytes == Long.BYTES) {
            Memory.putLong(cell + RingLayout.BODY, Memory.getLong(base, address));
            next = index + 1;
        } else if (bytes <= RingLayout.INLINE_BODY_LIMIT) {
            Memory.copy(base, address, null, cell + RingLayout.BODY, bytes);
            next = index + 1;
        } else {
            long position = place(bytes);
            if (position < 0) {
                return failure == null ? Channel.NO_RESOURCE : Channel.PEER_FAILED;
            }
            Memory.copy(base, address, null, payload + (position & payloadBytes - 1), bytes);
            Memory.putLong(cell + RingLayout.BODY, position);
            next = index + 1;
            payloadNext = bodyEnd(position, bytes, payloadBytes);
        }
        if (base == null && isLost(bytes)) {
            return Channel.PEER_FAILED;
        }
        Memory.putInt(cell + RingLayout.CONTEXT_ID, contextId);
        Memory.putInt(cell + RingLayout.TAG, tag);
        // Publishes the cell and its payload; pairs with the reader's load of the same word.
        Memory.putLongRelease(cell + RingLayout.PUBLISH, RingLayout.publishWord(index, kind, bytes));
        if ((index & CLAIMED_CELLS - 1) == 0 && index + 1 + CLAIMED_CELLS < cellLimit) {
            // Not the very next one: the reader looks at that all the time.
            claimCells(index + 2);
        }
        Reference.reachabilityFence(this);
        return Channel.SENT;
    }

    /** Zeros may have been copied for a body out of this rank's own segment: then it was not sent. */
    private boolean isLost(int bytes) {
        if (lost.found() == null) {
            return false;
        }
        takeBack(bytes);
        return true;
    }

    /**
     * As {@link #claimAhead}, for cells that the reader has given back; a body's bytes mean nothing before the publish
     * word is there.
     */
    private void claimCells(long first) {
        for (long index = first; index < first + CLAIMED_CELLS; index++) {
            Memory.putLong(cells + ((index & cellMask) << RingLayout.CELL_SHIFT) + RingLayout.BODY, 0);
        }
    }

    /**
     * Pages of the program's memory are gone, or of the ring itself: what was counted and not published was not sent,
     * and its room is free.
     */
    private void takeBack(int bytes) {
        MemoryFaults.settle();
        long last = next - 1;
        long word = Memory.getLong(cells + ((last & cellMask) << RingLayout.CELL_SHIFT) + RingLayout.PUBLISH);
        if ((int) word != (int) RingLayout.publishWord(last, 0, 0)) {
            next = last;
            if (bytes > RingLayout.INLINE_BODY_LIMIT) {
                payloadNext = payloadBefore;
            }
        }
    }

    /** Whether it is worth calling {@link #claimAhead} after a body of this length. */
    public static boolean isClaimedAhead(int bytes) {
        return bytes >= CLAIM_LEAST && bytes <= CLAIM_MOST;
    }

    /**
     * Writes into each cache line where a next body of the same length will lie, if something has come from the
     * reader's rank since the last call. The reader holds those lines from the lap before: who takes turns with it has
     * time now to fetch them back, and the next body doesn't wait for them. Who sends one after the other has not.
     *
     * @param taken how many packets have come from the reader's rank; a hint, so it may be read while another thread
     *     counts
     */
    public void claimAhead(int bytes, long taken) {
        if (taken == takenAtClaim) {
            return;
        }
        takenAtClaim = taken;
        long start = bodyStart(payloadNext, bytes, payloadBytes);
        if (bodyEnd(start, bytes, payloadBytes) <= payloadLimit) {
            long first = payload + (start & payloadBytes - 1);
            for (long at = first; at < first + bytes; at += Memory.CACHE_LINE) {
                Memory.putLong(at, 0);
            }
            Reference.reachabilityFence(this);
        }
    }

    /** Whether a packet of this kind with a body inside its cell would be taken now. */
    public boolean hasRoom(int kind) {
        return failure == null && (next < cellLimit || roomFor(kind, next));
    }

    private boolean roomFor(int kind, long index) {
        int reserved = PacketKind.isControl(kind & ~RingLayout.REFERENCE_FLAG) ? RingLayout.RESERVED_CELLS : 0;
        if (index < cellLimit + reserved) {
            return true;
        }
        refresh();
        return failure == null && index < cellLimit + reserved;
    }

    /** Where a body of this length begins in the payload ring, or -1 when there is no room. Takes none. */
    private long place(int bytes) {
        if (bytes > bodyLimit) {
            throw new IllegalArgumentException(
                    "a packet of " + bytes + " bytes was sent; this ring takes at most " + bodyLimit);
        }
        long start = bodyStart(payloadNext, bytes, payloadBytes);
        long end = bodyEnd(start, bytes, payloadBytes);
        if (end > payloadLimit) {
            refresh();
            if (end > payloadLimit || failure != null) {
                return -1;
            }
        }
        payloadBefore = payloadNext;
        return start;
    }

    /**
     * Both ends use this: a body is contiguous, so one that doesn't fit before the end of the ring begins at its start.
     */
    static long bodyStart(long position, int bytes, int payloadBytes) {
        int offset = (int) position & payloadBytes - 1;
        return offset + bytes <= payloadBytes ? position : position + payloadBytes - offset;
    }

    /** Both ends use this: where a body that begins at {@code start} gives way to the next one. */
    static long bodyEnd(long start, int bytes, int payloadBytes) {
        long end = RingLayout.alignPayload(start + bytes);
        return isClaimedAhead(bytes) && payloadBytes >= GAP_LEAST_RING ? end + GAP : end;
    }

    /** Reads how far the reader is, and believes it only where it can be true. */
    private void refresh() {
        // Pairs with the reader's release store: what it consumed may be written over from here on.
        long consumedPayload = Memory.getLongVolatile(ring + RingLayout.CONSUMED_PAYLOAD);
        long consumedCells = Memory.getLongVolatile(ring + RingLayout.CONSUMED_CELLS);
        long knownCells = cellLimit + RingLayout.RESERVED_CELLS - cellCount;
        long knownPayload = payloadLimit - payloadBytes;
        if (consumedCells < knownCells || consumedCells > next) {
            fail("its count of consumed cells is " + consumedCells + ", outside " + knownCells + " to " + next);
        } else if (consumedPayload < knownPayload || consumedPayload > payloadNext) {
            fail("its count of consumed payload bytes is " + consumedPayload + ", outside " + knownPayload + " to "
                    + payloadNext);
        } else {
            cellLimit = consumedCells + cellCount - RingLayout.RESERVED_CELLS;
            payloadLimit = consumedPayload + payloadBytes;
        }
    }

    /** From now on every send is PEER_FAILED. The first reason stays. */
    public void fail(String reason) {
        if (failure == null) {
            failure = reason;
        }
    }

    /** The JVM reported that memory was not there any more. */
    public void failForLostMemory(InternalError e) {
        MemoryFaults.settle();
        fail("its segment file was cut short (" + e.getMessage() + ")");
    }

    /** Why sends are PEER_FAILED, or null while they aren't. */
    public String failure() {
        return failure;
    }

    /**
     * After publishing and the sender's fence: false when the reader looks away from this ring and wants to be told.
     */
    public boolean watched() {
        return Memory.getIntVolatile(ring + RingLayout.WATCHED) != 0;
    }

    /**
     * Whether the reader has taken back the memory that it described to this end. For after a copy of it: what came to
     * that memory later is not taken for the message.
     *
     * @return as {@link Sharing#withdrawn}; a word that no Sluice writes fails the ring
     */
    public Withdrawn withdrawn() {
        // Keeps the copy's loads before this one; pairs with the reader's store before its program writes there again.
        Memory.loadFence();
        int why = Memory.getIntVolatile(ring + RingLayout.WITHDRAWN);
        switch (why) {
            case RingLayout.NOT_WITHDRAWN:
                return Withdrawn.NO;
            case RingLayout.WITHDRAWN_BY_CLOSE:
                return Withdrawn.BY_CLOSE;
            case RingLayout.WITHDRAWN_BY_FAILURE:
                return Withdrawn.BY_FAILURE;
            default:
                fail("its word on whether its memory is still its messages' is " + why + ", none of "
                        + RingLayout.NOT_WITHDRAWN + ", " + RingLayout.WITHDRAWN_BY_CLOSE + " and "
                        + RingLayout.WITHDRAWN_BY_FAILURE);
                return Withdrawn.CORRUPT;
        }
    }

    /** Tells the reader that this end can read its process's memory. */
    public void announceReadsMemory() {
        Memory.putIntVolatile(ring + RingLayout.CAN_READ_MEMORY, 1);
    }

    /** The memory that the addresses lie in. */
    public Object keepAlive() {
        return keepAlive;
    }
}
