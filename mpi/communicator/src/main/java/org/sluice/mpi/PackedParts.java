package org.sluice.mpi;

import java.nio.ByteBuffer;
import org.sluice.device.buffer.UserBuffer;

/**
 * What a call was given, packed and unpacked one part after another: for who takes it to a place where buffers are
 * bytes, as files. Bytes are in this machine's order.
 *
 * <p>The buffer is the caller's until it is packed or unpacked. <i>Thread</i>: one. <i>Fails</i>: as the calls of a
 * {@link Communicator} do, when it is made.
 */
public final class PackedParts {
    private final Operand operand;
    private final ByteBuffer inPlace;

    private PackedParts(Operand operand, ByteBuffer inPlace) {
        this.operand = operand;
        this.inPlace = inPlace;
    }

    /**
     * Of a buffer or a {@link Data}.
     *
     * @param isWritten whether it is unpacked, and not packed
     */
    public static PackedParts of(Object data, boolean isWritten) {
        Operand operand = Operand.ofMessage();
        operand.take(data, isWritten);
        if (operand.hasBlocks()) {
            throw new IllegalArgumentException("blocks for each rank are for collectives: give items");
        }
        Object buffer = operand.used();
        if (isWritten && UserBuffer.hasPositions(buffer)) {
            throw new IllegalArgumentException(UserBuffer.named(buffer)
                    + " has positions, which don't move with parts: give an array or a ByteBuffer");
        }
        boolean isInPlace = buffer instanceof ByteBuffer
                && ((ByteBuffer) buffer).isDirect()
                && operand.layout().isContiguous();
        if (!isInPlace) {
            return new PackedParts(operand, null);
        }
        ByteBuffer bytes = (ByteBuffer) buffer;
        int begin = bytes.position() + (int) operand.usedBegin();
        return new PackedParts(operand, bytes.slice(begin, (int) operand.bytes()));
    }

    /** What all items have. */
    public long bytes() {
        return operand.bytes();
    }

    /** Of an item, in the caller's buffer. */
    public Layout layout() {
        return operand.layout();
    }

    /** What is packed together, in bytes: parts begin at multiples of it. */
    public long unit() {
        return operand.layout().isContiguous() ? 1 : operand.layout().size();
    }

    /** All the bytes where they lie, if that is in a direct ByteBuffer and without holes; else null. */
    public ByteBuffer inPlace() {
        return inPlace;
    }

    /**
     * Packs as many bytes as the buffer takes between position and limit: whole units.
     *
     * @param from the byte that the part begins with
     */
    public void pack(long from, ByteBuffer into) {
        int part = into.remaining();
        check(from, part);
        checkUnits(part);
        operand.packPart(from / unit(), part / unit(), UserBuffer.base(into), UserBuffer.address(into, 0, true));
    }

    /** The way back; of the last item there may be a part. */
    public void unpack(ByteBuffer from, long to) {
        int part = from.remaining();
        check(to, part);
        long unit = unit();
        long first = to / unit;
        long whole = part / unit;
        int rest = (int) (part % unit);
        operand.unpackPart(UserBuffer.base(from), UserBuffer.address(from, 0, false), first, whole);
        if (rest > 0) {
            ByteBuffer item = ByteBuffer.allocate((int) unit);
            operand.packPart(first + whole, 1, UserBuffer.base(item), UserBuffer.address(item, 0, true));
            item.put(0, from, from.limit() - rest, rest);
            operand.unpackPart(UserBuffer.base(item), UserBuffer.address(item, 0, false), first + whole, 1);
        }
    }

    private void check(long from, int part) {
        if (from < 0 || from % unit() != 0 || part > bytes() - from) {
            throw new IndexOutOfBoundsException("a part of " + part + " bytes from byte " + from + " on, of " + bytes()
                    + " bytes in units of " + unit());
        }
    }

    private void checkUnits(int part) {
        if (part % unit() != 0) {
            throw new IllegalArgumentException("a part of " + part + " bytes is packed in units of " + unit());
        }
    }
}
