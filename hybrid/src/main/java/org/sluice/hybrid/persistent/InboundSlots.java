package org.sluice.hybrid.persistent;

import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RemoteReference;
import org.sluice.hybrid.operation.Ends;
import org.sluice.hybrid.route.OutboundSlots;
import org.sluice.hybrid.route.Route;

/**
 * The receiver's end of a persistent route: the slots that one peer writes messages into.
 *
 * <p>A slot is the peer's until it says that a message is there, or begins to come, then this rank's until the message
 * was received or its lease closed. That is told to the peer for several slots at once, but always before the peer
 * could have none left.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Owns</i>: the memory, until the peer writes no more and no message lies
 * in it. <i>Proof</i>: {@code PersistentRoutesTest}, {@code PersistentRouteCases}.
 */
public final class InboundSlots {
    public static final long NONE = -1;
    private static final long PAGE = 4096;

    private final PersistentRoutes owner;
    private final Route route;
    private final Ends ends;
    private final long senderId;
    private final long maxBytes;
    private final int slots;
    private final long all;
    private final RemoteReference memory;
    /** A bit for each slot: a message lies there. */
    private long used;
    /** Of these, those that a long message is written into: its bytes may be read when the peer has said so. */
    private long awaited;
    /** How long that is, by slot; null before the first. */
    private long[] lengths;
    /** The id of what waits for its end, by slot; {@link #NONE}: nobody. */
    private long[] waiting;
    /** Of those, the ones that nobody has received: they stay when they are there. */
    private long looked;
    /** Those that are free again, and the peer doesn't know. */
    private long untold;
    /** The peer writes no more. */
    private boolean isOver;

    /** @param memory that was lent to the peer */
    InboundSlots(
            PersistentRoutes owner,
            Route route,
            Ends ends,
            long senderId,
            long maxBytes,
            int slots,
            RemoteReference memory) {
        this.owner = owner;
        this.route = route;
        this.ends = ends;
        this.senderId = senderId;
        this.maxBytes = maxBytes;
        this.slots = slots;
        this.all = -1L >>> Long.SIZE - slots;
        this.memory = memory;
    }

    int peer() {
        return route.peer();
    }

    long senderId() {
        return senderId;
    }

    Object lease() {
        return memory.lease;
    }

    /** Of the memory of a route, in whole pages. */
    static long bytes(long maxBytes, long slots) {
        return OutboundSlots.stride(maxBytes) * slots + PAGE - 1 & -PAGE;
    }

    long bytes() {
        return bytes(maxBytes, slots);
    }

    /** Where the message in a slot lies. */
    public long address(int slot) {
        return memory.address + slot * OutboundSlots.stride(maxBytes);
    }

    /** What is wrong with news of a message in a slot, or null. */
    String fault(long slot, long bytes) {
        if (slot < 0 || slot >= slots) {
            return "slot " + slot + " of " + slots;
        }
        if (bytes <= 0 || bytes > maxBytes) {
            return "a route of at most " + maxBytes + ", of a message of " + bytes + " bytes";
        }
        return ((used | untold) & 1L << slot) == 0 ? null : "slot " + slot + ", which was not released";
    }

    /** A long message is to be written there. */
    void begins(int slot, long bytes) {
        if (lengths == null) {
            lengths = new long[slots];
            waiting = new long[slots];
        }
        awaited |= 1L << slot;
        lengths[slot] = bytes;
        waiting[slot] = NONE;
    }

    /** Whether so long a message is being written there, as a peer claims that it is over. */
    boolean isAwaited(long slot, long bytes) {
        return slot >= 0 && slot < slots && (awaited & 1L << slot) != 0 && lengths[(int) slot] == bytes;
    }

    /** Whether messages are being written. */
    boolean hasAwaited() {
        return awaited != 0;
    }

    /** False where the bytes of the message in a slot are not there: they come, or {@link #isComing} is false too. */
    public boolean isHere(int slot) {
        return (awaited & 1L << slot) == 0;
    }

    /** The message in a slot is being written, by a peer that lives. */
    public boolean isComing(int slot) {
        return !isOver && !isHere(slot);
    }

    /**
     * Somebody waits for the end of a message that comes.
     *
     * @param isLook it stays where it is
     * @return who did before, or {@link #NONE}
     */
    public long await(int slot, long id, boolean isLook) {
        long before = waiting[slot];
        waiting[slot] = id;
        looked = isLook ? looked | 1L << slot : looked & ~(1L << slot);
        return before;
    }

    /**
     * The last byte of the message in a slot is there.
     *
     * @return who waits for it, or {@link #NONE}
     */
    public long ended(int slot) {
        awaited &= ~(1L << slot);
        return waiting[slot];
    }

    /** What waits is no receive. */
    public boolean isLooked(int slot) {
        return (looked & 1L << slot) != 0;
    }

    /** A message lies there, or comes, until {@link #release}. */
    void arrived(int slot) {
        used |= 1L << slot;
        tell();
    }

    /** A message was received, or is read no more. */
    public void release(int slot) {
        used &= ~(1L << slot);
        awaited &= ~(1L << slot);
        if (!isOver) {
            untold |= 1L << slot;
            tell();
        } else if (used == 0) {
            owner.free(this);
        }
    }

    /** A sender that has a slot left needs no news yet; one that has none gets all there is. */
    private void tell() {
        if (untold != 0 && (Long.bitCount(untold) >= slots + 1 >> 1 || (used | untold) == all)) {
            ends.control(route, PacketKind.ROUTE_RELEASE, senderId, untold, 0, 2 * Long.BYTES);
            untold = 0;
        }
    }

    /**
     * The peer writes no more: it said so, or was disconnected. The memory goes with the last message in it; those that
     * were still written, and had a receive, end by that.
     */
    void end() {
        isOver = true;
        for (int slot = 0; slot < slots && awaited != 0; slot++) {
            if (!isHere(slot) && waiting[slot] != NONE && !isLooked(slot)) {
                used &= ~(1L << slot);
                awaited &= ~(1L << slot);
            }
        }
        if (used == 0) {
            owner.free(this);
        }
    }

    @Override
    public String toString() {
        return "InboundSlots[from " + peer() + ", " + slots + " of " + maxBytes + " bytes, used 0x"
                + Long.toHexString(used) + ", untold 0x" + Long.toHexString(untold) + "]";
    }
}
