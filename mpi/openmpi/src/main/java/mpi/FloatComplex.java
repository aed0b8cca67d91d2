package mpi;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;

/** A complex number where it lies in a buffer: its real part, and then its imaginary one. */
public final class FloatComplex {
    private final FloatBuffer buffer;
    private final int offset;

    private FloatComplex(FloatBuffer buffer, int index) {
        this.buffer = buffer;
        this.offset = 2 * index;
    }

    /** The first number of a buffer. */
    public static FloatComplex get(FloatBuffer buffer) {
        return get(buffer, 0);
    }

    /** One of a buffer of complex numbers. */
    public static FloatComplex get(FloatBuffer buffer, int index) {
        return new FloatComplex(buffer, index);
    }

    /** The first number of an array. */
    public static FloatComplex get(float[] array) {
        return get(array, 0);
    }

    /** One of an array of complex numbers. */
    public static FloatComplex get(float[] array, int index) {
        return new FloatComplex(FloatBuffer.wrap(array), index);
    }

    /** The first number behind a buffer's position. */
    public static FloatComplex get(ByteBuffer buffer) {
        return get(buffer, 0);
    }

    /** One of the complex numbers behind a buffer's position. */
    public static FloatComplex get(ByteBuffer buffer, int index) {
        return new FloatComplex(buffer.asFloatBuffer(), index);
    }

    public float getReal() {
        return buffer.get(offset);
    }

    public float getImag() {
        return buffer.get(offset + 1);
    }

    public void putReal(float real) {
        buffer.put(offset, real);
    }

    public void putImag(float imag) {
        buffer.put(offset + 1, imag);
    }

    /** Begins with this number; of the same memory. */
    public FloatBuffer getBuffer() {
        return offset == 0 ? buffer : MPI.slice(buffer, offset);
    }
}
