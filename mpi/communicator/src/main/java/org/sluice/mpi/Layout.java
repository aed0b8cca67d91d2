package org.sluice.mpi;

import java.util.Arrays;
import org.sluice.device.memory.Memory;

/**
 * Where the elements of one item lie, relative to where the item begins: MPI's datatype. Items follow one another at a
 * distance of {@link #extent}.
 *
 * <p>Immutable, and so needs neither commit nor free. Displacements and extents are in bytes, except where a method
 * says otherwise. <i>Fails</i>: IllegalArgumentException for negative counts and for parts that don't fit together.
 */
public final class Layout {
    public static final Layout BYTE = basic(ElementType.BYTE);
    public static final Layout BOOLEAN = basic(ElementType.BOOLEAN);
    public static final Layout CHAR = basic(ElementType.CHAR);
    public static final Layout SHORT = basic(ElementType.SHORT);
    public static final Layout INT = basic(ElementType.INT);
    public static final Layout LONG = basic(ElementType.LONG);
    public static final Layout FLOAT = basic(ElementType.FLOAT);
    public static final Layout DOUBLE = basic(ElementType.DOUBLE);

    /** Runs of bytes that lie together, in the order in which they are packed. */
    private final long[] places;

    private final long[] lengths;
    /** Of all elements, or null where they differ. */
    private final ElementType element;

    /** Where elements differ, what an item is made of; else null. */
    private final Layout[] blocks;

    private final int[] blockLengths;
    /** If items are values of a type and an int behind each, of all of them; else null. */
    private final ElementType valueOfPairs;

    private final long size;
    private final long lowerBound;
    private final long extent;
    private final boolean contiguous;

    private Layout(long[] places, long[] lengths, ElementType element, long lowerBound, long extent) {
        this(places, lengths, element, null, null, lowerBound, extent);
    }

    private Layout(
            long[] places,
            long[] lengths,
            ElementType element,
            Layout[] blocks,
            int[] blockLengths,
            long lowerBound,
            long extent) {
        int runs = join(places, lengths);
        this.places = Arrays.copyOf(places, runs);
        this.lengths = Arrays.copyOf(lengths, runs);
        this.element = element;
        this.blocks = blocks;
        this.blockLengths = blockLengths;
        this.valueOfPairs = blocks == null ? null : valueOfPairs(blocks, blockLengths);
        this.lowerBound = lowerBound;
        this.extent = extent;
        long sum = 0;
        for (long length : this.lengths) {
            sum = Math.addExact(sum, length);
        }
        this.size = sum;
        this.contiguous = runs == 0 || runs == 1 && this.places[0] == 0 && extent == size;
    }

    private static Layout basic(ElementType type) {
        return new Layout(new long[] {0}, new long[] {type.bytes()}, type, 0, type.bytes());
    }

    /** Joins runs that touch each other and leaves out empty ones; returns how many are left, in front. */
    private static int join(long[] places, long[] lengths) {
        int runs = 0;
        for (int i = 0; i < places.length; i++) {
            if (lengths[i] == 0) {
                continue;
            }
            if (runs > 0 && places[runs - 1] + lengths[runs - 1] == places[i]) {
                lengths[runs - 1] += lengths[i];
            } else {
                places[runs] = places[i];
                lengths[runs++] = lengths[i];
            }
        }
        return runs;
    }

    /** That of single elements of a type. */
    public static Layout of(ElementType type) {
        switch (type) {
            case BOOLEAN:
                return BOOLEAN;
            case CHAR:
                return CHAR;
            case SHORT:
                return SHORT;
            case INT:
                return INT;
            case LONG:
                return LONG;
            case FLOAT:
                return FLOAT;
            case DOUBLE:
                return DOUBLE;
            default:
                return BYTE;
        }
    }

    /** {@code count} items of this one after another. */
    public Layout contiguous(int count) {
        return hvector(1, count, 0);
    }

