package org.sluice.hybrid.persistent;

import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RemoteReference;
import org.sluice.hybrid.operation.Ends;
import org.sluice.hybrid.route.OutboundSlots;
import org.sluice.hybrid.route.Route;

/**
 * The receiver's end of a persistent route: the slots that one peer writes messages into.
 *
 * <p>A slot is the peer's until it says that a message is there, then this rank's until the message was received or its
 * lease closed. That is told to the peer for several slots at once, but always before the peer could have none left.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Owns</i>: the memory, until the peer writes no more and no message lies
 * in it. <i>Proof</i>: {@code PersistentRoutesTest}, {@code PersistentRouteCases}.
 */
public final class InboundSlots {
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
            return "ROUTE_DATA in slot " + slot + " of " + slots;
        }
        if (bytes <= 0 || bytes > maxBytes) {
            return "ROUTE_DATA of " + bytes + " bytes on a route of at most " + maxBytes;
        }
        return ((used | untold) & 1L << slot) == 0 ? null : "ROUTE_DATA in slot " + slot + ", which was not released";
    }

    /** A message lies there, until {@link #release}. */
    void arrived(int slot) {
        used |= 1L << slot;
        tell();
    }

    /** A message was received, or is read no more. */
    public void release(int slot) {
        used &= ~(1L << slot);
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

    /** The peer writes no more: it said so, or was disconnected. The memory goes with the last message in it. */
    void end() {
        isOver = true;
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
