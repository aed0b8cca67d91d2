package org.sluice.hybrid.route;

import org.sluice.device.SluiceException;
import org.sluice.device.buffer.MemoryOwner;
import org.sluice.device.buffer.MessageAllocator;
import org.sluice.device.buffer.MessageMemory;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.Reading;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.RemoteSlots;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.request.Completion;

/**
 * The sender's end of a persistent route: which of the receiver's slots are free, and what is being written into the
 * others.
 *
 * <p>A short message is one write, and its packet leaves behind it. A long one is announced, then written in pieces,
 * between which others go ({@link Pieces}), and its last packet leaves behind the last piece. What is sent afterwards
 * may be complete before; envelopes keep their order.
 *
 * <p>A slot is free until a write into it begins, or is announced. It is free again when the receiver has released it
 * and the channel has told that the write is over: the release may come first, and what the write reads may not change
 * before. A send out of the program's own memory ends with its write, and so does a long one; a short one out of an
 * array when its packet is out, as its bytes were copied.
 *
 * <p><i>Thread</i>: under the progress lock; {@link #attempt} under the send lock of the peer too. <i>Owns</i>: memory
 * that arrays are copied to, once there was one. <i>Proof</i>: {@code OutboundSlotsTest}, {@code PersistentRouteCases}.
 */
public final class OutboundSlots {
    /** {@link #attempt}: the message goes in the ordinary way. */
    static final int ELSEWHERE = -10;
    /** It has a slot, and its write was begun or will be in pieces. */
    private static final int TAKEN = 10;

    /** A message and the next begin in cache lines of their own. */
    private static final long ALIGNMENT = 64;

    /** Who has long messages, from ROUTE_START on. */
    public interface Pieces {
        /** The receiver was told: it is to be written by {@link #writePiece}. Under the peer's send lock too. */
        void begin(SendOperation operation);

        /** The last piece has begun: the receiver is to be told by ROUTE_END. */
        void begun(OutboundSlots slots, int slot, long bytes);

        /** The channel reads none of it any more. */
        void written(OutboundSlots slots);
    }

    /** What a write is told by when it ends. */
    public static final class Slot {
        final OutboundSlots owner;
        final int index;
        /** Whose memory is written from; null where that is the copy of an array. */
        SendOperation operation;

        Slot(OutboundSlots owner, int index) {
            this.owner = owner;
            this.index = index;
        }

        public OutboundSlots owner() {
            return owner;
        }

        @Override
        public String toString() {
            return "slot " + index + " of " + owner;
        }
    }

    private final int peer;
    private final RemoteSlots memory;
    private final Reading reading;
    private final MessageAllocator allocator;
    private final long maxBytes;
    private final Slot[] slots;
    private final long all;
    private final RemoteReference target = new RemoteReference();

    /** This rank's number for it. */
    private long id;

    private long receiverId;
    /** What waits for the receiver's answer; null when that came, or nobody waits. */
    private Completion opening;

    private boolean isAnswered;
    /** Read by whoever sends; set under the progress lock. */
    private volatile boolean isWritten;

    private boolean isClosed;
    /** ROUTE_CLOSE is out. */
    private boolean isCloseSent;
    /** And the receiver has said its last word. */
    private boolean isCloseAnswered;
    /** A bit for each slot: a write into it was begun, and the receiver has not released it. */
    private long taken;
    /** Those of which the receiver was told. */
    private long announced;
    /** The channel reads what goes there, of short messages. */
    private long writing;
    /** Long messages go there, and the channel may read them. */
    private long inPieces;

    private Pieces pieces;

    private MessageMemory staging;
    private final RemoteReference staged = new RemoteReference();

    public OutboundSlots(int peer, Channel channel, MessageAllocator allocator, long maxBytes, int slots) {
        this.peer = peer;
        this.reading = channel.reading();
        this.memory = channel.remoteSlots();
        this.allocator = allocator;
        this.maxBytes = maxBytes;
        this.slots = new Slot[slots];
        this.all = -1L >>> Long.SIZE - slots;
        for (int i = 0; i < slots; i++) {
            this.slots[i] = new Slot(this, i);
        }
    }

    /** Bytes from the beginning of one slot to that of the next. */
    public static long stride(long maxBytes) {
        return maxBytes + ALIGNMENT - 1 & -ALIGNMENT;
    }

    public int peer() {
        return peer;
    }

    public long maxBytes() {
        return maxBytes;
    }

    public int slots() {
        return slots.length;
    }

    public long id() {
        return id;
    }

    public long receiverId() {
        return receiverId;
    }