    /** {@code count} blocks of {@code blockLength} items, {@code stride} items from one's beginning to the next's. */
    public Layout vector(int count, int blockLength, int stride) {
        return hvector(count, blockLength, Math.multiplyExact(stride, extent));
    }

    /** As {@link #vector}, with the stride in bytes. */
    public Layout hvector(int count, int blockLength, long strideBytes) {
        checkCount(count, "blocks");
        checkCount(blockLength, "items of each block");
        int[] lengths = new int[count];
        long[] displacements = new long[count];
        for (int i = 0; i < count; i++) {
            lengths[i] = blockLength;
            displacements[i] = Math.multiplyExact(strideBytes, i);
        }
        return hindexed(lengths, displacements);
    }

    /** Blocks of items; displacements are in items. */
    public Layout indexed(int[] blockLengths, int[] displacements) {
        checkSameLength(blockLengths.length, displacements.length);
        long[] bytes = new long[displacements.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = Math.multiplyExact(displacements[i], extent);
        }
        return hindexed(blockLengths, bytes);
    }

    /** As {@link #indexed}, with displacements in bytes. */
    public Layout hindexed(int[] blockLengths, long[] displacements) {
        Layout[] all = new Layout[blockLengths.length];
        Arrays.fill(all, this);
        Layout made = struct(blockLengths, displacements, all);
        return blockLengths.length == 0 ? new Layout(made.places, made.lengths, element, 0, 0) : made;
    }

    /** Blocks of items of different layouts; displacements are in bytes. */
    public static Layout struct(int[] blockLengths, long[] displacements, Layout[] layouts) {
        checkSameLength(blockLengths.length, displacements.length);
        checkSameLength(blockLengths.length, layouts.length);
        int runs = 0;
        for (int i = 0; i < layouts.length; i++) {
            if (layouts[i] == null) {
                throw new IllegalArgumentException("the layout of block " + i + " is null");
            }
            checkCount(blockLengths[i], "items of block " + i);
            runs = Math.addExact(
                    runs, Math.multiplyExact(steps(layouts[i], blockLengths[i]), layouts[i].places.length));
        }
        long[] places = new long[runs];
        long[] lengths = new long[runs];
        long low = Long.MAX_VALUE;
        long high = Long.MIN_VALUE;
        int at = 0;
        for (int i = 0; i < layouts.length; i++) {
            Layout each = layouts[i];
            int steps = steps(each, blockLengths[i]);
            int together = steps == 0 ? 0 : blockLengths[i] / steps;
            long extent = Math.multiplyExact(together, each.extent);
            for (int step = 0; step < steps; step++) {
                long begin = Math.addExact(displacements[i], Math.multiplyExact(step, extent));
                for (int run = 0; run < each.places.length; run++) {
                    places[at] = begin + each.places[run];
                    lengths[at++] = together * each.lengths[run];
                }
                low = Math.min(low, begin + each.lowerBound);
                high = Math.max(high, begin + each.lowerBound + extent);
            }
        }
        ElementType element = elementOf(blockLengths, layouts);
        if (low > high) {
            return new Layout(places, lengths, element, 0, 0);
        }
        return element == null
                ? new Layout(places, lengths, null, layouts.clone(), blockLengths.clone(), low, high - low)
                : new Layout(places, lengths, element, low, high - low);
    }

    /** Of one value and one int again and again, however they are nested. */
    private static ElementType valueOfPairs(Layout[] blocks, int[] blockLengths) {
        ElementType value = null;
        boolean isIndex = false;
        for (int i = 0; i < blocks.length; i++) {
            if (blockLengths[i] == 0 || blocks[i].size == 0) {
                continue;
            }
            boolean arePairs = blocks[i].element == null;
            ElementType here = arePairs ? blocks[i].valueOfPairs : blocks[i].element;
            boolean isOne = arePairs ? !isIndex : blockLengths[i] * blocks[i].size == here.bytes();
            boolean isAlike = isIndex ? here == ElementType.INT : here != null && (value == null || here == value);
            if (!isOne || !isAlike) {
                return null;
            }
            value = value == null ? here : value;
            isIndex ^= !arePairs;
        }
        return isIndex ? null : value;
    }

