package mpi;

import java.util.Arrays;

/** What programs give as buffers: how long they are, and what is wrong with those that are none. */
final class Buffers {
    private Buffers() {}

    /** Elements of an array of primitives. */
    static int length(Object array) {
        if (array instanceof double[]) {
            return ((double[]) array).length;
        }
        if (array instanceof int[]) {
            return ((int[]) array).length;
        }
        if (array instanceof long[]) {
            return ((long[]) array).length;
        }
        if (array instanceof float[]) {
            return ((float[]) array).length;
        }
        if (array instanceof byte[]) {
            return ((byte[]) array).length;
        }
        if (array instanceof char[]) {
            return ((char[]) array).length;
        }
        return array instanceof short[] ? ((short[]) array).length : ((boolean[]) array).length;
    }

    /** A copy of an array of primitives. */
    static Object copy(Object array) {
        if (array instanceof double[]) {
            return ((double[]) array).clone();
        }
        if (array instanceof int[]) {
            return ((int[]) array).clone();
        }
        if (array instanceof long[]) {
            return ((long[]) array).clone();
        }
        if (array instanceof float[]) {
            return ((float[]) array).clone();
        }
        if (array instanceof byte[]) {
            return ((byte[]) array).clone();
        }
        if (array instanceof char[]) {
            return ((char[]) array).clone();
        }
        return array instanceof short[] ? ((short[]) array).clone() : ((boolean[]) array).clone();
    }

    /** Programs may give longer arrays than there are ranks. */
    static int[] ofRanks(int[] values, int ranks) {
        if (values == null || values.length < ranks) {
            throw new MPIException("counts and displacements are needed for each of " + ranks + " ranks, and there are "
                    + (values == null ? "none" : values.length));
        }
        return values.length == ranks ? values : Arrays.copyOf(values, ranks);
    }

    static int inside(Object[] array, long index) {
        if (index < 0 || index >= array.length) {
            throw new MPIException(
                    "index " + index + " is outside of the buffer, which has " + array.length + " objects");
        }
        return (int) index;
    }

    static void store(Object value, Object[] array, int index) {
        try {
            array[index] = value;
        } catch (ArrayStoreException e) {
            throw new MPIException(
                    name(value) + " came, which " + name(array) + " can't have: receive into an Object[]");
        }
    }

    /** Why it is no buffer of this type, and what to give. */
    static MPIException refused(Object buffer, Datatype type) {
        if (type.baseType == Datatype.PACKED) {
            return new MPIException("MPI.PACKED takes an mpjbuf.Buffer, not " + name(buffer));
        }
        if (type.isObject()) {
            return new MPIException("MPI.OBJECT takes an array of objects, not " + name(buffer)
                    + (buffer == null ? "" : ": put it into an Object[]"));
        }
        if (type.arrayClass == null) {
            return new MPIException(type + " has no elements: no buffer can be sent or received with it here");
        }
        String wanted = withArticle(type.arrayClass.getTypeName());
        if (buffer == null) {
            return new MPIException("the buffer is null: " + type + " takes " + wanted);
        }
        Class<?> component = buffer.getClass().getComponentType();
        String what = name(buffer) + " isn't a buffer of " + type + ": ";
        if (component == null) {
            return new MPIException(what + "give " + wanted
                    + (buffer instanceof String
                            ? ", as text.toCharArray() or text.getBytes() is"
                            : "; a single value is an array of one"));
        }
        if (component.isArray()) {
            return new MPIException(what + "its rows lie apart in memory. Send row by row, or keep it in one "
                    + type.arrayClass.getTypeName()
                    + " at [row * columns + column], or send the rows as objects with MPI.OBJECT");
        }
        return new MPIException(
                component.isPrimitive()
                        ? what + "give " + wanted + ", or the type of " + name(buffer)
                        : what + "give " + wanted + ", or send it with MPI.OBJECT");
    }

    private static String name(Object buffer) {
        return buffer == null ? "null" : withArticle(buffer.getClass().getTypeName());
    }

    private static String withArticle(String type) {
        return ("aeiou".indexOf(type.charAt(0)) < 0 ? "a " : "an ") + type;
    }
}