    public boolean isWritten() {
        return isWritten;
    }

    public boolean isClosed() {
        return isClosed;
    }

    public void opening(long newId, Completion completion, Pieces newPieces) {
        id = newId;
        pieces = newPieces;
        opening = completion;
    }

    /**
     * The receiver answers.
     *
     * @return false when it has before
     */
    public boolean answered() {
        boolean first = !isAnswered;
        isAnswered = true;
        return first;
    }

    /** What waits for the answer; null where nobody does any more. */
    public Completion endOpening() {
        Completion ended = opening;
        opening = null;
        return ended;
    }

    /**
     * The receiver has set slots aside.
     *
     * @return false when it named what can't be memory
     */
    public boolean ready(long newReceiverId, long key, long address) {
        target.set(key, address, null);
        receiverId = newReceiverId;
        isWritten = memory.isLent(target, stride(maxBytes) * slots.length);
        return isWritten;
    }

    /**
     * Writes a message and tells the receiver.
     *
     * @return as {@link Channel#trySend}, or {@link #ELSEWHERE}
     */
    int attempt(SendOperation operation, PacketWriter writer, Counters counters) {
        boolean isLong = operation.bytes > memory.pieceBytes();
        if (operation.slot == null) {
            int result = isClosed ? ELSEWHERE : isLong ? take(operation) : write(operation, counters);
            if (result != TAKEN) {
                return result;
            }
        }
        Slot slot = operation.slot;
        int result =
                writer.slot(isLong ? PacketKind.ROUTE_START : PacketKind.ROUTE_DATA, operation, receiverId, slot.index);
        if (result == Channel.SENT) {
            if (isLong) {
                operation.accepted = operation.bytes;
                operation.isInPieces = true;
                pieces.begin(operation);
            } else {
                announced |= 1L << slot.index;
                operation.announced = true;
            }
            counters.increment(Counter.SENT_BY_ROUTE);
            counters.add(Counter.SENT_BYTES, operation.bytes);
        }
        return result;
    }

    private Slot free() {
        long free = all & ~(taken | writing | inPieces);
        return free == 0 ? null : slots[Long.numberOfTrailingZeros(free)];
    }

    /** Whether it can be written from where it is. */
    private boolean isOwn(SendOperation operation) {
        return operation.base == null
                && memory.source(
                        MemoryOwner.of(operation.buffer, operation.held),
                        operation.address,
                        operation.bytes,
                        operation.described);
    }

    /** A slot for a long message. */
    private int take(SendOperation operation) {
        Slot slot = free();
        if (slot == null || !isOwn(operation) && !hasStaging()) {
            return ELSEWHERE;
        }
        taken |= 1L << slot.index;
        inPieces |= 1L << slot.index;
        operation.slot = slot;
        return TAKEN;
    }

    /**
     * Writes the next piece of a long message, of those that {@link Pieces} has; under the progress lock.
     *
     * @return how long it was, or 0 where there is no room now
     */
    public int writePiece(SendOperation operation, Counters counters) {
        if (!memory.hasRoom(peer)) {
            return 0;
        }
        int length = (int) Math.min(memory.pieceBytes(), operation.bytes - operation.streamed);
        long offset = operation.slot.index * stride(maxBytes) + operation.streamed;
        boolean isStaged = operation.described.lease == null;
        if (isStaged) {
            stage(operation, operation.streamed, length, offset, counters);
        }
        boolean hasBegun = memory.write(
                peer,
                isStaged ? staged : operation.described,
                isStaged ? staging.address() + offset : operation.address + operation.streamed,
                length,
                target,
                offset,
                operation);
        return hasBegun ? length : 0;
    }

    /** The last piece of it has begun. */
    public void begun(SendOperation operation) {
        // Not before: until the receiver knows, it has nothing to release, and the route isn't closed.
        announced |= 1L << operation.slot.index;
        pieces.begun(this, operation.slot.index, operation.bytes);
    }

    /** Each piece of it is there; what the send reads is the program's again. */
    public void written(SendOperation operation) {
        inPieces &= ~(1L << operation.slot.index);
        freeStaging();
        pieces.written(this);
    }

