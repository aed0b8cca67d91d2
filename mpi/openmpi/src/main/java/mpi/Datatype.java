package mpi;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.sluice.mpi.ElementType;
import org.sluice.mpi.Layout;

/**
 * MPI_Datatype: a {@link Layout} and the basic type in whose elements its extent and size are told; those of structs
 * are in bytes. Lengths of blocks are in items, displacements, strides and extents in bytes if MPI's name has an H, and
 * those of createResized and createStruct.
 *
 * <p><i>Thread</i>: any, except that it is committed and freed by one.
 */
public final class Datatype implements Freeable, Cloneable {
    private static final Keyvals KEYVALS = new Keyvals("Datatype");

    private Layout layout;
    /** In whose elements its sizes are told. */
    private final ElementType base;
    /** In bytes: what a struct's extent is rounded up to. */
    private final int alignment;

    /** Of one of Java's types: the arrays that are its items as they are; else null. */
    private final Class<?> arrayClass;

    private final boolean isOfMpi;
    private final Kind kind;
    private boolean isCommitted;
    private String name = "";
    private Map<Integer, Object> attributes;

    /** What a reduction has to know beside the elements. */
    enum Kind {
        /** Only elements, each by itself. */
        ELEMENTS,
        /** A value and an index of any types. */
        PAIRS,
        /** A real part and an imaginary one. */
        COMPLEX
    }

    private Datatype(Layout layout, ElementType base, int alignment, Kind kind, String name) {
        this(layout, base, alignment, kind, name, null);
    }

    private Datatype(Layout layout, ElementType base, int alignment, Kind kind, String name, Class<?> arrayClass) {
        this.layout = layout;
        this.base = base;
        this.alignment = alignment;
        this.arrayClass = arrayClass;
        this.kind = kind;
        this.isOfMpi = name != null;
        this.isCommitted = isOfMpi;
        this.name = isOfMpi ? name : "";
    }

    static Datatype none() {
        return new Datatype(null, ElementType.BYTE, 1, Kind.ELEMENTS, "MPI_DATATYPE_NULL");
    }

    static Datatype of(ElementType element, String name) {
        Class<?> arrayClass = element.array(0).getClass();
        return new Datatype(Layout.of(element), element, element.bytes(), Kind.ELEMENTS, name, arrayClass);
    }

    static Datatype complex(ElementType element, String name) {
        return new Datatype(Layout.of(element).contiguous(2), element, element.bytes(), Kind.COMPLEX, name);
    }

    /** A value and an int behind it, where a compiler of C puts it. */
    static Datatype pair(ElementType value, String name) {
        int bytes = value.bytes();
        int alignment = Math.max(bytes, Integer.BYTES);
        int extent = (int) roundUp(Math.max(bytes, Integer.BYTES) + Integer.BYTES, alignment);
        long[] places = {0, Math.max(bytes, Integer.BYTES)};
        Layout layout = Layout.struct(new int[] {1, 1}, places, new Layout[] {Layout.of(value), Layout.INT});
        return new Datatype(layout.resized(0, extent), ElementType.BYTE, alignment, Kind.PAIRS, name);
    }

    private Datatype derived(Layout newLayout) {
        return new Datatype(newLayout, base, alignment, Kind.ELEMENTS, null);
    }

    private static long roundUp(long value, int alignment) {
        return (value + alignment - 1) / alignment * alignment;
    }

    // --- for the calls -----------------------------------------------------------------------------------------------

    /** Of one that is there, committed or not. */
    Layout layout() throws MPIException {
        if (layout == null) {
            throw Errors.of(MPI.ERR_TYPE, "this datatype is MPI.DATATYPE_NULL, or was freed");
        }
        return layout;
    }

    /** Of one that messages can have. */
    static Datatype used(Datatype type) throws MPIException {
        if (type == null) {
            throw Errors.of(MPI.ERR_TYPE, "the datatype is null: MPI.DOUBLE is that of a double[]");
        }
        type.layout();
        if (!type.isCommitted) {
            throw Errors.of(MPI.ERR_TYPE, "this datatype isn't committed: call its commit() once, before it is used");
        }
        return type;
    }