    /** Items that lie together are one run, however many they are; others are laid one by one. */
    private static int steps(Layout items, int count) {
        return items.contiguous && items.size > 0 ? Math.min(count, 1) : count;
    }

    /** Of all that have elements; where none has, as the first says. */
    private static ElementType elementOf(int[] blockLengths, Layout[] layouts) {
        Layout first = null;
        for (int i = 0; i < layouts.length; i++) {
            if (blockLengths[i] > 0 && layouts[i].size > 0) {
                if (first != null && first.element != layouts[i].element) {
                    return null;
                }
                first = layouts[i];
            }
        }
        if (first == null && layouts.length > 0) {
            first = layouts[0];
        }
        return first == null ? null : first.element;
    }

    /** The same elements with another lower bound and extent, so that items lie closer together or farther apart. */
    public Layout resized(long newLowerBound, long newExtent) {
        return new Layout(places.clone(), lengths.clone(), element, blocks, blockLengths, newLowerBound, newExtent);
    }

    private static void checkCount(int count, String what) {
        if (count < 0) {
            throw new IllegalArgumentException(count + " " + what + " of a layout: 0 or more");
        }
    }

    private static void checkSameLength(int lengths, int others) {
        if (lengths != others) {
            throw new IllegalArgumentException(lengths + " block lengths and " + others
                    + " displacements or layouts: one of each for every block");
        }
    }

    /** Bytes of the elements of one item, without the holes between them. */
    public long size() {
        return size;
    }

    /**
     * How many items a message of so many bytes has.
     *
     * @return -1 where it is no whole number of them
     */
    public long items(long bytes) {
        return size() == 0 ? (bytes == 0 ? 0 : -1) : bytes % size() == 0 ? bytes / size() : -1;
    }

    /**
     * How many elements a message of so many bytes has, in items of this one: as {@link #items}, but with those of an
     * item of which only a part came (MPI_Get_elements).
     *
     * @return -1 where the last one isn't whole
     */
    public long elements(long bytes) {
        if (size == 0) {
            return bytes == 0 ? 0 : -1;
        }
        if (element != null) {
            return bytes % element.bytes() == 0 ? bytes / element.bytes() : -1;
        }
        long ofPart = elementsOfPart(bytes % size);
        return ofPart < 0 ? -1 : bytes / size * elementsOfPart(size) + ofPart;
    }

    /** Of the first bytes of an item. */
    private long elementsOfPart(long bytes) {
        long count = 0;
        long rest = bytes;
        for (int i = 0; rest > 0; i++) {
            long here = Math.min(rest, blockLengths[i] * blocks[i].size);
            long elements = blocks[i].elements(here);
            if (elements < 0) {
                return -1;
            }
            count += elements;
            rest -= here;
        }
        return count;
    }

    /**
     * How many bytes so many elements have, in items of this one: the reverse of {@link #elements} (MPI's
     * MPI_Status_set_elements).
     */
    public long bytesOf(long elements) {
        if (size == 0) {
            return 0;
        }
        if (element != null) {
            return elements * element.bytes();
        }
        long ofItem = elementsOfPart(size);
        long bytes = elements / ofItem * size;
        long rest = elements % ofItem;
        for (int i = 0; rest > 0; i++) {
            long here = Math.min(rest, blockLengths[i] * blocks[i].elements(blocks[i].size));
            bytes += blocks[i].bytesOf(here);
            rest -= here;
        }
        return bytes;
    }

    public long extent() {
        return extent;
    }

    public long lowerBound() {
        return lowerBound;
    }

    /** Of all elements, or null where they are of several types. */
    public ElementType element() {
        return element;
    }

    /** Of the arrays that reductions compute in: bytes if there are several types. */
    ElementType computed() {
        return element == null ? ElementType.BYTE : element;
    }