    private int write(SendOperation operation, Counters counters) {
        Slot slot = free();
        if (slot == null) {
            return ELSEWHERE;
        }
        if (!memory.hasRoom(peer)) {
            return Channel.NO_RESOURCE;
        }
        long offset = slot.index * stride(maxBytes);
        boolean isOwn = isOwn(operation);
        if (!isOwn) {
            if (!hasStaging()) {
                return ELSEWHERE;
            }
            stage(operation, 0, operation.bytes, offset, counters);
        }
        // Before the write: what throws leaves nothing that could be written over.
        taken |= 1L << slot.index;
        writing |= 1L << slot.index;
        boolean hasBegun = memory.write(
                peer,
                isOwn ? operation.described : staged,
                isOwn ? operation.address : staging.address() + offset,
                operation.bytes,
                target,
                offset,
                slot);
        if (hasBegun) {
            operation.slot = slot;
            slot.operation = isOwn ? operation : null;
            operation.outstanding = isOwn ? 1 : 0;
            counters.increment(Counter.PUT_CHUNKS);
            return TAKEN;
        }
        // The connection has failed meanwhile, as its helper found out.
        taken &= ~(1L << slot.index);
        writing &= ~(1L << slot.index);
        if (isOwn) {
            reading.release(operation.described.lease);
            operation.described.clear();
        }
        return Channel.NO_RESOURCE;
    }

    /** Whether there is memory to copy arrays to, from which they can be written. */
    private boolean hasStaging() {
        if (staging == null) {
            staging = makeStaging();
        }
        return staging != null;
    }

    private void stage(SendOperation operation, long from, long length, long offset, Counters counters) {
        Memory.copy(operation.base, operation.address + from, null, staging.address() + offset, length);
        counters.increment(Counter.COPIES);
        counters.add(Counter.COPIED_BYTES, length);
    }

    private MessageMemory makeStaging() {
        long bytes = stride(maxBytes) * slots.length;
        MessageMemory made;
        try {
            made = new MessageMemory(allocator, bytes);
        } catch (SluiceException e) {
            return null;
        }
        if (memory.source(made, made.address(), bytes, staged)) {
            return made;
        }
        made.close();
        return null;
    }

    /**
     * A write has ended.
     *
     * @return the send that ends with it, or null
     */
    public SendOperation onWritten(Slot slot, boolean ok) {
        if (!ok) {
            // The failure of the peer that follows ends all.
            return null;
        }
        writing &= ~(1L << slot.index);
        SendOperation operation = slot.operation;
        slot.operation = null;
        freeStaging();
        if (operation == null) {
            return null;
        }
        operation.outstanding = 0;
        return operation.announced ? operation : null;
    }

    /** @return what is wrong with a release of these slots, or null */
    public String onRelease(long released) {
        if (released == 0 || (released & ~announced) != 0) {
            return "ROUTE_RELEASE of slots 0x" + Long.toHexString(released) + " where 0x" + Long.toHexString(announced)
                    + " hold messages";
        }
        announced &= ~released;
        taken &= ~released;
        return null;
    }

    /** No send begins any more. */
    public void close() {
        isClosed = true;
        freeStaging();
    }

    /** @return true once, when the receiver is to be told that nothing is written any more */
    public boolean mayTellClose() {
        boolean may = isClosed && isWritten && !isCloseSent && taken == announced;
        isCloseSent |= may;
        return may;
    }

    public boolean isCloseSent() {
        return isCloseSent;
    }

    /**
     * The receiver knows it no more.
     *
     * @return false when that can't be
     */
    public boolean closed() {
        boolean right = isCloseSent && !isCloseAnswered;
        isCloseAnswered = true;
        return right;
    }

    /** Nothing is to come of it, from either side. */
    public boolean isGone() {
        return isCloseAnswered && (writing | inPieces) == 0;
    }

    /** True while the channel reads memory of this rank for it; long messages apart. */
    public boolean isWriting() {
        return writing != 0;
    }

    /**
     * Nothing is written any more, as the peer was disconnected.
     *
     * @return the next send that this ends, or null
     */
    public SendOperation endNext() {
        isWritten = false;
        isCloseSent = true;
        for (Slot slot : slots) {
            SendOperation operation = slot.operation;
            slot.operation = null;
            // One that waits in the route ended with it, and may have been cleared.
            if (operation != null && operation.slot == slot && operation.announced) {
                return operation;
            }
        }
        isClosed = true;
        writing = 0;
        inPieces = 0;
        freeStaging();
        return null;
    }

    private void freeStaging() {
        if (isClosed && (writing | inPieces) == 0 && staging != null) {
            reading.release(staged.lease);
            staged.clear();
            staging.close();
            staging = null;
        }
    }

    @Override
    public String toString() {
        return "OutboundSlots[to " + peer + ", " + slots.length + " of " + maxBytes + " bytes, taken 0x"
                + Long.toHexString(taken) + ", writing 0x" + Long.toHexString(writing) + "]";
    }
}
