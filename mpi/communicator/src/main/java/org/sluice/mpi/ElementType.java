package org.sluice.mpi;

import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/** The types of single elements: Java's primitive ones. Immutable. */
public enum ElementType {
    BYTE(1),
    BOOLEAN(1),
    CHAR(Character.BYTES),
    SHORT(Short.BYTES),
    INT(Integer.BYTES),
    LONG(Long.BYTES),
    FLOAT(Float.BYTES),
    DOUBLE(Double.BYTES);

    private final int bytes;

    ElementType(int bytes) {
        this.bytes = bytes;
    }

    /** Of one element. */
    public int bytes() {
        return bytes;
    }

    /** Has an element the other byte order. */
    void turn(byte[] array, int at) {
        for (int low = at, high = at + bytes - 1; low < high; low++, high--) {
            byte moved = array[low];
            array[low] = array[high];
            array[high] = moved;
        }
    }

    /** A new array of this type. */
    public Object array(int length) {
        switch (this) {
            case BOOLEAN:
                return new boolean[length];
            case CHAR:
                return new char[length];
            case SHORT:
                return new short[length];
            case INT:
                return new int[length];
            case LONG:
                return new long[length];
            case FLOAT:
                return new float[length];
            case DOUBLE:
                return new double[length];
            default:
                return new byte[length];
        }
    }

    /** That of an array's or typed buffer's elements; BYTE for any other buffer. */
    public static ElementType of(Object buffer) {
        if (buffer instanceof double[]) {
            return DOUBLE;
        }
        if (buffer instanceof int[]) {
            return INT;
        }
        if (buffer instanceof long[]) {
            return LONG;
        }
        if (buffer instanceof float[]) {
            return FLOAT;
        }
        if (buffer instanceof short[]) {
            return SHORT;
        }
        if (buffer instanceof char[]) {
            return CHAR;
        }
        if (buffer instanceof boolean[]) {
            return BOOLEAN;
        }
        return buffer instanceof java.nio.Buffer ? ofTyped(buffer) : BYTE;
    }

    private static ElementType ofTyped(Object buffer) {
        if (buffer instanceof DoubleBuffer) {
            return DOUBLE;
        }
        if (buffer instanceof IntBuffer) {
            return INT;
        }
        if (buffer instanceof LongBuffer) {
            return LONG;
        }
        if (buffer instanceof FloatBuffer) {
            return FLOAT;
        }
        if (buffer instanceof ShortBuffer) {
            return SHORT;
        }
        return buffer instanceof CharBuffer ? CHAR : BYTE;
    }

    /** That of an array's elements, by the array's class; null for any other class. */
    static ElementType ofPrimitive(Class<?> arrayType) {
        for (ElementType type : values()) {
            if (type.array(0).getClass() == arrayType) {
                return type;
            }
        }
        return null;
    }

    /** Whether it is the type of this array. */
    public boolean isOf(Object array) {
        return array != null
                && array.getClass().isArray()
                && of(array) == this
                && (this != BYTE || array instanceof byte[]);
    }
}
