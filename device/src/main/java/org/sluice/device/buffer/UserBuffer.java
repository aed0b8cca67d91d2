package org.sluice.device.buffer;

import java.nio.ByteBuffer;
import org.sluice.device.Device;
import org.sluice.device.MessageBuffer;
import org.sluice.device.memory.Memory;

/**
 * Reads what a program passed as a buffer: where its bytes are, how many, in elements of which size.
 *
 * <p>Static methods that each return one fact, so that the hot path needs no object to carry them. <i>Thread</i>: any.
 * <i>Fails</i>: with the value and the limit, before anything is sent. <i>Proof</i>: {@code UserBufferTest}.
 */
public final class UserBuffer {
    private UserBuffer() {
    }

    /** Bytes of one element: what offsets and counts are in. */
    public static int elementSize(Object buffer) {
        if (buffer instanceof byte[]) {
            return 1;
        }
        if (buffer instanceof double[] || buffer instanceof long[]) {
            return Long.BYTES;
        }
        if (buffer instanceof int[] || buffer instanceof float[]) {
            return Integer.BYTES;
        }
        if (buffer instanceof short[] || buffer instanceof char[]) {
            return Short.BYTES;
        }
        return 1;
    }

    /** Checks that {@code count} elements from {@code offset} on can be sent, and returns their length in bytes. */
    public static long bytesToSend(Object buffer, long offset, long count) {
        return bytes(buffer, offset, count, false);
    }

    /**
     * Checks that {@code count} elements from {@code offset} on can be received into, and returns their length in
     * bytes.
     */
    public static long bytesToReceive(Object buffer, long offset, long count) {
        return bytes(buffer, offset, count, true);
    }

    private static long bytes(Object buffer, long offset, long count, boolean writing) {
        long elements = elements(buffer, writing);
        long wanted = count == Device.WHOLE ? elements - offset : count;
        if (offset < 0 || wanted < 0 || offset > elements - wanted) {
            throw new IndexOutOfBoundsException("offset " + offset + " with count "
                    + (count == Device.WHOLE ? "WHOLE" : count) + " is outside the buffer, which has " + elements
                    + " element(s) of " + elementSize(buffer) + " byte(s)");
        }
        return wanted * elementSize(buffer);
    }

    private static long elements(Object buffer, boolean writing) {
        if (buffer instanceof byte[]) {
            return ((byte[]) buffer).length;
        }
        if (buffer instanceof ByteBuffer) {
            ByteBuffer bytes = (ByteBuffer) buffer;
            if (writing && bytes.isReadOnly()) {
                throw new IllegalArgumentException("a read-only ByteBuffer can't be received into");
            }
            return bytes.remaining();
        }
        if (buffer instanceof MessageMemory) {
            MessageMemory memory = (MessageMemory) buffer;
            if (memory.isClosed()) {
                throw new IllegalStateException("this message buffer of " + memory.bytes()
                        + " bytes is closed or was given away");
            }
            return memory.bytes();
        }
        if (buffer == null) {
            return 0;
        }
        if (isPrimitiveArray(buffer)) {
            return java.lang.reflect.Array.getLength(buffer);
        }
        if (ChronicleBuffers.isBytes(buffer)) {
            return ChronicleBuffers.elements(buffer, writing);
        }
        throw refused(buffer);
    }

    private static boolean isPrimitiveArray(Object buffer) {
        Class<?> component = buffer.getClass().getComponentType();
        return component != null && component.isPrimitive();
    }

    private static IllegalArgumentException refused(Object buffer) {
        String other = buffer instanceof MessageBuffer ? " (not one of Device.allocate)" : "";
        return new IllegalArgumentException("a " + buffer.getClass().getTypeName() + other
                + " can't be sent or received into; allowed are arrays of primitive types, ByteBuffer, MessageBuffer, "
                + "Chronicle Bytes, and null for no bytes");
    }

    /** The array that {@link #address} counts from; null when it is absolute. */
    public static Object base(Object buffer) {
        if (buffer instanceof byte[]) {
            return buffer;
        }
        if (buffer instanceof ByteBuffer) {
            return Memory.array((ByteBuffer) buffer);
        }
        if (buffer instanceof MessageMemory || buffer == null) {
            return null;
        }
        return isPrimitiveArray(buffer) ? buffer : ChronicleBuffers.base(buffer);
    }

    /** Where element {@code offset} is. For a buffer that passed {@link #bytesToSend} or {@link #bytesToReceive}. */
    public static long address(Object buffer, long offset, boolean writing) {
        if (buffer instanceof byte[]) {
            return Memory.ARRAY_OFFSET >= 0 ? Memory.ARRAY_OFFSET + offset : Memory.arrayOffset(buffer) + offset;
        }
        if (buffer instanceof ByteBuffer) {
            ByteBuffer bytes = (ByteBuffer) buffer;
            return Memory.address(bytes) + bytes.position() + offset;
        }
        if (buffer instanceof MessageMemory) {
            return ((MessageMemory) buffer).address() + offset;
        }
        if (buffer == null) {
            return 0;
        }
        return isPrimitiveArray(buffer) ? Memory.arrayOffset(buffer) + offset * elementSize(buffer)
                : ChronicleBuffers.address(buffer, offset, writing);
    }

    /**
     * A request starts to use the buffer: what can be freed by hand is kept from being freed.
     *
     * @return what {@link #release} must be given when the request ends; null when there is nothing to release
     */
    public static Object hold(Object buffer) {
        if (buffer instanceof MessageMemory) {
            ((MessageMemory) buffer).hold();
            return buffer;
        }
        return needsChronicle(buffer) ? ChronicleBuffers.hold(buffer) : null;
    }

    /** The request that held the buffer has ended. */
    public static void release(Object held) {
        if (held instanceof MessageMemory) {
            ((MessageMemory) held).release();
        } else if (held != null) {
            ChronicleBuffers.release(held);
        }
    }

    /**
     * Shows what was received where the kind of buffer keeps a position for it; before the request's completion is
     * seen.
     */
    public static void received(Object buffer, long bytes) {
        if (needsChronicle(buffer)) {
            ChronicleBuffers.received(buffer, bytes);
        }
    }

    /** True for memory that could be freed by hand while a request uses it: {@link #hold} keeps it. */
    public static boolean needsHold(Object buffer) {
        return buffer instanceof MessageMemory || needsChronicle(buffer);
    }

    private static boolean needsChronicle(Object buffer) {
        return buffer != null && !(buffer instanceof byte[]) && !(buffer instanceof ByteBuffer)
                && !(buffer instanceof MessageMemory) && !isPrimitiveArray(buffer);
    }
}
