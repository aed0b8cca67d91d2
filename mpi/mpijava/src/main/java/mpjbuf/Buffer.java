package mpjbuf;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Sections of elements, each of one type, one behind the other: primitives in the static part, objects in the dynamic
 * one. Written from the first on, committed, and read in the same order.
 *
 * <p>A section begins at a multiple of 8 bytes, with 8 bytes of its own. Bytes are in this machine's order.
 *
 * <p><i>Thread</i>: one at a time. <i>Fails</i>: {@link BufferException} for what there is no room for, for another
 * type than the section's, and for reads beyond it.
 */
public class Buffer {
    public static final int SECTION_OVERHEAD = 8;
    public static final int ALIGNMENT_UNIT = 8;

    private static final int COUNT_AT = 4;

    private RawBuffer staticBuffer;
    private ByteBuffer memory;
    private int offset;
    private int capacity;

    private boolean isFreed;
    private boolean isWritable = true;
    private Type section;
    private int sectionAt;
    private int sectionSize;
    private int size;
    private int readAt;
    private int remaining;

    private ByteArrayOutputStream written;
    private byte[] dynamic;
    private int dynamicAt;
    /** Of the section that is being read. */
    private Object[] objects;

    protected Buffer() {}

    /** @param capacity of the static part, in bytes */
    public Buffer(int capacity) {
        this(BufferFactory.create(capacity), 0, capacity);
    }

    /** @param offset bytes that are left alone in front */
    public Buffer(RawBuffer buffer, int offset, int capacity) {
        this.offset = offset;
        this.capacity = capacity;
        setStaticBuffer(buffer);
    }

    // --- what it is made of ------------------------------------------------------------------------------------------

    public int offset() {
        return offset;
    }

    public RawBuffer getStaticBuffer() {
        return staticBuffer;
    }

    public void setStaticBuffer(RawBuffer buffer) {
        if (!(buffer instanceof NIOBuffer)) {
            throw new IllegalArgumentException("a Buffer's memory is of BufferFactory.create, or a NIOBuffer, not "
                    + (buffer == null ? "null" : buffer.getClass().getName()));
        }
        staticBuffer = buffer;
        memory = ((NIOBuffer) buffer).getBuffer().duplicate().clear().order(ByteOrder.nativeOrder());
    }

    public ByteOrder getEncoding() {
        return ByteOrder.nativeOrder();
    }

    /** Bytes used of the static part. */
    public int getSize() {
        return size;
    }

    public void setSize(int newSize) {
        size = newSize;
    }

    public int getCapacity() {
        return capacity;
    }

    /** Null where no object was written, or before it is committed. */
    public byte[] getDynamicBuffer() {
        return dynamic;
    }

    public void setDynamicBuffer(byte[] newDynamic) {
        dynamic = newDynamic;
    }

    public boolean isWritable() {
        return isWritable;
    }

    private int room() {
        return staticBuffer.getCapacity() - offset;
    }

    // --- its states --------------------------------------------------------------------------------------------------

    /** It is used no more. */
    public void free() {
        isFreed = true;
        dynamic = null;
        written = null;
    }

    /** From writing to reading, from the first section on. */
    public void commit() throws BufferException {
        refuseFreed();
        endSection();
        if (written != null) {
            dynamic = written.toByteArray();
            written = null;
        }
        section = null;
        readAt = 0;
        remaining = 0;
        dynamicAt = 0;
        isWritable = false;
    }

    /** Empties it for writing. */
    public void clear() throws BufferException {
        refuseFreed();
        section = null;
        size = 0;
        dynamic = null;
        written = null;
        isWritable = true;
    }

    private void refuseFreed() throws BufferException {
        if (isFreed) {
            throw new BufferException("the buffer was freed: make another");
        }
    }

    private void refuseReading() throws BufferException {
        refuseFreed();
        if (!isWritable) {
            throw new BufferException("the buffer is being read: clear() has it be written again");
        }
    }

    private void refuseWriting() throws BufferException {
        refuseFreed();
        if (isWritable) {
            throw new BufferException("the buffer is being written: commit() has it be read");
        }
    }

    // --- sections ----------------------------------------------------------------------------------------------------

    private static int aligned(int position) {
        return (position + ALIGNMENT_UNIT - 1) & -ALIGNMENT_UNIT;
    }

    private void endSection() {
        if (section != null && isWritable) {
            memory.putInt(offset + sectionAt + COUNT_AT, sectionSize);
        }
    }

