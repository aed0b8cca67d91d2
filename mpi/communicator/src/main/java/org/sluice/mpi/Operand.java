package org.sluice.mpi;

import java.lang.reflect.Array;
import org.sluice.device.Device;
import org.sluice.device.buffer.UserBuffer;
import org.sluice.device.memory.Memory;
import org.sluice.mpi.algorithm.Blocks;

/**
 * A buffer that a caller gave, checked, and as its schedule sees it: what lies together is used where it lies, the rest
 * is packed into an array first, or unpacked out of one at the end. Used again and again. <i>Thread</i>: one.
 */
final class Operand {
    private final Scratch scratch;
    private Object buffer;
    /** In bytes from the buffer's first element. */
    private long begin;

    private long keptBytes;
    /** Of the last buffer, whose class is kept where it was an array: the next one is often of the same. */
    private Class<?> arrayClass;

    private ElementType type;
    private Layout ofType;
    private int elementBytes;

    private long count;
    private Layout layout;
    private Data blocks;

    private Object used;
    private long usedBegin;
    private boolean isPacked;
    /** Its numbers have another byte order than the machine's, and are computed with. */
    private boolean isTurned;

    private final boolean isOfCollective;
    private boolean isWritten;
    /** Schedules write and read at one place: what has two is copied for them. */
    private boolean hasPositions;

    /** Of a collective. */
    Operand(Scratch scratch) {
        this(scratch, true);
    }

    private Operand(Scratch scratch, boolean isOfCollective) {
        this.scratch = scratch;
        this.isOfCollective = isOfCollective;
    }

    static Operand ofMessage() {
        return new Operand(new Scratch(), false);
    }

    /** Of a contribution that isn't looked at, on this rank. */
    void none() {
        name(null, Layout.BYTE, null);
        keptBytes = 0;
        begin = 0;
        count = 0;
        hasPositions = false;
        isTurned = false;
        use(null, 0);
    }

    /** To write a reference into an old object costs a fence where the collector is G1, and most are as before. */
    private void name(Object newBuffer, Layout newLayout, Data newBlocks) {
        if (buffer != newBuffer) {
            buffer = newBuffer;
        }
        if (layout != newLayout) {
            layout = newLayout;
        }
        if (blocks != newBlocks) {
            blocks = newBlocks;
        }
    }

    private void use(Object newUsed, long newBegin) {
        if (used != newUsed) {
            used = newUsed;
        }
        usedBegin = newBegin;
        isPacked = false;
    }

    /** Takes what the caller gave, items or a whole buffer. */
    void take(Object given, boolean writing) {
        if (given instanceof Segment) {
            take((Segment) given, writing);
            return;
        }
        Data data = given instanceof Data ? (Data) given : null;
        if (data == Data.IN_PLACE) {
            throw new IllegalArgumentException("Data.IN_PLACE has no place here: give a buffer");
        }
        Object newBuffer = data == null ? given : data.buffer;
        long offset = data == null ? 0 : data.offset;
        isWritten = writing;
        long rest = restOfArray(newBuffer, offset);
        hasPositions = false;
        if (rest < 0) {
            rest = writing
                    ? UserBuffer.bytesToReceive(newBuffer, offset, Device.WHOLE)
                    : UserBuffer.bytesToSend(newBuffer, offset, Device.WHOLE);
            hasPositions = isOfCollective && UserBuffer.hasPositions(newBuffer);
            typed(newBuffer);
        }
        begin = offset * elementBytes;
        keptBytes = begin + rest;
        ElementType own = type;
        Layout newLayout = data == null || data.layout == null ? ofType : data.layout;
        name(newBuffer, newLayout, data != null && data.counts != null ? data : null);
        isTurned = data != null && data.isTurned();
        if (blocks == null) {
            count = data == null || data.count == Device.WHOLE ? whole(rest) : data.count;
            checkType(newLayout, own);
            // The common case, which can't overflow.
            boolean isLarge = count > Integer.MAX_VALUE || newLayout.size() > Integer.MAX_VALUE;
            if (!newLayout.isContiguous() || isLarge || count * newLayout.size() > rest) {
                checkBounds(newLayout, 0, count, rest);
            }
        } else {
            checkBlocks(rest);
        }
        use(newBuffer, begin);
    }

