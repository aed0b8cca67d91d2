package org.sluice.mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.sluice.device.Device;

/**
 * A part of a buffer as calls of a communicator take it, wherever they take a buffer: items of a layout, from an offset
 * on; or a block of items for each rank. Immutable; to use one again and again costs nothing.
 *
 * <p>A buffer by itself is all of it, in elements of its own type.
 */
public final class Data {
    /** As the contribution of a collective: it is where the result goes. */
    public static final Data IN_PLACE = new Data(null, 0, 0, null, null, null, null);

    final Object buffer;
    final long offset;
    final long count;
    final Layout layout;
    final int[] counts;
    final int[] displacements;
    final Layout[] layouts;
    /** Whether numbers are in the byte order of the buffer, and not in the machine's. */
    private final boolean isInItsOrder;

    private Data(
            Object buffer,
            long offset,
            long count,
            Layout layout,
            int[] counts,
            int[] displacements,
            Layout[] layouts) {
        this(buffer, offset, count, layout, counts, displacements, layouts, false);
    }

    private Data(
            Object buffer,
            long offset,
            long count,
            Layout layout,
            int[] counts,
            int[] displacements,
            Layout[] layouts,
            boolean isInItsOrder) {
        this.buffer = buffer;
        this.offset = offset;
        this.count = count;
        this.layout = layout;
        this.counts = counts;
        this.displacements = displacements;
        this.layouts = layouts;
        this.isInItsOrder = isInItsOrder;
    }

    /** Elements of the buffer's own type; for buffers without one, bytes. */
    public static Data of(Object buffer, long offset, long count) {
        return new Data(checked(buffer), offset, checkCount(count), null, null, null, null);
    }

    /**
     * Items of a layout.
     *
     * @param offset of the first item, in elements of the buffer's own type; for buffers without one, in bytes
     * @param count of items
     */
    public static Data of(Object buffer, long offset, long count, Layout layout) {
        return new Data(checked(buffer), offset, checkCount(count), checked(layout), null, null, null);
    }

    /**
     * Items of a layout, of numbers in the byte order of the buffer: a reduction computes with what its {@code get}
     * gives, even if the machine has another order. Messages carry bytes as they lie, as ever.
     *
     * @param offset of the first item, in bytes
     */
    public static Data inItsOrder(ByteBuffer buffer, long offset, long count, Layout layout) {
        return new Data(buffer, offset, checkCount(count), checked(layout), null, null, null, true);
    }

    /** Whether its numbers have to be turned round to be computed with. */
    boolean isTurned() {
        return isInItsOrder && buffer != null && ((ByteBuffer) buffer).order() != ByteOrder.nativeOrder();
    }

    /** All of the buffer, in items of a layout. */
    public static Data of(Object buffer, Layout layout) {
        return new Data(checked(buffer), 0, Device.WHOLE, checked(layout), null, null, null);
    }

    /**
     * A block for each rank, of items of the buffer's own type.
     *
     * @param counts items of each block, by rank
     * @param displacements where each block begins, in items
     */
    public static Data blocks(Object buffer, int[] counts, int[] displacements) {
        checkBlocks(counts, displacements);
        return new Data(checked(buffer), 0, 0, null, counts.clone(), displacements.clone(), null);
    }

    /**
     * A block for each rank.
     *
     * @param offset as in {@link #of(Object, long, long, Layout)}
     * @param counts items of each block, by rank
     * @param displacements where each block begins, in extents of the layout
     */
    public static Data blocks(Object buffer, long offset, int[] counts, int[] displacements, Layout layout) {
        checkBlocks(counts, displacements);
        return new Data(checked(buffer), offset, 0, checked(layout), counts.clone(), displacements.clone(), null);
    }

    /**
     * A block for each rank, each of a layout of its own.
     *
     * @param displacements where each block begins, in bytes
     */
    public static Data blocks(Object buffer, long offset, int[] counts, int[] displacements, Layout[] layouts) {
        checkBlocks(counts, displacements);
        if (layouts == null) {
            throw new IllegalArgumentException("the layouts are null: give one for every rank");
        }
        if (layouts.length != counts.length) {
            throw new IllegalArgumentException(
                    counts.length + " counts and " + layouts.length + " layouts: one of each for every rank");
        }
        for (int i = 0; i < layouts.length; i++) {
            if (layouts[i] == null) {
                throw new IllegalArgumentException("the layout of the block of rank " + i + " is null");
            }
        }
        return new Data(checked(buffer), offset, 0, null, counts.clone(), displacements.clone(), layouts.clone());
    }

    private static void checkBlocks(int[] counts, int[] displacements) {
        if (counts == null || displacements == null) {
            throw new IllegalArgumentException("the " + (counts == null ? "counts" : "displacements")
                    + " of blocks are null: give one for every rank");
        }
        if (counts.length != displacements.length) {
            throw new IllegalArgumentException(counts.length + " counts and " + displacements.length
                    + " displacements: one of each for every rank");
        }
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] < 0) {
                throw new IllegalArgumentException(
                        "the block of rank " + i + " has " + counts[i] + " items: 0 or more");
            }
        }
    }

    private static Object checked(Object buffer) {
        if (buffer instanceof Data) {
            throw new IllegalArgumentException("a Data is made of a buffer, not of a Data");
        }
        return buffer;
    }

    private static Layout checked(Layout layout) {
        if (layout == null) {
            throw new IllegalArgumentException(
                    "the layout is null: leave it out for elements of the buffer's own type");
        }
        return layout;
    }

    private static long checkCount(long count) {
        if (count < 0 && count != Device.WHOLE) {
            throw new IllegalArgumentException("a count of " + count + ": 0 or more, or Device.WHOLE");
        }
        return count;
    }

    @Override
    public String toString() {
        return this == IN_PLACE ? "Data[in place]" : "Data[" + buffer + "]";
    }
}
