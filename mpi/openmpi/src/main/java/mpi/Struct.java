package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A datatype of several fields, which a program makes as a class of its own: it adds the fields, in their order, and
 * has a {@link Data} that reads and writes them where they lie in a buffer. Offsets and extents are in bytes.
 *
 * <p><i>Fails</i>: IllegalStateException for a field that is added when the datatype was asked for.
 */
public abstract class Struct {
    private static final class Field {
        private final Datatype type;
        private final int offset;
        private final int length;

        private Field(Datatype type, int offset, int length) {
            this.type = type;
            this.offset = offset;
            this.length = length;
        }
    }

    private final List<Field> fields = new ArrayList<>();
    private int extent;
    private Datatype datatype;

    public Struct() {}

    private void commit() throws MPIException {
        if (datatype == null) {
            Datatype made = basic();
            datatype = made == null ? ofFields() : made;
            extent = datatype.getExtent();
        }
    }

    /** A type of MPI's own that this is, or null. */
    Datatype basic() {
        return null;
    }

    private Datatype ofFields() throws MPIException {
        int count = fields.size();
        int[] lengths = new int[count];
        int[] offsets = new int[count];
        Datatype[] types = new Datatype[count];
        for (int i = 0; i < count; i++) {
            Field field = fields.get(i);
            lengths[i] = field.length;
            offsets[i] = field.offset;
            types[i] = field.type;
        }
        Datatype made = Datatype.createStruct(lengths, offsets, types);
        made.commit();
        return made;
    }

    /** From one item's beginning to the next one's. */
    public final int getExtent() throws MPIException {
        commit();
        return extent;
    }

    /** The datatype, committed. */
    public final Datatype getType() throws MPIException {
        commit();
        return datatype;
    }

    /** A new object that reads and writes an item: of the program's own subclass of {@link Data}. */
    protected abstract Data newData();

    /** The caller says which subclass it is, as newData is its own. */
    @SuppressWarnings("unchecked")
    private <T extends Data> T newData(ByteBuffer buffer, int offset) {
        Data data = newData();
        data.buffer = buffer;
        data.offset = offset;
        return (T) data;
    }

    private static ByteBuffer wrap(byte[] array) {
        return ByteBuffer.wrap(array).order(ByteOrder.nativeOrder());
    }

    /** The first item of a buffer. */
    public final <T extends Data> T getData(ByteBuffer buffer) throws MPIException {
        return getData(buffer, 0);
    }

    /** One of the items of a buffer. */
    public final <T extends Data> T getData(ByteBuffer buffer, int index) throws MPIException {
        commit();
        return newData(buffer, index * extent);
    }

    /** The first item of an array. */
    public final <T extends Data> T getData(byte[] array) throws MPIException {
        return getData(array, 0);
    }

    /** One of the items of an array. */
    public final <T extends Data> T getData(byte[] array, int index) throws MPIException {
        return getData(wrap(array), index);
    }

    private int add(Datatype type, int typeExtent, int length) {
        refuseCommitted();
        int offset = extent;
        extent += typeExtent * length;
        fields.add(new Field(type, offset, length));
        return offset;
    }

    private void refuseCommitted() {
        if (datatype != null) {
            throw new IllegalStateException(
                    "the datatype of this struct is made: add its fields before getType, getExtent and getData");
        }
    }

    /** Where the next field begins: not before the end of those that are there. */
    public final Struct setOffset(int offset) {
        refuseCommitted();
        if (offset < extent) {
            throw new IllegalArgumentException("a field at offset " + offset + ": those before it end at " + extent);
        }
        extent = offset;
        return this;
    }

    /** Adds a byte; returns its offset. */
    public final int addByte() {
        return addByte(1);
    }

    /** Adds so many that lie together; returns the first one's offset. */
    public final int addByte(int length) {
        return add(MPI.BYTE, 1, length);
    }

    /** Adds a char; returns its offset. */
    public final int addChar() {
        return addChar(1);
    }

    /** Adds so many that lie together; returns the first one's offset. */
    public final int addChar(int length) {
        return add(MPI.CHAR, Character.BYTES, length);
    }

    /** Adds a short; returns its offset. */
    public final int addShort() {
        return addShort(1);
    }

    /** Adds so many that lie together; returns the first one's offset. */
    public final int addShort(int length) {
        return add(MPI.SHORT, Short.BYTES, length);
    }

    /** Adds an int; returns its offset. */
    public final int addInt() {
        return addInt(1);
    }

    /** Adds so many that lie together; returns the first one's offset. */
    public final int addInt(int length) {
        return add(MPI.INT, Integer.BYTES, length);
    }

    /** Adds a long; returns its offset. */
    public final int addLong() {
        return addLong(1);
    }

    /** Adds so many that lie together; returns the first one's offset. */
    public final int addLong(int length) {
        return add(MPI.LONG, Long.BYTES, length);
    }

    /** Adds a float; returns its offset. */
    public final int addFloat() {
        return addFloat(1);
    }

    /** Adds so many that lie together; returns the first one's offset. */
    public final int addFloat(int length) {
        return add(MPI.FLOAT, Float.BYTES, length);
    }

    /** Adds a double; returns its offset. */
    public final int addDouble() {
        return addDouble(1);
    }

    /** Adds so many that lie together; returns the first one's offset. */
    public final int addDouble(int length) {
        return add(MPI.DOUBLE, Double.BYTES, length);
    }

    /** Adds a struct; returns its offset. */
    public final int addStruct(Struct struct) throws MPIException {
        return addStruct(struct, 1);
    }

    /** Adds so many structs one after another; returns the first one's offset. */
    public final int addStruct(Struct struct, int length) throws MPIException {
        struct.commit();
        return add(struct.datatype, struct.extent, length);
    }