    /**
     * Of an array of the same class as the last buffer, in bytes from there on; -1 for all that takes longer to tell.
     */
    private long restOfArray(Object array, long offset) {
        if (array == null || array.getClass() != arrayClass) {
            return -1;
        }
        long left = Array.getLength(array) - offset;
        return offset < 0 || left < 0 ? -1 : left * elementBytes;
    }

    private void typed(Object newBuffer) {
        boolean isArray = newBuffer != null && newBuffer.getClass().isArray();
        arrayClass = isArray ? newBuffer.getClass() : null;
        type = ElementType.of(newBuffer);
        ofType = Layout.of(type);
        elementBytes = UserBuffer.elementSize(newBuffer);
    }

    /** What was prepared is used as it is, and delivered by whom it is of. */
    private void take(Segment given, boolean writing) {
        Operand whole = given.whole();
        name(null, given.layout(), null);
        isWritten = writing;
        isTurned = false;
        hasPositions = false;
        begin = 0;
        keptBytes = whole.keptBytes;
        count = given.count();
        use(whole.used, whole.usedBegin + given.from());
    }

    private long whole(long rest) {
        if (layout.extent() <= 0) {
            throw new IllegalArgumentException(
                    "how many items of " + layout + " a buffer has can't be told: give a count");
        }
        return rest / layout.extent();
    }

    private void checkType(Layout items, ElementType own) {
        if (items.element() == own || buffer == null) {
            return;
        }
        boolean hasType = buffer.getClass().isArray() || own != ElementType.BYTE;
        if (hasType && items.size() > 0) {
            throw new IllegalArgumentException(
                    "items of " + items + " can't be in a buffer of elements of type " + own);
        }
    }

    private void checkBounds(Layout items, long from, long itemCount, long rest) {
        if (itemCount == 0) {
            return;
        }
        long lowest = from;
        long reach;
        try {
            lowest = Math.addExact(from, items.lowest(itemCount));
            reach = Math.addExact(from, items.reach(itemCount));
            // Items that lie over each other reach less far than they have bytes.
            Math.multiplyExact(itemCount, items.size());
        } catch (ArithmeticException e) {
            reach = Long.MAX_VALUE;
        }
        if (begin + lowest < 0 || reach > rest) {
            if (lowest >= 0
                    && items.element() != null
                    && items == Layout.of(items.element())
                    && from % items.size() == 0) {
                String where = from == 0
                        ? ", for all ranks together where the call is for several,"
                        : " at displacement " + from / items.size();
                throw new IndexOutOfBoundsException(itemCount + " item(s) of type " + items.element() + where
                        + " are outside of the buffer: from the offset on it has " + rest / items.size()
                        + "; give a larger one, or a smaller offset or count");
            }
            throw new IndexOutOfBoundsException(itemCount + " item(s) of " + items + " are outside of the buffer: they"
                    + " take bytes " + lowest + " to " + reach + " from the offset on, where there are " + rest);
        }
    }

    private void checkBlocks(long rest) {
        for (int i = 0; i < blocks.counts.length; i++) {
            Layout items = layoutOf(i);
            checkType(items, ElementType.of(buffer));
            checkBounds(items, displacement(i), blocks.counts[i], rest);
        }
    }

    private Layout layoutOf(int rank) {
        return blocks == null || blocks.layouts == null ? layout : blocks.layouts[rank];
    }

    private long displacement(int rank) {
        return blocks.layouts == null ? blocks.displacements[rank] * layout.extent() : blocks.displacements[rank];
    }

    boolean hasBlocks() {
        return blocks != null;
    }

    int blockCount() {
        return blocks.counts.length;
    }

    long count() {
        return count;
    }

    Layout layout() {
        return layout;
    }

    /** Of all items, packed. */
    long bytes() {
        return count * layout.size();
    }

