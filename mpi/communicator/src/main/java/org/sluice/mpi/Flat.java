package org.sluice.mpi;

import org.sluice.device.Device;
import org.sluice.device.buffer.UserBuffer;
import org.sluice.device.memory.Memory;

/** What a message is made of: a part of a buffer as the device takes it, or a packed copy of items that lie apart. */
final class Flat {
    Object buffer;
    long offset;
    long count;
    private Operand operand;

    private Flat() {}

    static Flat toSend(Object given) {
        return of(given, false);
    }

    static Flat toReceive(Object given) {
        return of(given, true);
    }

    private static Flat of(Object given, boolean writing) {
        Flat flat = new Flat();
        if (!(given instanceof Data)) {
            flat.buffer = given;
            flat.count = Device.WHOLE;
            return flat;
        }
        Operand operand = Operand.ofMessage();
        operand.take(given, writing);
        if (operand.hasBlocks()) {
            throw new IllegalArgumentException("blocks for each rank are for collectives: a message takes items");
        }
        // Gaps between the items that a short message leaves unwritten are delivered as they were.
        operand.prepare(false, true);
        flat.operand = operand;
        flat.buffer = operand.used();
        int elementBytes = UserBuffer.elementSize(flat.buffer);
        flat.offset = operand.usedBegin() / elementBytes;
        flat.count = operand.bytes() / elementBytes;
        return flat;
    }

    /** Whether the message goes into the caller's buffer itself. */
    boolean isDirect() {
        return operand == null || !operand.isPacked();
    }

    long bytes() {
        return UserBuffer.bytesToSend(buffer, offset, count);
    }

    /** So many bytes have come. */
    void deliver(long bytes) {
        if (operand != null && bytes > 0) {
            operand.deliver();
        }
    }

    /** In an array of the buffer's elements, as one of bytes ends at 2 GB. */
    Object copy() {
        long bytes = bytes();
        ElementType type = ElementType.of(buffer);
        if (bytes / type.bytes() > Scratch.MOST_BYTES) {
            throw new IllegalArgumentException("a message of " + bytes + " bytes that is replaced has to be copied, to"
                    + " an array that is longer than Java has: split it");
        }
        Object copy = type.array((int) (bytes / type.bytes()));
        Memory.copy(
                UserBuffer.base(buffer),
                UserBuffer.address(buffer, offset, false),
                copy,
                Memory.arrayOffset(copy),
                bytes);
        return copy;
    }
}