    /** Whether such items, which can be neither freed nor uncommitted, are a part of the array as it is. */
    boolean isPlain(Object buffer, int count) {
        return buffer != null && buffer.getClass() == arrayClass && count >= 0;
    }

    ElementType base() {
        return base;
    }

    Kind kind() {
        return kind;
    }

    /** Whether it is one of single elements, as {@link MPI#DOUBLE}. */
    boolean isBasic() {
        return isOfMpi && kind == Kind.ELEMENTS && layout != null;
    }

    // --- what it is --------------------------------------------------------------------------------------------------

    private int inElements(long size) throws MPIException {
        long elements = size / base.bytes();
        if (elements != (int) elements) {
            throw Errors.of(MPI.ERR_TYPE, "it is " + elements + " elements, which is more than an int holds");
        }
        return (int) elements;
    }

    /** MPI_Type_get_extent: the lower bound. */
    public int getLb() throws MPIException {
        return inElements(layout().lowerBound());
    }

    /** MPI_Type_get_extent: from one item's beginning to the next one's. */
    public int getExtent() throws MPIException {
        return inElements(layout().extent());
    }

    /** MPI_Type_get_true_extent: where the first element begins. */
    public int getTrueLb() throws MPIException {
        return inElements(trueLowerBound());
    }

    private long trueLowerBound() throws MPIException {
        if (layout().size() == 0) {
            return 0;
        }
        // A layout tells its lowest byte if that is below 0: move it there.
        long below = Math.abs(layout.lowerBound()) + Math.abs(layout.extent()) + Math.abs(layout.reach(1)) + 1;
        return Layout.struct(new int[] {1}, new long[] {-below}, new Layout[] {layout})
                        .lowest(1)
                + below;
    }

    /** MPI_Type_get_true_extent: from the first element's beginning to the last one's end. */
    public int getTrueExtent() throws MPIException {
        if (layout().size() == 0) {
            return 0;
        }
        long lowest = trueLowerBound();
        Layout fromZero = Layout.struct(new int[] {1}, new long[] {-lowest}, new Layout[] {layout});
        return inElements(fromZero.reach(1));
    }

    /** MPI_Type_size: without holes. */
    public int getSize() throws MPIException {
        return inElements(layout().size());
    }

    /** MPI_Type_commit. */
    public void commit() throws MPIException {
        layout();
        isCommitted = true;
    }

    /** MPI_Type_free. */
    @Override
    public void free() throws MPIException {
        layout();
        if (isOfMpi) {
            throw Errors.of(MPI.ERR_TYPE, name + " is MPI's own and is never freed");
        }
        layout = null;
    }

    /** Whether it is MPI_DATATYPE_NULL, or was freed. */
    public boolean isNull() {
        return layout == null;
    }

