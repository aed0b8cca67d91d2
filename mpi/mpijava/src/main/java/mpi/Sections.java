package mpi;

import mpjbuf.Buffer;
import mpjbuf.BufferException;
import org.sluice.mpi.Data;
import org.sluice.mpi.Packing;

/** Items of arrays in sections of a {@link Buffer}. */
final class Sections {
    private Sections() {}

    static int write(Object items, int offset, int count, Datatype datatype, Buffer buffer, int position) {
        datatype.check(items, count);
        checkBuffer(buffer);
        int elements = Math.multiplyExact(count, datatype.size);
        try {
            buffer.setSize(position);
            buffer.putSectionHeader(datatype.bufferType);
            if (datatype.isObject()) {
                buffer.write(datatype.pick(items, offset, count), 0, elements);
            } else if (datatype.layout == null || datatype.layout.isContiguous()) {
                write(buffer, items, offset, elements);
            } else {
                Object together = together(datatype, elements);
                byte[] bytes = new byte[Math.multiplyExact(count, datatype.byteSize)];
                Packing.pack(Data.of(items, offset, count, datatype.layout), bytes, 0);
                Packing.unpack(bytes, 0, together);
                write(buffer, together, 0, elements);
            }
            return buffer.position();
        } catch (BufferException e) {
            throw MPIException.of(e);
        }
    }

    static int read(Buffer buffer, Object items, int offset, int count, Datatype datatype) {
        datatype.check(items, count);
        checkBuffer(buffer);
        try {
            if (buffer.getSectionHeader() != datatype.bufferType) {
                throw new MPIException("the next section of the buffer isn't of " + datatype
                        + ": sections are unpacked in the order and with the types that they were packed with");
            }
            int elements = buffer.getSectionSize();
            if (elements > (long) count * datatype.size) {
                throw new MPIException("the section has " + elements + " elements, and " + count + " items of "
                        + datatype.size + " are unpacked: give a larger count");
            }
            if (datatype.isObject()) {
                Object[] values = new Object[elements];
                buffer.read(values, 0, elements);
                datatype.put(values, items, offset, count);
            } else if (datatype.layout == null || datatype.layout.isContiguous()) {
                read(buffer, items, offset, elements);
            } else {
                int whole = elements / datatype.size;
                Object together = together(datatype, whole * datatype.size);
                read(buffer, together, 0, whole * datatype.size);
                byte[] bytes = new byte[whole * datatype.byteSize];
                Packing.pack(together, bytes, 0);
                Packing.unpack(bytes, 0, Data.of(items, offset, whole, datatype.layout));
            }
            return buffer.position();
        } catch (BufferException e) {
            throw MPIException.of(e);
        }
    }

    private static void checkBuffer(Buffer buffer) {
        if (buffer == null) {
            throw new MPIException("the mpjbuf.Buffer is null: new mpjbuf.Buffer(bytes) makes one");
        }
    }

    private static Object together(Datatype datatype, int elements) {
        return datatype.layout.element().array(elements);
    }

    private static void write(Buffer buffer, Object array, int from, int count) throws BufferException {
        if (array instanceof double[]) {
            buffer.write((double[]) array, from, count);
        } else if (array instanceof int[]) {
            buffer.write((int[]) array, from, count);
        } else if (array instanceof long[]) {
            buffer.write((long[]) array, from, count);
        } else if (array instanceof float[]) {
            buffer.write((float[]) array, from, count);
        } else if (array instanceof byte[]) {
            buffer.write((byte[]) array, from, count);
        } else if (array instanceof char[]) {
            buffer.write((char[]) array, from, count);
        } else if (array instanceof short[]) {
            buffer.write((short[]) array, from, count);
        } else if (array instanceof boolean[]) {
            buffer.write((boolean[]) array, from, count);
        }
    }

    private static void read(Buffer buffer, Object array, int to, int count) throws BufferException {
        if (array instanceof double[]) {
            buffer.read((double[]) array, to, count);
        } else if (array instanceof int[]) {
            buffer.read((int[]) array, to, count);
        } else if (array instanceof long[]) {
            buffer.read((long[]) array, to, count);
        } else if (array instanceof float[]) {
            buffer.read((float[]) array, to, count);
        } else if (array instanceof byte[]) {
            buffer.read((byte[]) array, to, count);
        } else if (array instanceof char[]) {
            buffer.read((char[]) array, to, count);
        } else if (array instanceof short[]) {
            buffer.read((short[]) array, to, count);
        } else if (array instanceof boolean[]) {
            buffer.read((boolean[]) array, to, count);
        }
    }
}
