package mpi;

import mpjbuf.Type;
import org.sluice.mpi.Data;
import org.sluice.mpi.Layout;

/**
 * Of what a buffer's items are made. Sizes, bounds and displacements are in elements of the base type, and so are those
 * of {@code Hvector}, {@code Hindexed} and {@code Struct}, as Java has no bytes inside of arrays. A buffer is an array
 * of the base type: {@code double[]} for all that is made of {@code MPI.DOUBLE}.
 *
 * <p>Immutable but for {@link #free}. <i>Thread</i>: any.
 */
public abstract class Datatype implements Freeable {
    static final int UNDEFINED = -1;
    static final int NULL = 0;
    static final int PACKED = 9;
    static final int LB = 10;
    static final int UB = 11;
    static final int OBJECT = 12;

    private static final Object[] NAMES = {
        "NULL", "BYTE", "CHAR", "SHORT", "BOOLEAN", "INT", "LONG", "FLOAT", "DOUBLE", "PACKED", "LB", "UB", "OBJECT"
    };
    private static final byte[] NOTHING = {};

    /** MPJ Express's number of the type of its elements; -1 where it has none. */
    public int baseType = UNDEFINED;

    /** Elements of an item. */
    int size;
    /** The same in bytes. */
    int byteSize;

    int lb;
    int ub;
    int extent;
    boolean lbSet;
    boolean ubSet;
    Type bufferType = Type.UNDEFINED;

    /** Of buffers; null of objects, of what has no elements, and once it was freed. */
    Class<?> arrayClass;
    /** In bytes; null where it has no primitive elements. */
    Layout layout;
    /** Of objects: where those of an item lie; else null. */
    int[] places;

    private boolean isFreed;

    public Datatype() {}

    public int getType() {
        return baseType;
    }

    /** Of the elements of an item. */
    public int getByteSize() {
        return byteSize;
    }

    public int Extent() throws MPIException {
        return extent;
    }

    /** Elements of an item. */
    public int Size() throws MPIException {
        return size;
    }

    public int Lb() throws MPIException {
        return lb;
    }

    public int Ub() throws MPIException {
        return ub;
    }

    /** Nothing is left to do. */
    public void Commit() throws MPIException {
        checkUsable();
    }

    /** Does nothing. */
    @Override
    @SuppressWarnings({"deprecation", "removal"})
    public void finalize() throws MPIException {}

    /** It is given to no call any more; what was made of it stays. */
    @Override
    public void free() {
        if (this instanceof BasicType) {
            throw new MPIException(this + " is always there: it isn't freed");
        }
        isFreed = true;
        arrayClass = null;
    }

    // --- types made of others ----------------------------------------------------------------------------------------

    public static Datatype Contiguous(int count, Datatype oldtype) throws MPIException {
        return new DerivedType(new int[] {count}, new int[] {0}, new Datatype[] {checked(oldtype)});
    }

    /** @param stride from a block's beginning to the next one's, in extents of the old type */
    public static Datatype Vector(int count, int blocklength, int stride, Datatype oldtype) throws MPIException {
        return vector(count, blocklength, multiply(stride, checked(oldtype).extent), oldtype);
    }

    /** @param stride in elements */
    public static Datatype Hvector(int count, int blocklength, int stride, Datatype oldtype) throws MPIException {
        return vector(count, blocklength, stride, checked(oldtype));
    }

    private static Datatype vector(int count, int blocklength, int stride, Datatype oldtype) {
        if (count < 0) {
            throw new MPIException("a vector of " + count + " blocks: 0 or more");
        }
        int[] lengths = new int[count];
        int[] displacements = new int[count];
        Datatype[] types = new Datatype[count];
        for (int i = 0; i < count; i++) {
            lengths[i] = blocklength;
            displacements[i] = multiply(i, stride);
            types[i] = oldtype;
        }
        return new DerivedType(lengths, displacements, types, oldtype);
    }

    /** @param array_of_displacements in extents of the old type */
    public static Datatype Indexed(int[] array_of_blocklengths, int[] array_of_displacements, Datatype oldtype)
            throws MPIException {
        checkArrays(array_of_blocklengths, array_of_displacements);
        int[] displacements = new int[array_of_displacements.length];
        for (int i = 0; i < displacements.length; i++) {
            displacements[i] = multiply(array_of_displacements[i], checked(oldtype).extent);
        }
        return Hindexed(array_of_blocklengths, displacements, oldtype);
    }

    /** @param array_of_displacements in elements */
    public static Datatype Hindexed(int[] array_of_blocklengths, int[] array_of_displacements, Datatype oldtype)
            throws MPIException {
        checkArrays(array_of_blocklengths, array_of_displacements);
        Datatype[] types = new Datatype[array_of_blocklengths.length];
        java.util.Arrays.fill(types, checked(oldtype));
        return new DerivedType(array_of_blocklengths, array_of_displacements, types, oldtype);
    }