    /** Begins a section to write. */
    public void putSectionHeader(Type type) throws BufferException {
        refuseReading();
        endSection();
        int begin = aligned(size);
        if (begin + SECTION_OVERHEAD > room()) {
            throw noRoom(SECTION_OVERHEAD, begin);
        }
        memory.put(offset + begin, (byte) type.getCode());
        section = type;
        sectionAt = begin;
        sectionSize = 0;
        size = begin + SECTION_OVERHEAD;
    }

    private BufferException noRoom(int bytes, int at) {
        return new BufferException(bytes + " bytes have no room at position " + at + " of a buffer of " + room()
                + " bytes: give it more (Comm.Pack_size says how many)");
    }

    /** Begins to read the next section, and tells its type. */
    public Type getSectionHeader() throws BufferException {
        refuseWriting();
        if (remaining != 0) {
            throw new BufferException(remaining + " elements of the section before are left to be read");
        }
        int begin = aligned(readAt);
        if (begin + SECTION_OVERHEAD > size) {
            throw new BufferException("no section is left to be read: the buffer has " + size + " bytes, all read");
        }
        section = Type.getType(memory.get(offset + begin));
        sectionSize = memory.getInt(offset + begin + COUNT_AT);
        remaining = sectionSize;
        readAt = begin + SECTION_OVERHEAD;
        objects = null;
        return section;
    }

    /** Elements of the section. */
    public int getSectionSize() throws BufferException {
        refuseFreed();
        if (section == null) {
            throw new BufferException("no section was begun: getSectionHeader or putSectionHeader do");
        }
        return sectionSize;
    }

    /** Elements of the section that are left to be read. */
    public int getRemaining() throws BufferException {
        refuseWriting();
        return remaining;
    }

    private void checkSection(Type type, int length, int from, int count) throws BufferException {
        if (section != type) {
            throw new BufferException("the section has another type than the array's elements");
        }
        if (from < 0 || count < 0 || count > length - from) {
            throw new BufferException(
                    count + " elements from " + from + " on are outside of an array of " + length + " elements");
        }
    }

    /** Where the elements go. */
    private ByteBuffer toWrite(Type type, int length, int from, int count) throws BufferException {
        refuseReading();
        checkSection(type, length, from, count);
        long bytes = (long) count * type.bytes();
        if (bytes > room() - size) {
            throw noRoom((int) Math.min(bytes, Integer.MAX_VALUE), size);
        }
        ByteBuffer at = at(size);
        size += (int) bytes;
        sectionSize += count;
        return at;
    }

    /** Where they come from. */
    private ByteBuffer toRead(Type type, int length, int to, int count) throws BufferException {
        refuseWriting();
        checkSection(type, length, to, count);
        if (count > remaining) {
            throw new BufferException("the section has " + remaining + " elements left, and " + count + " are read");
        }
        ByteBuffer at = at(readAt);
        readAt += count * type.bytes();
        remaining -= count;
        return at;
    }

    private ByteBuffer at(int position) {
        return memory.duplicate().order(ByteOrder.nativeOrder()).position(offset + position);
    }

    // --- elements ----------------------------------------------------------------------------------------------------

    public void write(byte[] source, int from, int count) throws BufferException {
        toWrite(Type.BYTE, source.length, from, count).put(source, from, count);
    }

    public void write(short[] source, int from, int count) throws BufferException {
        toWrite(Type.SHORT, source.length, from, count).asShortBuffer().put(source, from, count);
    }

    public void write(int[] source, int from, int count) throws BufferException {
        toWrite(Type.INT, source.length, from, count).asIntBuffer().put(source, from, count);
    }

    public void write(long[] source, int from, int count) throws BufferException {
        toWrite(Type.LONG, source.length, from, count).asLongBuffer().put(source, from, count);
    }

    public void write(char[] source, int from, int count) throws BufferException {
        toWrite(Type.CHAR, source.length, from, count).asCharBuffer().put(source, from, count);
    }

    public void write(float[] source, int from, int count) throws BufferException {
        toWrite(Type.FLOAT, source.length, from, count).asFloatBuffer().put(source, from, count);
    }

    public void write(double[] source, int from, int count) throws BufferException {
        toWrite(Type.DOUBLE, source.length, from, count).asDoubleBuffer().put(source, from, count);
    }

