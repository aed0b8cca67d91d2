package mpjbuf;

/** Makes the memory of buffers; nothing is pooled. */
public abstract class BufferFactory {
    public BufferFactory() {}

    public static RawBuffer create(int capacity) {
        return new NIOBuffer(capacity);
    }

    /** The garbage collector does it. */
    public static void destroy(RawBuffer buffer) {
        buffer.free();
    }

    /** Always: there is nothing to begin. */
    public static boolean initialized() {
        return true;
    }
}