    /** @param array_of_displacements in elements; all types have the same base type, or are bounds */
    public static Datatype Struct(int[] array_of_blocklengths, int[] array_of_displacements, Datatype[] array_of_types)
            throws MPIException {
        checkArrays(array_of_blocklengths, array_of_displacements);
        if (array_of_types == null || array_of_types.length != array_of_blocklengths.length) {
            throw new MPIException("a struct of " + array_of_blocklengths.length + " blocks needs as many types, not "
                    + (array_of_types == null ? "null" : array_of_types.length));
        }
        for (Datatype type : array_of_types) {
            checked(type);
        }
        return new DerivedType(array_of_blocklengths, array_of_displacements, array_of_types);
    }

    private static void checkArrays(int[] blocklengths, int[] displacements) {
        if (blocklengths == null || displacements == null || blocklengths.length != displacements.length) {
            throw new MPIException("there is one block length and one displacement for each block: neither is null,"
                    + " and both arrays are as long");
        }
    }

    private static int multiply(int a, int b) {
        long product = (long) a * b;
        if (product != (int) product) {
            throw new MPIException("a displacement of " + product + " elements: no array is so long");
        }
        return (int) product;
    }

    /** As an argument. */
    static Datatype checked(Datatype type) {
        if (type == null) {
            throw new MPIException("the datatype is null: give MPI.DOUBLE or another");
        }
        type.checkUsable();
        return type;
    }

    private void checkUsable() {
        if (isFreed) {
            throw new MPIException("the datatype " + this + " was freed");
        }
    }

    // --- buffers -----------------------------------------------------------------------------------------------------

    final boolean isObject() {
        return baseType == OBJECT;
    }

    final boolean isPacked() {
        return baseType == PACKED;
    }

    /** Whether items lie together. */
    final boolean isDense() {
        return layout != null && layout.isContiguous();
    }

    /** Whether such items are a part of the array as it is. */
    final boolean isPlain(Object buffer, int count) {
        return buffer != null && buffer.getClass() == arrayClass && count >= 0 && layout.isContiguous();
    }

    /** As Sluice takes it. */
    final Object items(Object buffer, int offset, long count) {
        check(buffer, count);
        if (count == 0 || size == 0) {
            return NOTHING;
        }
        return layout.isContiguous() ? Data.of(buffer, offset, count * size) : Data.of(buffer, offset, count, layout);
    }

    /** As {@link #items}, for a reduction that counts items. */
    final Object itemsOfLayout(Object buffer, int offset, long count) {
        check(buffer, count);
        return Data.of(buffer, offset, count, layout);
    }

    /** As {@link #items}, and the array itself if that is all of it. */
    final Object part(Object buffer, int offset, long count) {
        if (offset == 0 && count >= 0 && buffer != null && buffer.getClass() == arrayClass) {
            long elements = count * size;
            if (layout.isContiguous() && elements == Buffers.length(buffer)) {
                return buffer;
            }
        }
        return items(buffer, offset, count);
    }

    /** A block for each rank. */
    final Object blocks(Object buffer, int offset, int[] counts, int[] displacements, int ranks) {
        check(buffer, 0);
        return Data.blocks(
                buffer, offset, Buffers.ofRanks(counts, ranks), Buffers.ofRanks(displacements, ranks), layout);
    }

    /** @throws MPIException if that is no buffer of this type, with what to give */
    final void check(Object buffer, long count) {
        checkUsable();
        if (count < 0) {
            throw new MPIException("a count of " + count + ": 0 or more");
        }
        if (buffer != null && buffer.getClass() == arrayClass) {
            return;
        }
        if (isObject()) {
            if (!(buffer instanceof Object[])) {
                throw Buffers.refused(buffer, this);
            }
            return;
        }
        boolean isNothing = size == 0 || buffer == null && count == 0 && layout != null;
        if (!isNothing || layout == null && baseType != UNDEFINED) {
            throw Buffers.refused(buffer, this);
        }
    }

    /** Of an array of objects. */
    final Object[] pick(Object buffer, int offset, int count) {
        check(buffer, count);
        Object[] from = (Object[]) buffer;
        long last = offset + (count - 1L) * extent;
        if (count > 0 && places.length > 0) {
            for (int place : places) {
                Buffers.inside(from, (long) offset + place);
                Buffers.inside(from, last + place);
            }
        }
        long all = (long) count * places.length;
        if (all > Integer.MAX_VALUE - 8) {
            throw new MPIException(count + " items of " + places.length + " objects each are " + all
                    + ", which is more than an array holds: send fewer at once");
        }
        Object[] values = new Object[(int) all];
        int at = 0;
        for (int item = 0; item < count; item++) {
            for (int place : places) {
                values[at++] = from[offset + item * extent + place];
            }
        }
        return values;
    }

    /** To an array of objects; returns how many came. */
    final int put(Object values, Object buffer, int offset, int count) {
        check(buffer, count);
        Object[] from = (Object[]) values;
        Object[] to = (Object[]) buffer;
        if (from.length > (long) count * places.length) {
            throw new MPIException("the message has " + from.length + " objects, and the receive takes "
                    + (long) count * places.length + ": give it a larger count");
        }
        for (int i = 0; i < from.length; i++) {
            long index = offset + (long) (i / places.length) * extent + places[i % places.length];
            Buffers.store(from[i], to, Buffers.inside(to, index));
        }
        return from.length;
    }

    @Override
    public String toString() {
        return baseType >= 0 ? "MPI." + NAMES[baseType] : "an empty type";
    }
}