    /** As {@link #dup}, with an unchecked exception. */
    @Override
    public Datatype clone() {
        try {
            return dup();
        } catch (MPIException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    /** MPI_Type_dup. */
    public Datatype dup() throws MPIException {
        Datatype copy = new Datatype(layout(), base, alignment, kind, null);
        copy.isCommitted = isCommitted;
        copy.attributes = attributes == null ? null : new HashMap<>(attributes);
        return copy;
    }

    // --- others made of it -------------------------------------------------------------------------------------------

    private interface Made {
        Layout of(Layout layout);
    }

    private static Datatype make(Datatype old, Made made) throws MPIException {
        if (old == null) {
            throw Errors.of(MPI.ERR_TYPE, "the datatype that another is to be made of is null");
        }
        try {
            return old.derived(made.of(old.layout()));
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new MPIException(MPI.ERR_ARG, e.getMessage(), e);
        }
    }

    /** MPI_Type_contiguous. */
    public static Datatype createContiguous(int count, Datatype oldType) throws MPIException {
        return make(oldType, layout -> layout.contiguous(count));
    }

    /** MPI_Type_vector: the stride is in items. */
    public static Datatype createVector(int count, int blockLength, int stride, Datatype oldType) throws MPIException {
        return make(oldType, layout -> layout.vector(count, blockLength, stride));
    }

    /** MPI_Type_create_hvector: the stride is in bytes. */
    public static Datatype createHVector(int count, int blockLength, int stride, Datatype oldType) throws MPIException {
        return make(oldType, layout -> layout.hvector(count, blockLength, stride));
    }

    /** MPI_Type_indexed: displacements are in items. */
    public static Datatype createIndexed(int[] blockLengths, int[] displacements, Datatype oldType)
            throws MPIException {
        checkGiven(blockLengths, displacements);
        return make(oldType, layout -> layout.indexed(blockLengths, displacements));
    }

    /** MPI_Type_create_hindexed: displacements are in bytes. */
    public static Datatype createHIndexed(int[] blockLengths, int[] displacements, Datatype oldType)
            throws MPIException {
        checkGiven(blockLengths, displacements);
        return make(oldType, layout -> layout.hindexed(blockLengths, asLongs(displacements)));
    }

    private static void checkGiven(int[] blockLengths, int[] displacements) throws MPIException {
        if (blockLengths == null || displacements == null) {
            throw Errors.of(MPI.ERR_ARG, "an array is null: give the length and the displacement of each block");
        }
    }

    private static long[] asLongs(int[] values) {
        return Arrays.stream(values).asLongStream().toArray();
    }

    /** MPI_Type_create_struct: displacements are in bytes, as are the sizes of what it makes. */
    public static Datatype createStruct(int[] blockLengths, int[] displacements, Datatype[] types) throws MPIException {
        if (blockLengths == null || displacements == null || types == null) {
            throw Errors.of(MPI.ERR_ARG, "an array is null: give the lengths, displacements and types of all blocks");
        }
        Layout[] layouts = new Layout[types.length];
        int alignment = 1;
        for (int i = 0; i < types.length; i++) {
            if (types[i] == null) {
                throw Errors.of(MPI.ERR_TYPE, "the type of block " + i + " is null: MPI.DOUBLE is one");
            }
            layouts[i] = types[i].layout();
            alignment = Math.max(alignment, types[i].alignment);
        }
        try {
            Layout layout = Layout.struct(blockLengths, asLongs(displacements), layouts);
            long extent = roundUp(layout.extent(), alignment);
            return new Datatype(
                    layout.resized(layout.lowerBound(), extent), ElementType.BYTE, alignment, Kind.ELEMENTS, null);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new MPIException(MPI.ERR_ARG, e.getMessage(), e);
        }
    }

    /** MPI_Type_create_resized: in bytes. */
    public static Datatype createResized(Datatype oldType, int lb, int extent) throws MPIException {
        return make(oldType, layout -> layout.resized(lb, extent));
    }

    // --- names and attributes ----------------------------------------------------------------------------------------

    /** MPI_Type_set_name. */
    public void setName(String newName) throws MPIException {
        layout();
        name = newName;
    }

    /** MPI_Type_get_name: empty until one is set. */
    public String getName() throws MPIException {
        return name;
    }

    /** MPI_Type_create_keyval: a duplicate has the value of its original. */
    public static int createKeyval() throws MPIException {
        MPI.check();
        return KEYVALS.create();
    }

    /** MPI_Type_free_keyval. */
    public static void freeKeyval(int keyval) throws MPIException {
        MPI.check();
        KEYVALS.free(keyval);
    }

    /** MPI_Type_set_attr. */
    public synchronized void setAttr(int keyval, Object value) throws MPIException {
        MPI.check();
        KEYVALS.get(keyval);
        if (attributes == null) {
            attributes = new HashMap<>();
        }
        attributes.put(keyval, value);
    }

    /** MPI_Type_get_attr: null if there is none. */
    public synchronized Object getAttr(int keyval) throws MPIException {
        MPI.check();
        KEYVALS.get(keyval);
        return attributes == null ? null : attributes.get(keyval);
    }

    /** MPI_Type_delete_attr. */
    public synchronized void deleteAttr(int keyval) throws MPIException {
        MPI.check();
        KEYVALS.get(keyval);
        if (attributes != null) {
            attributes.remove(keyval);
        }
    }

    @Override
    public String toString() {
        return name.isEmpty() ? "Datatype[" + layout + "]" : name;
    }
}
