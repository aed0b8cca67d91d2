package org.sluice.device;

import java.nio.ByteBuffer;

/**
 * Memory that all channels can send from without an extra copy; made by {@link Device#allocate(long)}. Zeroed when new.
 *
 * <p>Offsets and lengths are in bytes, values in native byte order. <i>Thread</i>: any, the contents are as racy as the
 * caller makes them. <i>Owns</i>: its memory until {@link #close()}; one that is leaked is given back when it is
 * collected. <i>Fails</i>: any access after close or give, {@link IllegalStateException}; outside the buffer,
 * {@link IndexOutOfBoundsException}; close while a request uses it, {@link IllegalStateException}.
 */
public interface MessageBuffer extends AutoCloseable {
    long bytes();

    byte getByte(long offset);

    void putByte(long offset, byte value);

    short getShort(long offset);

    void putShort(long offset, short value);

    char getChar(long offset);

    void putChar(long offset, char value);

    int getInt(long offset);

    void putInt(long offset, int value);

    long getLong(long offset);

    void putLong(long offset, long value);

    float getFloat(long offset);

    void putFloat(long offset, float value);

    double getDouble(long offset);

    void putDouble(long offset, double value);

    /** A view in native byte order; writes go through. Not to be used after close or give: that can't be checked. */
    ByteBuffer byteBuffer(long offset, int bytes);

    /** The whole buffer as a view; an {@link IllegalStateException} above 2 GB. */
    ByteBuffer byteBuffer();

    /** A Chronicle {@code Bytes} view of the whole buffer; needs chronicle-bytes on the class path. */
    Object bytesView();

    boolean isClosed();

    /** Gives the memory back. Closing twice is harmless. */
    @Override
    void close();
}
