package org.sluice.mpi;

import org.sluice.device.Device;
import org.sluice.device.buffer.UserBuffer;
import org.sluice.device.memory.Memory;

/**
 * Values of several kinds in one message (MPI 4.1, section 5.2): packed one behind the other into a buffer of bytes,
 * that is sent as bytes, and unpacked in the same order. Bytes are in this machine's order.
 */
public final class Packing {
    private Packing() {}

    /** How many bytes {@link #pack} takes for it. */
    public static long size(Object data) {
        return Flat.toSend(data).bytes();
    }

    /**
     * Copies what a message of it would have.
     *
     * @param data a buffer or a {@link Data}
     * @param into a buffer of bytes
     * @param position in bytes, where it goes
     * @return the position behind it
     */
    public static long pack(Object data, Object into, long position) {
        Flat flat = Flat.toSend(data);
        long bytes = flat.bytes();
        checkRoom(into, position, bytes, UserBuffer.bytesToReceive(bytesOf(into), 0, Device.WHOLE), "packed");
        Memory.copy(
                UserBuffer.base(flat.buffer),
                UserBuffer.address(flat.buffer, flat.offset, false),
                UserBuffer.base(into),
                UserBuffer.address(into, position, true),
                bytes);
        return position + bytes;
    }

    /**
     * Copies it out again.
     *
     * @return the position behind it
     */
    public static long unpack(Object from, long position, Object data) {
        Flat flat = Flat.toReceive(data);
        long bytes = flat.bytes();
        checkRoom(from, position, bytes, UserBuffer.bytesToSend(bytesOf(from), 0, Device.WHOLE), "unpacked");
        Memory.copy(
                UserBuffer.base(from),
                UserBuffer.address(from, position, false),
                UserBuffer.base(flat.buffer),
                UserBuffer.address(flat.buffer, flat.offset, true),
                bytes);
        flat.deliver(bytes);
        return position + bytes;
    }

    private static Object bytesOf(Object buffer) {
        if (buffer == null || UserBuffer.elementSize(buffer) != 1) {
            throw new IllegalArgumentException(
                    "values are packed in a buffer of bytes: a byte[], a ByteBuffer or a" + " MessageBuffer, not "
                            + (buffer == null ? "null" : buffer.getClass().getTypeName()));
        }
        return buffer;
    }

    private static void checkRoom(Object buffer, long position, long bytes, long size, String what) {
        if (position < 0 || position > size - bytes) {
            throw new IndexOutOfBoundsException(bytes + " bytes can't be " + what + " at position " + position
                    + " of a buffer of " + size + " bytes");
        }
    }
}
