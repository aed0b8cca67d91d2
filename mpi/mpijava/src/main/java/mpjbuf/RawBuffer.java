package mpjbuf;

/** The memory of a {@link Buffer}, of {@link BufferFactory}. */
public interface RawBuffer {
    /** In bytes. */
    int getCapacity();

    /** The garbage collector does it. */
    void free();
}
