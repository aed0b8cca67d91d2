package org.sluice.device.arena;

import java.util.ArrayList;
import java.util.List;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.buffer.MessageAllocator;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.device.memory.Memory;

/**
 * The owner's side of the arena: memory for message buffers, made larger when it is used up, and never smaller until it
 * is closed.
 *
 * <p><i>Thread</i>: any. <i>Owns</i>: the extents, each until the arena is closed and its last range is free.
 * <i>Lends</i>: a range from {@link #allocate} to {@link #free}. <i>Fails</i>: no space is a SluiceException NO_MEMORY.
 * <i>Proof</i>: {@code SegmentArenaTest}, {@code ArenaTest}.
 */
public final class Arena implements MessageAllocator {
    /** {@link #offsetOf}: these bytes are not in one extent of the arena. */
    public static final long NOWHERE = -1;

    private static final int ZEROS = 64 << 10;

    private final ExtentSource source;
    private final byte[] zeros = new byte[ZEROS];
    /** Copy on write, so that {@link #offsetOf} takes no lock. */
    private volatile List<Piece> pieces = List.of();

    private final Counters counters = new Counters();

    private boolean closed;

    private record Piece(Extent extent, FreeRanges ranges) {}

    public Arena(ExtentSource source) {
        this.source = source;
    }

    /** What was counted here. */
    public Counters counters() {
        return counters;
    }

    /** Absolute address of zeroed memory, at a multiple of 64. */
    @Override
    public long allocate(long bytes) {
        return allocate(bytes, true);
    }

    @Override
    public long allocateUnzeroed(long bytes) {
        return allocate(bytes, false);
    }

    private synchronized long allocate(long bytes, boolean isZeroed) {
        if (bytes < 0) {
            throw new IllegalArgumentException(
                    "a message buffer of " + bytes + " bytes was asked for; 0 or more are allowed");
        }
        if (bytes > Long.MAX_VALUE - FreeRanges.ALIGNMENT) {
            throw new SluiceException(
                    ErrorCode.NO_MEMORY,
                    -1,
                    "a message buffer of " + bytes + " bytes was asked for; no machine has that much",
                    null);
        }
        for (Piece piece : closed ? List.<Piece>of() : pieces) {
            long at = piece.ranges.allocate(bytes);
            if (at != FreeRanges.NONE) {
                return handedOut(piece, at, isZeroed);
            }
        }
        Extent extent = source.extend(FreeRanges.roundUp(bytes));
        Piece piece = new Piece(extent, new FreeRanges(extent.bytes()));
        List<Piece> more = new ArrayList<>(pieces);
        more.add(piece);
        pieces = List.copyOf(more);
        counters.increment(Counter.ARENA_EXTENTS);
        counters.add(Counter.ARENA_BYTES, extent.bytes());
        return handedOut(piece, piece.ranges.allocate(bytes), isZeroed);
    }

    private long handedOut(Piece piece, long at, boolean isZeroed) {
        counters.add(Counter.ARENA_USED_BYTES, piece.ranges.sizeOf(at));
        long old = piece.ranges.touch(at);
        if (isZeroed) {
            zero(piece.extent.address() + at, old);
        }
        return piece.extent.address() + at;
    }

    /**
     * By copies: filling a page that somebody cut off kills a JVM 17, copying onto it is an error that can be caught.
     */
    private void zero(long address, long bytes) {
        for (long done = 0; done < bytes; done += ZEROS) {
            Memory.copy(zeros, Memory.arrayOffset(zeros), null, address + done, Math.min(ZEROS, bytes - done));
        }
    }

    @Override
    public void free(long address, long bytes) {
        free(address);
    }

    public synchronized void free(long address) {
        for (Piece piece : pieces) {
            // Not of 0 bytes: those are also at the end of an extent, where the next may begin.
            if (piece.extent.holds(address, 1)) {
                long freed = piece.ranges.free(address - piece.extent.address());
                counters.add(Counter.ARENA_USED_BYTES, -freed);
                giveBackUnused(piece);
                return;
            }
        }
        throw new IllegalArgumentException("address 0x" + Long.toHexString(address) + " is not in this arena");
    }

    /** After the source refuses to extend: gives back what no message buffer uses, and by and by the rest. */
    public synchronized void close() {
        closed = true;
        for (Piece piece : pieces) {
            giveBackUnused(piece);
        }
    }

    private void giveBackUnused(Piece piece) {
        if (closed && piece.ranges.isUnused()) {
            source.giveBack(piece.extent);
        }
    }

    /** Where in the segment's file these bytes are, or {@link #NOWHERE}. */
    public long offsetOf(long address, long bytes) {
        List<Piece> now = pieces;
        // An iterator would be an object for each message that is sent from outside the heap.
        for (int i = 0; i < now.size(); i++) {
            Piece piece = now.get(i);
            if (piece.extent.holds(address, bytes)) {
                return piece.extent.offset() + (address - piece.extent.address());
            }
        }
        return NOWHERE;
    }

    /** The extent that has this byte, one and the same object at each call; or null. Takes no lock. */
    public Extent extentOf(long address) {
        List<Piece> now = pieces;
        for (int i = 0; i < now.size(); i++) {
            if (now.get(i).extent.holds(address, 1)) {
                return now.get(i).extent;
            }
        }
        return null;
    }
}