    /** Adds an item of a datatype; returns its offset. */
    public final int addData(Datatype type) throws MPIException {
        return addData(type, 1);
    }

    /** Adds so many items of a datatype one after another; returns the first one's offset. */
    public final int addData(Datatype type, int length) throws MPIException {
        return add(type, Math.toIntExact(type.layout().extent()), length);
    }

    /** Reads and writes the fields of one item where it lies in a buffer, in the buffer's byte order. */
    public abstract class Data {
        private ByteBuffer buffer;
        private int offset;

        public Data() {}

        /** Begins with this item; of the same memory, to be sent or received. */
        public final ByteBuffer getBuffer() {
            return at(offset);
        }

        private ByteBuffer at(int position) {
            return position == 0 ? buffer : MPI.slice(buffer, position);
        }

        /** The byte at an offset. */
        protected final byte getByte(int field) {
            return buffer.get(offset + field);
        }

        /** One of those that lie together from an offset on. */
        protected final byte getByte(int field, int index) {
            return buffer.get(offset + field + index);
        }

        /** Puts a byte at an offset. */
        protected final void putByte(int field, byte v) {
            buffer.put(offset + field, v);
        }

        /** Puts one of those that lie together from an offset on. */
        protected final void putByte(int field, int index, byte v) {
            buffer.put(offset + field + index, v);
        }

        /** The char at an offset. */
        protected final char getChar(int field) {
            return buffer.getChar(offset + field);
        }

        /** One of those that lie together from an offset on. */
        protected final char getChar(int field, int index) {
            return buffer.getChar(offset + field + Character.BYTES * index);
        }

        /** Puts a char at an offset. */
        protected final void putChar(int field, char v) {
            buffer.putChar(offset + field, v);
        }

        /** Puts one of those that lie together from an offset on. */
        protected final void putChar(int field, int index, char v) {
            buffer.putChar(offset + field + Character.BYTES * index, v);
        }

        /** The short at an offset. */
        protected final short getShort(int field) {
            return buffer.getShort(offset + field);
        }

        /** One of those that lie together from an offset on. */
        protected final short getShort(int field, int index) {
            return buffer.getShort(offset + field + Short.BYTES * index);
        }

        /** Puts a short at an offset. */
        protected final void putShort(int field, short v) {
            buffer.putShort(offset + field, v);
        }

        /** Puts one of those that lie together from an offset on. */
        protected final void putShort(int field, int index, short v) {
            buffer.putShort(offset + field + Short.BYTES * index, v);
        }

        /** The int at an offset. */
        protected final int getInt(int field) {
            return buffer.getInt(offset + field);
        }

        /** One of those that lie together from an offset on. */
        protected final int getInt(int field, int index) {
            return buffer.getInt(offset + field + Integer.BYTES * index);
        }

        /** Puts an int at an offset. */
        protected final void putInt(int field, int v) {
            buffer.putInt(offset + field, v);
        }

        /** Puts one of those that lie together from an offset on. */
        protected final void putInt(int field, int index, int v) {
            buffer.putInt(offset + field + Integer.BYTES * index, v);
        }

        /** The long at an offset. */
        protected final long getLong(int field) {
            return buffer.getLong(offset + field);
        }

        /** One of those that lie together from an offset on. */
        protected final long getLong(int field, int index) {
            return buffer.getLong(offset + field + Long.BYTES * index);
        }

        /** Puts a long at an offset. */
        protected final void putLong(int field, long v) {
            buffer.putLong(offset + field, v);
        }

        /** Puts one of those that lie together from an offset on. */
        protected final void putLong(int field, int index, long v) {
            buffer.putLong(offset + field + Long.BYTES * index, v);
        }

        /** The float at an offset. */
        protected final float getFloat(int field) {
            return buffer.getFloat(offset + field);
        }

        /** One of those that lie together from an offset on. */
        protected final float getFloat(int field, int index) {
            return buffer.getFloat(offset + field + Float.BYTES * index);
        }

        /** Puts a float at an offset. */
        protected final void putFloat(int field, float v) {
            buffer.putFloat(offset + field, v);
        }

        /** Puts one of those that lie together from an offset on. */
        protected final void putFloat(int field, int index, float v) {
            buffer.putFloat(offset + field + Float.BYTES * index, v);
        }

        /** The double at an offset. */
        protected final double getDouble(int field) {
            return buffer.getDouble(offset + field);
        }

        /** One of those that lie together from an offset on. */
        protected final double getDouble(int field, int index) {
            return buffer.getDouble(offset + field + Double.BYTES * index);
        }

        /** Puts a double at an offset. */
        protected final void putDouble(int field, double v) {
            buffer.putDouble(offset + field, v);
        }

        /** Puts one of those that lie together from an offset on. */
        protected final void putDouble(int field, int index, double v) {
            buffer.putDouble(offset + field + Double.BYTES * index, v);
        }

        /** The struct at an offset. */
        protected final <S extends Struct, D extends Struct.Data> D getData(S struct, int field) {
            return getData(struct, field, 0);
        }

        /** One of the structs that lie together from an offset on. */
        protected final <S extends Struct, D extends Struct.Data> D getData(S struct, int field, int index) {
            Struct of = struct;
            return of.newData(buffer, offset + field + index * of.extent);
        }

        /** Begins with the field at an offset; of the same memory. */
        protected final ByteBuffer getBuffer(Datatype type, int field) {
            return at(offset + field);
        }

        /** Begins with one of the items that lie together from an offset on; of the same memory. */
        protected final ByteBuffer getBuffer(Datatype type, int field, int index) throws MPIException {
            return at(offset + field + index * Math.toIntExact(type.layout().extent()));
        }
    }
}
