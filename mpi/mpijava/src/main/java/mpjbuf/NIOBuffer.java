package mpjbuf;

import java.nio.ByteBuffer;

/** Memory of a ByteBuffer. */
public class NIOBuffer implements RawBuffer {
    private final int capacity;
    private ByteBuffer buffer;

    NIOBuffer(int capacity) {
        this(capacity, ByteBuffer.allocate(capacity));
    }

    /** @param buffer of at least this capacity */
    public NIOBuffer(int capacity, ByteBuffer buffer) {
        if (buffer.capacity() < capacity) {
            throw new IllegalArgumentException(
                    "a ByteBuffer of " + buffer.capacity() + " bytes, which is to have " + capacity);
        }
        this.capacity = capacity;
        this.buffer = buffer;
    }

    @Override
    public int getCapacity() {
        return capacity;
    }

    public ByteBuffer getBuffer() {
        return buffer;
    }

    public void setBuffer(ByteBuffer newBuffer) {
        buffer = newBuffer;
    }

    @Override
    public void free() {
        // As nothing is pooled.
    }
}