    /** What the schedule uses. */
    Object used() {
        return used;
    }

    /** As {@link #used}: where it begins, in bytes. */
    long usedBegin() {
        return usedBegin;
    }

    /** Whether that is a copy. */
    boolean isPacked() {
        return isPacked;
    }

    /** As another, whose memory this is, too. */
    void alias(Operand other) {
        name(other.buffer, other.layout, other.blocks);
        begin = other.begin;
        count = other.count;
        isWritten = other.isWritten;
        hasPositions = other.hasPositions;
        isTurned = false;
        use(other.used, other.usedBegin);
    }

    // --- one run of items --------------------------------------------------------------------------------------------

    /**
     * Has the schedule use the buffer where it lies if it can.
     *
     * @param computed whether the schedule computes with it, for which it needs an array of its elements' type
     * @param reads whether what is in the buffer counts
     */
    void prepare(boolean computed, boolean reads) {
        if (buffer == null || count == 0) {
            return;
        }
        boolean isUsable = !hasPositions
                && layout.isContiguous()
                && (!computed || layout.computed().isOf(buffer));
        isTurned &= computed;
        if (!isUsable) {
            Object packed = scratch.take(packedType(computed, bytes()), bytes());
            if (reads && isTurned) {
                packTurned(packed);
            } else if (reads) {
                layout.pack(base(), address(isWritten), packed, Memory.arrayOffset(packed), count);
            }
            use(packed, 0);
            isPacked = true;
        }
    }

    private void packTurned(Object packed) {
        byte[] turned = new byte[turnedBytes()];
        layout.pack(base(), address(isWritten), turned, Memory.arrayOffset(turned), count);
        layout.turn(turned, 0, count);
        Memory.copy(turned, Memory.arrayOffset(turned), packed, Memory.arrayOffset(packed), turned.length);
    }

    private int turnedBytes() {
        if (bytes() > Scratch.MOST_BYTES) {
            throw new IllegalArgumentException("numbers in another byte order than the machine's are turned round in an"
                    + " array, and " + bytes() + " bytes are more than it takes: split them");
        }
        return (int) bytes();
    }

    private void deliverTurned() {
        byte[] turned = new byte[turnedBytes()];
        Memory.copy(used, Memory.arrayOffset(used), turned, Memory.arrayOffset(turned), turned.length);
        layout.turn(turned, 0, count);
        layout.unpack(turned, Memory.arrayOffset(turned), base(), address(true), count);
    }

    /** What is only moved is bytes, except where an array of bytes would be too short. */
    private ElementType packedType(boolean computed, long bytes) {
        boolean isOfElements = computed || bytes > Scratch.MOST_BYTES && layout.element() != null;
        return isOfElements ? layout.computed() : ElementType.BYTE;
    }

    /** The result is there: brings it to where the caller wants it. */
    void deliver() {
        if (isPacked && blocks == null) {
            if (isTurned) {
                deliverTurned();
            } else {
                layout.unpack(used, Memory.arrayOffset(used), base(), address(true), count);
            }
            moveBehind(begin + layout.reach(count));
        }
    }

    private void moveBehind(long bytes) {
        if (hasPositions) {
            UserBuffer.received(buffer, address(true) - begin, bytes);
        }
    }

    /** Of what a caller gives. */
    static boolean hasPositions(Object given) {
        return !(given instanceof Segment)
                && UserBuffer.hasPositions(given instanceof Data ? ((Data) given).buffer : given);
    }

    private Object base() {
        return UserBuffer.base(buffer);
    }

    private long address(boolean writing) {
        return UserBuffer.address(buffer, 0, writing) + begin;
    }

    // --- some of the items -------------------------------------------------------------------------------------------

    /** Packs items from one on; what lies together is looked at as its bytes. */
    void packPart(long first, long items, Object to, long toAddress) {
        if (layout.isContiguous()) {
            Memory.copy(base(), address(false) + first, to, toAddress, items);
        } else {
            layout.pack(base(), address(false) + first * layout.extent(), to, toAddress, items);
        }
    }