    /** If items are values of a type and an int behind each, as MPI_DOUBLE_INT; else null. */
    ElementType valueOfPairs() {
        return valueOfPairs;
    }

    /** Turns round the bytes of each element of packed items; returns where those end. */
    int turn(byte[] packed, int from, long count) {
        int at = from;
        if (element != null || size == 0) {
            int end = (int) (from + count * size);
            for (; at < end; at += element.bytes()) {
                element.turn(packed, at);
            }
            return at;
        }
        for (long item = 0; item < count; item++) {
            for (int i = 0; i < blocks.length; i++) {
                at = blocks[i].turn(packed, at, blockLengths[i]);
            }
        }
        return at;
    }

    /** Whether items lie in memory as they are packed. */
    public boolean isContiguous() {
        return contiguous;
    }

    /** Where runs of an item's bytes begin, in the order in which they are packed. The caller's own copy. */
    public long[] runPlaces() {
        return places.clone();
    }

    /** How long the runs of {@link #runPlaces} are. The caller's own copy. */
    public long[] runLengths() {
        return lengths.clone();
    }

    /**
     * Bytes from where the first item begins to the last byte of {@code count} items; at least 0.
     *
     * @throws ArithmeticException where that is more than a long holds
     */
    public long reach(long count) {
        if (count == 0 || size == 0) {
            return 0;
        }
        long highest = Long.MIN_VALUE;
        for (int run = 0; run < places.length; run++) {
            highest = Math.max(highest, places[run] + lengths[run]);
        }
        long ofTheLast = extent > 0 ? Math.multiplyExact(extent, count - 1) : 0;
        return Math.max(0, Math.addExact(highest, ofTheLast));
    }

    /**
     * The lowest byte of {@code count} items, 0 or less.
     *
     * @throws ArithmeticException where that is less than a long holds
     */
    public long lowest(long count) {
        if (count == 0 || size == 0) {
            return 0;
        }
        long lowest = Long.MAX_VALUE;
        for (long place : places) {
            lowest = Math.min(lowest, place);
        }
        long ofTheLast = extent < 0 ? Math.multiplyExact(extent, count - 1) : 0;
        return Math.min(0, Math.addExact(lowest, ofTheLast));
    }

    /** Copies items to where they lie one after another; the caller has checked both ends. */
    void pack(Object from, long fromAddress, Object to, long toAddress, long count) {
        long in = fromAddress;
        long out = toAddress;
        for (long item = 0; item < count; item++) {
            for (int run = 0; run < places.length; run++) {
                move(from, in + places[run], to, out, lengths[run]);
                out += lengths[run];
            }
            in += extent;
        }
    }

    /** The way back. */
    void unpack(Object from, long fromAddress, Object to, long toAddress, long count) {
        long in = fromAddress;
        long out = toAddress;
        for (long item = 0; item < count; item++) {
            for (int run = 0; run < places.length; run++) {
                move(from, in, to, out + places[run], lengths[run]);
                in += lengths[run];
            }
            out += extent;
        }
    }

    /** A call of the JVM's copy costs more than one element. */
    private static void move(Object from, long fromAddress, Object to, long toAddress, long bytes) {
        if (bytes == Long.BYTES) {
            Memory.putLong(to, toAddress, Memory.getLong(from, fromAddress));
        } else {
            Memory.copy(from, fromAddress, to, toAddress, bytes);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Layout
                && Arrays.equals(places, ((Layout) other).places)
                && Arrays.equals(lengths, ((Layout) other).lengths)
                && element == ((Layout) other).element
                && lowerBound == ((Layout) other).lowerBound
                && extent == ((Layout) other).extent;
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(places) + Arrays.hashCode(lengths);
    }

    @Override
    public String toString() {
        return "Layout[" + (element == null ? "several types" : element) + ", " + size + " bytes in " + places.length
                + " run(s), extent " + extent + "]";
    }
}
