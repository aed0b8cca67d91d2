package mpjbuf;

import org.sluice.mpi.Codec;

/** How {@link Buffer}s write and read objects: {@code MPI.Init} gives it, with its filter. <i>Thread</i>: any. */
public final class ObjectSections {
    private static volatile Codec<Object> codec;

    private ObjectSections() {}

    public static void use(Codec<Object> newCodec) {
        codec = newCodec;
    }

    static Codec<Object> codec() throws BufferException {
        Codec<Object> known = codec;
        if (known == null) {
            throw new BufferException("objects are written to buffers, and read, after MPI.Init");
        }
        return known;
    }
}