    /** The way back. */
    void unpackPart(Object from, long fromAddress, long first, long items) {
        if (layout.isContiguous()) {
            Memory.copy(from, fromAddress, base(), address(true) + first, items);
        } else {
            layout.unpack(from, fromAddress, base(), address(true) + first * layout.extent(), items);
        }
    }

    // --- a block for each rank ---------------------------------------------------------------------------------------

    /** Splits the items into as many blocks as there are ranks. */
    void split(int ranks, Blocks into, String what) {
        if (count % ranks != 0) {
            throw new IllegalArgumentException(
                    count + " items " + what + " can't be split into " + ranks + " equal blocks, one for each rank");
        }
        into.uniform(bytes() / ranks);
    }

    /** As {@link #prepare} for blocks, whose places it tells. */
    void prepareBlocks(int ranks, Blocks into, boolean computed, boolean reads) {
        if (blocks.counts.length != ranks) {
            throw new IllegalArgumentException(blocks.counts.length + " blocks were given, and the communicator has "
                    + ranks + " ranks: one block for each");
        }
        into.varied(ranks);
        boolean isUsable = !hasPositions;
        long packedBytes = 0;
        for (int i = 0; i < ranks; i++) {
            Layout items = layoutOf(i);
            isUsable &= items.isContiguous() && (!computed || items.computed().isOf(buffer));
            packedBytes = Math.addExact(packedBytes, blocks.counts[i] * items.size());
        }
        if (isUsable) {
            for (int i = 0; i < ranks; i++) {
                into.set(i, displacement(i), blocks.counts[i] * layoutOf(i).size());
            }
            return;
        }
        Object packed = scratch.take(packedType(computed, packedBytes), packedBytes);
        long at = 0;
        for (int i = 0; i < ranks; i++) {
            Layout items = layoutOf(i);
            if (reads) {
                items.pack(
                        base(),
                        address(isWritten) + displacement(i),
                        packed,
                        Memory.arrayOffset(packed) + at,
                        blocks.counts[i]);
            }
            into.set(i, at, blocks.counts[i] * items.size());
            at += blocks.counts[i] * items.size();
        }
        use(packed, 0);
        isPacked = true;
    }

    /** As {@link #deliver} for blocks. */
    void deliverBlocks(Blocks from) {
        if (!isPacked || blocks == null) {
            deliver();
            return;
        }
        long end = 0;
        for (int i = 0; i < blocks.counts.length; i++) {
            layoutOf(i)
                    .unpack(
                            used,
                            Memory.arrayOffset(used) + from.at(i),
                            base(),
                            address(true) + displacement(i),
                            blocks.counts[i]);
            end = Math.max(end, displacement(i) + layoutOf(i).reach(blocks.counts[i]));
        }
        moveBehind(begin + end);
    }

    /** Has another read a copy of these blocks, as the buffer is written to meanwhile. */
    void copyAsideFor(Operand other, Blocks own, Blocks others, int ranks) {
        long bytes = 0;
        for (int i = 0; i < ranks; i++) {
            bytes = Math.addExact(bytes, own.bytes(i));
        }
        Object copy = other.scratch.take(packedType(false, bytes), bytes);
        if (own.isUniform()) {
            others.uniform(own.bytes(0));
        } else {
            others.varied(ranks);
        }
        long at = 0;
        for (int i = 0; i < ranks; i++) {
            Memory.copy(
                    UserBuffer.base(used),
                    UserBuffer.address(used, 0, false) + usedBegin + own.at(i),
                    copy,
                    Memory.arrayOffset(copy) + at,
                    own.bytes(i));
            if (!own.isUniform()) {
                others.set(i, at, own.bytes(i));
            }
            at += own.bytes(i);
        }
        other.none();
        other.use(copy, 0);
    }

    /** Of the whole buffer that the caller gave. */
    long keptBytes() {
        return keptBytes;
    }

    void forget() {
        buffer = null;
        blocks = null;
        use(null, 0);
    }
}
