package org.sluice.mpi;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;

/**
 * Java's serialization behind an {@link ObjectFilter}; classes are looked for where the program's are. Of a program of
 * the class path an array of objects is written as its items, without the array: as much to read and write as a small
 * object. <i>Thread</i>: any.
 */
final class SerialCodec implements Codec<Object> {
    /** A small object behind a large one shall not need as much memory. */
    private static final int MOST_GUESSED = 64 << 10;
    /** What may stand behind the stream's head: data, and so the number of items, or one object. */
    private static final int KIND_AT = 2 * Short.BYTES;

    private final Class<?> program;
    private final boolean isOfClassPath;
    private final ObjectInputFilter more;
    private final Set<String> ownLimits;
    /** By name, of the program's loader: to ask it takes longer than to read a small object. */
    private final Map<String, Class<?>> classes = new ConcurrentHashMap<>();
    /** Of the last object: the next one is often as long, and needs neither a larger array nor a copy then. */
    private volatile int lastBytes = Long.BYTES;

    /** @param isOfClassPath whether all classes of the program's loader are its own, in whatever jar */
    SerialCodec(Options options, Class<?> program, boolean isOfClassPath) {
        this.program = program;
        this.isOfClassPath = isOfClassPath;
        String pattern = options.text(Option.MPI_OBJECTS);
        // Most programs have none: to make a filter of nothing takes milliseconds in a young JVM.
        this.more = pattern.isEmpty() ? null : ObjectFilter.parse(pattern);
        this.ownLimits = pattern.isEmpty() ? Set.of() : ObjectFilter.limits(pattern);
    }

    @Override
    public byte[] encode(Object value) throws IOException {
        Written written = new Written(lastBytes);
        try (ObjectOutputStream out = new ObjectOutputStream(written)) {
            if (isOfClassPath && value != null && value.getClass() == Object[].class) {
                Object[] items = (Object[]) value;
                out.writeInt(items.length);
                for (Object item : items) {
                    out.writeObject(item);
                }
            } else {
                out.writeObject(value);
            }
        }
        byte[] bytes = written.bytes();
        lastBytes = Math.min(bytes.length, MOST_GUESSED);
        return bytes;
    }

    @Override
    public Object decode(ByteBuffer bytes) throws IOException {
        // An error of memory that was lost before is thrown here, and not taken for one of these bytes.
        Memory.settle();
        ObjectFilter filter = new ObjectFilter(program, isOfClassPath, more, ownLimits, bytes.remaining());
        InputStream in =
                new ByteArrayInputStream(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
        try (Reader reader = new Reader(in, filter)) {
            Object value =
                    isOfClassPath && isOfItems(bytes) ? reader.items(bytes.remaining(), filter) : reader.readObject();
            if (in.available() > 0) {
                throw new StreamCorruptedException(in.available() + " bytes follow the object");
            }
            return value;
        } catch (ClassNotFoundException e) {
            throw new IOException(e.getMessage() + ", a class that this rank doesn't have", e);
        } catch (InvalidClassException e) {
            throw filter.refused() == null ? e : new IOException("one of " + filter.refused(), e);
        } catch (LinkageError | VirtualMachineError e) {
            // The JDK's classes take some bytes for mistakes of their own, as of a map with a key and no value.
            throw new IOException(e.toString(), e);
        }
    }

    private static final class Written extends ByteArrayOutputStream {
        Written(int bytes) {
            super(bytes);
        }

        byte[] bytes() {
            return count == buf.length ? buf : toByteArray();
        }
    }

    private static boolean isOfItems(ByteBuffer bytes) {
        return bytes.remaining() > KIND_AT
                && bytes.get(bytes.position() + KIND_AT) == ObjectStreamConstants.TC_BLOCKDATA;
    }

    private final class Reader extends ObjectInputStream {
        Reader(InputStream in, ObjectFilter filter) throws IOException {
            super(in);
            setObjectInputFilter(filter);
        }

        /** @param most each of them takes a byte at least */
        Object[] items(int most, ObjectFilter filter) throws IOException, ClassNotFoundException {
            int count = readInt();
            if (count < 0 || count > most) {
                throw new StreamCorruptedException(count + " objects in " + most + " bytes");
            }
            if (!filter.allowsItems(count)) {
                throw new InvalidClassException("too many items");
            }
            Object[] items = new Object[count];
            for (int i = 0; i < count; i++) {
                items[i] = readObject();
            }
            return items;
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass type) throws IOException, ClassNotFoundException {
            Class<?> known = classes.get(type.getName());
            return known != null ? known : found(type);
        }

        private Class<?> found(ObjectStreamClass type) throws IOException, ClassNotFoundException {
            try {
                Class<?> found = Class.forName(type.getName(), false, program.getClassLoader());
                classes.put(type.getName(), found);
                return found;
            } catch (ClassNotFoundException e) {
                // Primitives, which a loader doesn't know.
                return super.resolveClass(type);
            }
        }

        @Override
        protected Class<?> resolveProxyClass(String[] interfaces) throws IOException {
            throw new InvalidClassException("a proxy of " + String.join(", ", interfaces) + ", and none is taken");
        }
    }
}
