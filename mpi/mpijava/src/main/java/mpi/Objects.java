package mpi;

import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import mpjbuf.Buffer;
import mpjbuf.BufferException;
import org.sluice.mpi.AgreedSpace;
import org.sluice.mpi.Codec;
import org.sluice.mpi.ObjectReceive;
import org.sluice.mpi.ObjectSpace;

/** Messages of a length that nobody knows before: objects, and packed sections. */
final class Objects {
    /** Of a section that is padded to a multiple of it. */
    private static final int UNIT = Buffer.ALIGNMENT_UNIT;

    private static final Codec<byte[]> BYTES = new Codec<>() {
        @Override
        public byte[] encode(byte[] value) {
            return value;
        }

        @Override
        public byte[] decode(ByteBuffer bytes) {
            byte[] copy = new byte[bytes.remaining()];
            bytes.get(copy);
            return copy;
        }
    };

    private Objects() {}

    static byte[] encode(Object[] values) {
        try {
            return MPI.codec().encode(values);
        } catch (IOException | StackOverflowError e) {
            throw new MPIException("the objects can't be sent: " + e
                    + "; their classes, and those of their fields, have" + " to implement java.io.Serializable");
        }
    }

    static Object decode(byte[] bytes, org.sluice.device.Status found) {
        try {
            Object values = MPI.codec().decode(ByteBuffer.wrap(bytes));
            if (values instanceof Object[]) {
                return values;
            }
            throw new IOException("it wasn't sent with MPI.OBJECT");
        } catch (IOException | RuntimeException e) {
            if (e instanceof StreamCorruptedException || e instanceof EOFException) {
                throw new MPIException("rank " + found.source() + " sent " + bytes.length
                        + " bytes that are no objects: both the send and the receive need MPI.OBJECT");
            }
            String words = e.getMessage() == null ? e.toString() : e.getMessage();
            throw new MPIException("rank " + found.source() + " sent an object that isn't taken: " + words);
        }
    }

    /** Begins to receive a message of bytes as they are. */
    static ObjectReceive<byte[]> receive(AgreedSpace space, int source, int tag) {
        return ObjectSpace.ireceive(space, BYTES, source, tag);
    }

    /** As an argument of a receive, for what has no known length. */
    static void check(Object buffer, int count, Datatype datatype) {
        if (!datatype.isPacked()) {
            datatype.check(buffer, count);
        } else if (!(buffer instanceof Buffer)) {
            throw Buffers.refused(buffer, datatype);
        }
    }

    /** The sections of a buffer, which is empty then. */
    static byte[] packed(Object buffer) {
        check(buffer, 0, MPI.PACKED);
        try {
            byte[] message = ((Buffer) buffer).message();
            ((Buffer) buffer).clear();
            return message;
        } catch (BufferException e) {
            throw MPIException.of(e);
        }
    }

    static void unpack(byte[] message, Object buffer) {
        try {
            ((Buffer) buffer).take(message);
        } catch (BufferException e) {
            throw MPIException.of(e);
        }
    }

    static int packedBytes(int count, Datatype datatype) {
        if (count < 0) {
            throw new MPIException("a count of " + count + ": 0 or more");
        }
        long bytes = Buffer.SECTION_OVERHEAD + (long) count * datatype.byteSize;
        long padded = (bytes + UNIT - 1) / UNIT * UNIT;
        if (padded > Integer.MAX_VALUE) {
            throw new MPIException(
                    count + " items of " + datatype + " take " + padded + " bytes, more than a buffer" + " can have");
        }
        return (int) padded;
    }
}
