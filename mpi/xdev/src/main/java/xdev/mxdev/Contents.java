package xdev.mxdev;

import java.nio.ByteBuffer;
import java.util.Arrays;
import mpjbuf.Buffer;
import mpjbuf.NIOBuffer;
import mpjbuf.RawBuffer;
import mpjbuf.Type;
import mpjdev.Status;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import xdev.XDevException;

/**
 * What a message has of a {@link Buffer}.
 *
 * <pre>
 * static sections alone   the bytes of the static part
 * with dynamic sections   the dynamic part, the bytes of the static part, their number (int, big-endian)
 * </pre>
 *
 * A static part begins with the code of a type, 0 to 17. A dynamic part is what ObjectOutputStream writes, which begins
 * with 0xAC; it comes first as a stream is read from its first byte on, and as far as it wants. So what is received is
 * the dynamic part of the receiver's buffer as it came.
 */
final class Contents {
    /** Of a section. */
    static final int HEADER_BYTES = 8;

    private static final int HIGHEST_TYPE = 17;
    /** In a header, of the number of elements. */
    private static final int NUMBER = 4;

    private Contents() {}

    /** All of the memory, from position 0 on; whoever uses it next sets the position. */
    static ByteBuffer staticPart(Buffer buffer) {
        RawBuffer raw = buffer.getStaticBuffer();
        if (!(raw instanceof NIOBuffer)) {
            throw new XDevException("the static part of the buffer is "
                    + (raw == null ? "null" : "a " + raw.getClass().getName())
                    + ": it is to be one of mpjbuf.BufferFactory.create(bytes)");
        }
        ByteBuffer part = ((NIOBuffer) raw).getBuffer();
        part.clear();
        return part;
    }

    /** The static part itself, or a new array with both. */
    static Object toSend(Buffer buffer) {
        byte[] dynamic = buffer.getDynamicBuffer();
        ByteBuffer part = staticPart(buffer);
        return dynamic == null || dynamic.length == 0 ? part : joined(buffer, part, dynamic);
    }

    /** Where the message begins in what {@link #toSend} gave. */
    static int offset(Buffer buffer, Object data) {
        return data instanceof ByteBuffer ? buffer.offset() : 0;
    }

    static int bytes(Buffer buffer, Object data) {
        return data instanceof ByteBuffer ? buffer.getSize() : ((byte[]) data).length;
    }

    private static byte[] joined(Buffer buffer, ByteBuffer part, byte[] dynamic) {
        if (!isDynamic(dynamic[0])) {
            throw new XDevException("the dynamic part of the buffer isn't what an ObjectOutputStream has written");
        }
        int size = buffer.getSize();
        long bytes = (long) dynamic.length + size + Integer.BYTES;
        if (bytes > Integer.MAX_VALUE - HEADER_BYTES) {
            throw new XDevException("a message with objects of " + bytes + " bytes: an array can't hold it; send less");
        }
        byte[] all = Arrays.copyOf(dynamic, (int) bytes);
        part.get(buffer.offset(), all, dynamic.length, size);
        ByteBuffer.wrap(all).putInt(all.length - Integer.BYTES, size);
        return all;
    }

    private static boolean isDynamic(byte first) {
        return first < 0;
    }

    /** So many bytes have come into the static part. */
    static void received(Buffer buffer, int bytes) {
        ByteBuffer part = staticPart(buffer);
        if (bytes > 0 && isDynamic(part.get(buffer.offset()))) {
            byte[] all = new byte[bytes];
            part.get(buffer.offset(), all);
            received(buffer, all);
        } else {
            buffer.setSize(bytes);
        }
    }

    /** This has come for a buffer whose static part has no room for all of it. */
    static void received(Buffer buffer, byte[] all) {
        ByteBuffer part = staticPart(buffer);
        int room = part.capacity() - buffer.offset();
        if (!isDynamic(all[0])) {
            throw new XDevException("a message of " + all.length + " bytes has come for a receive with room for " + room
                    + ": give a larger count, and the datatype that was sent with");
        }
        int size = all.length < Integer.BYTES ? -1 : ByteBuffer.wrap(all).getInt(all.length - Integer.BYTES);
        int at = all.length - Integer.BYTES - size;
        if (size < 0 || at < 0) {
            throw new XDevException("a message of " + all.length + " bytes is none of MPJ Express's buffers");
        }
        if (size > room) {
            throw new XDevException("a message with " + size + " bytes beside its objects has come for a receive with"
                    + " room for " + room + ": give a larger buffer");
        }
        part.put(buffer.offset(), all, at, size);
        buffer.setSize(size);
        buffer.setDynamicBuffer(all);
    }

    /** What is thrown where a message was too long for the static part that it was received into. */
    static XDevException tooLong(Buffer buffer, SluiceException cause) {
        if (cause.code() != ErrorCode.TRUNCATED || !isDynamic(staticPart(buffer).get(buffer.offset()))) {
            return Wire.failure(cause);
        }
        return Wire.failure(new IllegalArgumentException(
                "objects have come for a receive of another datatype, or for a packed one whose buffer has no room for"
                        + " them: receive them with MPI.OBJECT, or into new mpjbuf.Buffer(bytes)",
                cause));
    }

    /** Type and number of what the first section has; a message without any has neither. */
    static void describe(Buffer buffer, Status status) {
        int size = buffer.getSize();
        status.countInBytes = Math.max(0, size - HEADER_BYTES);
        if (size >= HEADER_BYTES) {
            ByteBuffer part = staticPart(buffer);
            int code = part.get(buffer.offset());
            status.type = code > HIGHEST_TYPE ? null : Type.getType(code);
            status.numEls = part.getInt(buffer.offset() + NUMBER);
        }
    }
}