    public void write(boolean[] source, int from, int count) throws BufferException {
        ByteBuffer to = toWrite(Type.BOOLEAN, source.length, from, count);
        for (int i = from; i < from + count; i++) {
            to.put((byte) (source[i] ? 1 : 0));
        }
    }

    /** All objects of a section are written at once. */
    public void write(Object[] source, int from, int count) throws BufferException {
        toWrite(Type.OBJECT, source.length, from, count);
        if (sectionSize != count) {
            throw new BufferException("objects were written to this section before: begin another");
        }
        Object[] values = new Object[count];
        System.arraycopy(source, from, values, 0, count);
        try {
            byte[] bytes = ObjectSections.codec().encode(values);
            written = written == null ? new ByteArrayOutputStream() : written;
            written.write(
                    ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
            written.write(bytes);
        } catch (IOException e) {
            throw new BufferException("objects can't be written: " + e, e);
        }
    }

    public void read(byte[] into, int to, int count) throws BufferException {
        toRead(Type.BYTE, into.length, to, count).get(into, to, count);
    }

    public void read(short[] into, int to, int count) throws BufferException {
        toRead(Type.SHORT, into.length, to, count).asShortBuffer().get(into, to, count);
    }

    public void read(int[] into, int to, int count) throws BufferException {
        toRead(Type.INT, into.length, to, count).asIntBuffer().get(into, to, count);
    }

    public void read(long[] into, int to, int count) throws BufferException {
        toRead(Type.LONG, into.length, to, count).asLongBuffer().get(into, to, count);
    }

    public void read(char[] into, int to, int count) throws BufferException {
        toRead(Type.CHAR, into.length, to, count).asCharBuffer().get(into, to, count);
    }

    public void read(float[] into, int to, int count) throws BufferException {
        toRead(Type.FLOAT, into.length, to, count).asFloatBuffer().get(into, to, count);
    }

    public void read(double[] into, int to, int count) throws BufferException {
        toRead(Type.DOUBLE, into.length, to, count).asDoubleBuffer().get(into, to, count);
    }

    public void read(boolean[] into, int to, int count) throws BufferException {
        ByteBuffer from = toRead(Type.BOOLEAN, into.length, to, count);
        for (int i = to; i < to + count; i++) {
            into[i] = from.get() != 0;
        }
    }

    public void read(Object[] into, int to, int count) throws BufferException {
        int first = sectionSize - remaining;
        toRead(Type.OBJECT, into.length, to, count);
        if (objects == null) {
            objects = nextObjects();
        }
        System.arraycopy(objects, first, into, to, count);
    }

    private Object[] nextObjects() throws BufferException {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(dynamic);
            int length = bytes.getInt(dynamicAt);
            int begin = dynamicAt + Integer.BYTES;
            dynamicAt = begin + length;
            return (Object[]) ObjectSections.codec().decode(bytes.slice(begin, length));
        } catch (IOException | RuntimeException e) {
            throw new BufferException("objects can't be read: " + e, e);
        }
    }

    /** For {@code mpi}: where the next section begins, but for alignment. */
    public int position() {
        return isWritable ? size : readAt;
    }

    // --- messages ----------------------------------------------------------------------------------------------------

    /** For {@code mpi}: commits, and tells both parts as the bytes of one message. */
    public byte[] message() throws BufferException {
        commit();
        int more = dynamic == null ? 0 : dynamic.length;
        byte[] message = new byte[Integer.BYTES + size + more];
        ByteBuffer.wrap(message).putInt(size);
        memory.get(offset, message, Integer.BYTES, size);
        if (more > 0) {
            System.arraycopy(dynamic, 0, message, Integer.BYTES + size, more);
        }
        return message;
    }

    /** For {@code mpi}: takes the place of what it had, to be read. */
    public void take(byte[] message) throws BufferException {
        refuseFreed();
        int staticBytes =
                message.length < Integer.BYTES ? -1 : ByteBuffer.wrap(message).getInt();
        int more = message.length - Integer.BYTES - staticBytes;
        if (staticBytes < 0 || more < 0) {
            throw new BufferException("a message of " + message.length + " bytes that wasn't sent with MPI.PACKED");
        }
        if (staticBytes > room()) {
            throw new BufferException("a message of " + staticBytes + " packed bytes, and the buffer has " + room());
        }
        clear();
        memory.put(offset, message, Integer.BYTES, staticBytes);
        size = staticBytes;
        dynamic = more == 0 ? null : java.util.Arrays.copyOfRange(message, Integer.BYTES + staticBytes, message.length);
        commit();
    }
}
