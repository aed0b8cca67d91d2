package org.sluice.device.buffer;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import org.sluice.device.memory.Memory;

/**
 * The same facts as {@link UserBuffer}'s, of the JDK's buffers of elements that are longer than a byte.
 *
 * <p>Elements go as they lie in memory, as those of arrays do. So a buffer whose elements lie in the other byte order
 * is refused: what arrived in an array would be other numbers. <i>Thread</i>: any. <i>Proof</i>:
 * {@code TypedBuffersTest}, {@code BufferCases}.
 */
final class TypedBuffers {
    private TypedBuffers() {}

    static int elementSize(Buffer buffer) {
        if (buffer instanceof DoubleBuffer || buffer instanceof LongBuffer) {
            return Long.BYTES;
        }
        if (buffer instanceof IntBuffer || buffer instanceof FloatBuffer) {
            return Integer.BYTES;
        }
        return buffer instanceof ByteBuffer ? 1 : Short.BYTES;
    }

    private static ByteOrder order(Buffer buffer) {
        if (buffer instanceof DoubleBuffer) {
            return ((DoubleBuffer) buffer).order();
        }
        if (buffer instanceof LongBuffer) {
            return ((LongBuffer) buffer).order();
        }
        if (buffer instanceof IntBuffer) {
            return ((IntBuffer) buffer).order();
        }
        if (buffer instanceof FloatBuffer) {
            return ((FloatBuffer) buffer).order();
        }
        return buffer instanceof ShortBuffer ? ((ShortBuffer) buffer).order() : ((CharBuffer) buffer).order();
    }

    private static String type(Buffer buffer) {
        String kind = buffer instanceof DoubleBuffer
                ? "Double"
                : buffer instanceof LongBuffer
                        ? "Long"
                        : buffer instanceof IntBuffer
                                ? "Int"
                                : buffer instanceof FloatBuffer
                                        ? "Float"
                                        : buffer instanceof ShortBuffer ? "Short" : "Char";
        return kind + "Buffer";
    }

    /** From position to limit, for one that can be used. */
    static long elements(Buffer buffer, boolean writing) {
        String type = type(buffer);
        if (writing && buffer.isReadOnly()) {
            throw new IllegalArgumentException("a read-only " + type + " can't be received into");
        }
        if (order(buffer) != ByteOrder.nativeOrder()) {
            throw new IllegalArgumentException("a " + type + " in byte order " + order(buffer)
                    + " can't be sent or received into: elements go as they lie in"
                    + " memory, in this machine's " + ByteOrder.nativeOrder()
                    + ". Write bytes.order(ByteOrder.nativeOrder()).as" + type
                    + "(), as a new ByteBuffer is BIG_ENDIAN; or pass the ByteBuffer, and give it the same"
                    + " order on both sides");
        }
        if (!buffer.isDirect()) {
            if (!buffer.hasArray() && Memory.viewed(buffer) == null) {
                throw new IllegalArgumentException("this " + type + (buffer.isReadOnly() ? " is read-only and" : "")
                        + " gives its array to nobody: pass the array, with offset and count, or the"
                        + " ByteBuffer that it is a view of");
            }
            return buffer.remaining();
        }
        UserBuffer.refuseClosed(MemoryOwner.messageMemory(buffer));
        if (Memory.isOfSegment(buffer) && Memory.attachment(buffer) instanceof ByteBuffer under) {
            UserBuffer.refuseClosedArena(under);
        }
        return buffer.remaining();
    }

    static Object base(Buffer buffer) {
        if (buffer.isDirect()) {
            return null;
        }
        return buffer.hasArray() ? buffer.array() : Memory.array(Memory.viewed(buffer));
    }

    static long address(Buffer buffer, long offset) {
        long skipped = (buffer.position() + offset) * elementSize(buffer);
        if (buffer.isDirect() || !buffer.hasArray()) {
            return Memory.address(buffer) + skipped;
        }
        return Memory.arrayOffset(buffer.array()) + (long) buffer.arrayOffset() * elementSize(buffer) + skipped;
    }
}
