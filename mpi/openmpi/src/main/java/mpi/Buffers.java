package mpi;

import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.sluice.mpi.Data;
import org.sluice.mpi.ElementType;
import org.sluice.mpi.Layout;

/**
 * A program's buffer, count and datatype as Sluice takes them. As in Open MPI a buffer begins at its element 0 and ends
 * at its capacity, wherever its position and limit are.
 */
final class Buffers {
    private Buffers() {}

    /** Of all elements of a buffer. */
    static Object whole(Object buffer) {
        if (!(buffer instanceof Buffer)) {
            return buffer;
        }
        Buffer given = (Buffer) buffer;
        if (given.position() == 0 && given.limit() == given.capacity()) {
            return given;
        }
        Buffer whole = given.duplicate().clear();
        return given instanceof ByteBuffer ? ((ByteBuffer) whole).order(((ByteBuffer) given).order()) : whole;
    }

    /**
     * How many units of the buffer an element of a basic type has: 1 for an array or typed buffer of that type, its
     * bytes for a buffer of bytes; 0 where it takes a layout.
     */
    static int units(Object buffer, Datatype type) throws MPIException {
        if (!type.isBasic()) {
            return 0;
        }
        ElementType own = ElementType.of(buffer);
        if (own == type.base()) {
            return 1;
        }
        return buffer instanceof ByteBuffer ? type.base().bytes() : 0;
    }

    /** What is given from the very array that is received into: a copy, as Open MPI makes of each array. */
    static Object apart(Object given, Object into) {
        if (given != into || given == null || !given.getClass().isArray()) {
            return given;
        }
        int length = Array.getLength(given);
        Object copy = Array.newInstance(given.getClass().getComponentType(), length);
        System.arraycopy(given, 0, copy, 0, length);
        return copy;
    }

    static void checkCount(int count) throws MPIException {
        if (count < 0) {
            throw Errors.of(MPI.ERR_COUNT, "the count is " + count + ": 0 or more");
        }
    }

    /** So many items of a message or of a collective. */
    static Object items(Object buffer, long count, Datatype type) throws MPIException {
        Datatype.used(type);
        int units = units(buffer, type);
        Object whole = whole(buffer);
        if (units > 0) {
            return isAll(whole, count * units) ? whole : Data.of(whole, 0, count * units);
        }
        if (buffer == null) {
            checkNull(count);
            return null;
        }
        return Data.of(holding(whole, type), 0, count, type.layout());
    }

    /** An array that is all sent needs no object that says so. */
    private static boolean isAll(Object buffer, long units) {
        if (buffer instanceof double[]) {
            return ((double[]) buffer).length == units;
        }
        if (buffer instanceof int[]) {
            return ((int[]) buffer).length == units;
        }
        if (buffer instanceof byte[]) {
            return ((byte[]) buffer).length == units;
        }
        if (buffer instanceof long[]) {
            return ((long[]) buffer).length == units;
        }
        return buffer instanceof Buffer && ((Buffer) buffer).capacity() == units;
    }

    private static void checkNull(long count) throws MPIException {
        if (count > 0) {
            throw Errors.of(MPI.ERR_BUFFER, "the buffer is null, and the count is " + count);
        }
    }

    /** What can have items of any layout: arrays of bytes go as the buffers that they are. */
    private static Object holding(Object whole, Datatype type) throws MPIException {
        if (whole instanceof byte[] && type.base() == ElementType.BYTE) {
            return ByteBuffer.wrap((byte[]) whole);
        }
        refuseObjects(whole, type);
        checkType(whole, type);
        return whole;
    }

    /** What students write: boxed numbers, one or many, and rows. */
    private static void refuseObjects(Object buffer, Datatype type) throws MPIException {
        Class<?> component = buffer.getClass().getComponentType();
        boolean isBoxed = buffer instanceof Number || buffer instanceof Character || buffer instanceof Boolean;
        boolean isText = buffer instanceof CharSequence && !(buffer instanceof Buffer);
        if (!isBoxed && !isText && (component == null || component.isPrimitive())) {
            return;
        }
        String wanted = type.base().array(0).getClass().getTypeName();
        String instead = isBoxed
                ? "a single value is " + withArticle(wanted) + " of one"
                : isText
                        ? "give text.toCharArray() with MPI.CHAR, or text.getBytes() with MPI.BYTE"
                        : component.isArray()
                                ? "its rows lie apart in memory. Send row by row, or keep it in one " + wanted
                                        + " at [row * columns + column]"
                                : "give " + withArticle(wanted)
                                        + ", or a direct buffer of MPI.newByteBuffer and the like";
        String what = withArticle(buffer.getClass().getTypeName()) + " isn't a buffer of " + type + ": ";
        throw Errors.of(MPI.ERR_ARG, what + instead);
    }

    private static String withArticle(String type) {
        return ("aeiou".indexOf(type.charAt(0)) < 0 ? "a " : "an ") + type;
    }

    /** What the classes of errors say of an array of another type; all else Sluice says as well. */
    static void checkType(Object buffer, Datatype type) throws MPIException {
        ElementType own = ElementType.of(buffer);
        boolean isTyped = buffer.getClass().isArray() && own.isOf(buffer) || own != ElementType.BYTE;
        if (isTyped && own != type.layout().element()) {
            throw Errors.of(
                    MPI.ERR_TYPE,
                    withArticle(buffer.getClass().getTypeName()) + " holds elements of type MPI." + own
                            + ", and the datatype is " + type + ": give that of the array, or another array");
        }
    }

    /** A block for each rank. */
    static Data blocks(Object buffer, int[] counts, int[] displacements, Datatype type) throws MPIException {
        Datatype.used(type);
        checkBlocks(counts, displacements);
        Object whole = whole(buffer);
        return Data.blocks(buffer == null ? null : holding(whole, type), 0, counts, displacements, type.layout());
    }

    /** A block for each rank, each of a type of its own; displacements are in bytes. */
    static Data blocks(Object buffer, int[] counts, int[] displacements, Datatype[] types) throws MPIException {
        checkBlocks(counts, displacements);
        Layout[] layouts = new Layout[types.length];
        Object whole = whole(buffer);
        for (int i = 0; i < types.length; i++) {
            layouts[i] = Datatype.used(types[i]).layout();
            if (buffer != null && counts[i] > 0 && !(whole instanceof byte[])) {
                checkType(whole, types[i]);
            }
        }
        Object holding = whole instanceof byte[] ? ByteBuffer.wrap((byte[]) whole) : whole;
        return Data.blocks(holding, 0, counts, displacements, layouts);
    }

    private static void checkBlocks(int[] counts, int[] displacements) throws MPIException {
        if (counts == null || displacements == null) {
            throw Errors.of(MPI.ERR_ARG, "counts or displacements are null: give one of each for every rank");
        }
        for (int count : counts) {
            checkCount(count);
        }
    }

    /** So many items that a reduction computes with: numbers of a ByteBuffer are what the program has put. */
    static Object reduced(Object buffer, long count, Datatype type) throws MPIException {
        boolean isTyped = buffer instanceof ByteBuffer
                && type != null
                && type.isBasic()
                && type.base().bytes() > 1;
        if (isTyped || buffer instanceof ByteBuffer && ((ByteBuffer) buffer).order() != ByteOrder.nativeOrder()) {
            ByteBuffer whole = (ByteBuffer) whole(buffer);
            return Data.inItsOrder(whole, 0, count, Datatype.used(type).layout());
        }
        return items(buffer, count, type);
    }
}
