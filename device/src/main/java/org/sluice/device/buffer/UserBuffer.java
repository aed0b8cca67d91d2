package org.sluice.device.buffer;

import java.nio.Buffer;
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
    private static final ByteBuffer NO_BYTES = ByteBuffer.allocate(0);

    private UserBuffer() {}

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
        return buffer instanceof Buffer ? TypedBuffers.elementSize((Buffer) buffer) : 1;
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
        long wanted =
                (offset | count) >= 0 && count <= elements - offset ? count : rest(buffer, elements, offset, count);
        return wanted * elementSize(buffer);
    }

    /** For a count that is none of the elements behind the offset. */
    private static long rest(Object buffer, long elements, long offset, long count) {
        if (offset < 0 || offset > elements || count != Device.WHOLE) {
            throw new IndexOutOfBoundsException("offset " + offset + " with count "
                    + (count == Device.WHOLE ? "WHOLE" : count) + " is outside the buffer, which has " + elements
                    + " element(s) of " + elementSize(buffer) + " byte(s)");
        }
        return elements - offset;
    }

    private static long elements(Object buffer, boolean writing) {
        if (buffer instanceof byte[]) {
            return ((byte[]) buffer).length;
        }
        if (buffer instanceof double[]) {
            return ((double[]) buffer).length;
        }
        if (buffer instanceof int[]) {
            return ((int[]) buffer).length;
        }
        if (buffer instanceof ByteBuffer) {
            ByteBuffer bytes = (ByteBuffer) buffer;
            if (writing && bytes.isReadOnly()) {
                throw new IllegalArgumentException("a read-only ByteBuffer can't be received into");
            }
            refuseClosed(MemoryOwner.messageMemory(bytes));
            if (Memory.isOfSegment(bytes)) {
                refuseClosedArena(bytes);
            }
            return bytes.remaining();
        }
        if (buffer instanceof MessageMemory) {
            refuseClosed((MessageMemory) buffer);
            return ((MessageMemory) buffer).bytes();
        }
        if (buffer == null) {
            return 0;
        }
        if (isPrimitiveArray(buffer)) {
            return java.lang.reflect.Array.getLength(buffer);
        }
        if (buffer instanceof Buffer) {
            return TypedBuffers.elements((Buffer) buffer, writing);
        }
        if (ChronicleBuffers.isBytes(buffer)) {
            return ChronicleBuffers.elements(buffer, writing);
        }
        throw refused(buffer);
    }

    /** For a message buffer, or what a view is one of; or null. */
    static void refuseClosed(MessageMemory memory) {
        if (memory != null && memory.isClosed()) {
            throw new IllegalStateException(
                    "this message buffer of " + memory.bytes() + " bytes is closed or was given away");
        }
    }

    /**
     * The JDK tells nobody but whoever accesses the buffer. A copy of no bytes asks it, and touches no page, of which a
     * file's may be gone.
     */
    static void refuseClosedArena(ByteBuffer buffer) {
        try {
            NO_BYTES.put(0, buffer, buffer.position(), 0);
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    "the memory of this ByteBuffer of " + buffer.remaining() + " byte(s) can't be used: "
                            + e.getMessage()
                            + "; it belongs to an Arena: close that after its buffers' last request, and use a"
                            + " confined one on its own thread alone",
                    e);
        }
    }

    private static boolean isPrimitiveArray(Object buffer) {
        Class<?> component = buffer.getClass().getComponentType();
        return component != null && component.isPrimitive();
    }

    /** Of which type it is, for errors: {@code an int[]}. */
    public static String named(Object buffer) {
        if (buffer == null) {
            return "null";
        }
        String type = buffer.getClass().getTypeName();
        return ("aeiou".indexOf(type.charAt(0)) < 0 ? "a " : "an ") + type;
    }

    private static IllegalArgumentException refused(Object buffer) {
        Class<?> rows = buffer.getClass().getComponentType();
        if (rows != null && rows.isArray()) {
            return new IllegalArgumentException(named(buffer)
                    + " can't be sent or received into, as its rows lie apart in memory:"
                    + " send and receive it row by row, or keep it in one flat " + elementOf(rows)
                    + "[] at [row * columns + column]");
        }
        String other = buffer instanceof MessageBuffer ? " (not one of Device.allocate)" : "";
        return new IllegalArgumentException(named(buffer) + other
                + " can't be sent or received into; allowed are arrays of primitive types, ByteBuffer, DoubleBuffer"
                + " and the like, MessageBuffer, Chronicle Bytes, and null for no bytes");
    }

    private static String elementOf(Class<?> array) {
        Class<?> element = array;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        return element.getTypeName();
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
        if (buffer instanceof Buffer) {
            return TypedBuffers.base((Buffer) buffer);
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
        if (buffer instanceof Buffer) {
            return TypedBuffers.address((Buffer) buffer, offset);
        }
        return isPrimitiveArray(buffer)
                ? Memory.arrayOffset(buffer) + offset * elementSize(buffer)
                : ChronicleBuffers.address(buffer, offset, writing);
    }

    /**
     * A request starts to use the buffer: what can be freed by hand is kept from being freed.
     *
     * @return what {@link #release} must be given when the request ends; null when there is nothing to release
     */
    public static Object hold(Object buffer) {
        MessageMemory memory = messageMemory(buffer);
        if (memory != null) {
            memory.hold();
            return memory;
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
     * seen. Throws where the bytes could not get there: {@link BufferLostException}, or what the buffer itself throws.
     *
     * @param address where they were copied to
     */
    public static void received(Object buffer, long address, long bytes) {
        if (buffer instanceof byte[]) {
            return;
        }
        if (isMapped(buffer)) {
            MappedMemory.checkReceived(buffer, address, bytes);
        }
        if (needsChronicle(buffer)) {
            ChronicleBuffers.received(buffer, bytes);
        }
    }

    /** True for what is read at one place and written at another, which moves with what is received. */
    public static boolean hasPositions(Object buffer) {
        return needsChronicle(buffer);
    }

    /**
     * True for memory that is received into by an operation only: it could be freed by hand while a request uses it,
     * and {@link #hold} keeps it, or its pages may go.
     */
    public static boolean needsOperation(Object buffer) {
        if (buffer instanceof byte[]) {
            return false;
        }
        return messageMemory(buffer) != null || needsChronicle(buffer) || isMapped(buffer);
    }

    /** True for memory whose pages may go while a request uses it: it maps a file. */
    public static boolean isMapped(Object buffer) {
        if (buffer instanceof byte[] || buffer instanceof MessageMemory) {
            return false;
        }
        return buffer instanceof Buffer || needsChronicle(buffer) ? MappedMemory.isMapped(buffer) : false;
    }

    /**
     * A copy of what is to be sent out of such a buffer.
     *
     * @throws BufferLostException where pages are gone
     */
    public static byte[] copy(Object buffer, long offset, int bytes) {
        byte[] copy = new byte[bytes];
        MappedMemory.copyOut(buffer, address(buffer, offset, false), copy, bytes);
        return copy;
    }

    /**
     * Copies what was received, and is in an array, to such a buffer.
     *
     * @throws BufferLostException where pages are gone
     */
    public static void copyIn(Object buffer, long offset, Object array, long bytes) {
        MappedMemory.copyIn(buffer, array, address(buffer, offset, true), bytes);
    }

    /** As {@link #copy}, of any part, into memory that is used again. */
    public static void copyOut(Object buffer, long address, byte[] to, int bytes) {
        MappedMemory.copyOut(buffer, address, to, bytes);
    }

    /** For a buffer of which a channel has found that its pages are gone. */
    public static BufferLostException lost(Object buffer) {
        return new BufferLostException(buffer, null);
    }

    /** The message buffer that this is, or is a ByteBuffer view of; or null. */
    private static MessageMemory messageMemory(Object buffer) {
        if (buffer instanceof MessageMemory) {
            return (MessageMemory) buffer;
        }
        return buffer instanceof Buffer ? MemoryOwner.messageMemory((Buffer) buffer) : null;
    }

    private static boolean needsChronicle(Object buffer) {
        return buffer != null
                && !(buffer instanceof byte[])
                && !(buffer instanceof Buffer)
                && !(buffer instanceof MessageMemory)
                && !isPrimitiveArray(buffer);
    }
}
