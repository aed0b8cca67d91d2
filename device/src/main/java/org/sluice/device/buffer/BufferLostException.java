package org.sluice.device.buffer;

/**
 * Pages of the program's own buffer are gone: it maps a file. Becomes {@link org.sluice.device.ErrorCode#BUFFER_LOST}
 * of the request.
 */
public final class BufferLostException extends RuntimeException {
    private static final long serialVersionUID = 1;

    BufferLostException(Object buffer, InternalError fault) {
        super(
                "pages of the program's own buffer, " + describe(buffer)
                        + ", can't be reached: the file that it maps was cut short, or its file "
                        + "system is full; keep the file at its length while a buffer that maps it is in use",
                fault);
    }

    private static String describe(Object buffer) {
        // The content of a Bytes would be read for its text.
        return buffer instanceof java.nio.ByteBuffer ? buffer.toString() : UserBuffer.named(buffer);
    }
}
