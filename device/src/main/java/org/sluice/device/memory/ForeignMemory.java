package org.sluice.device.memory;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * What {@link Memory} does where it may not have {@code sun.misc.Unsafe}: the same by {@code java.lang.foreign}, which
 * came with Java 22. It is named by reflection alone, and once, as a build with JDK 17 knows no such package; what is
 * found are constants to both compilers.
 *
 * <p>An address in an array counts from its element 0. Its methods are called where Unsafe is refused, else this class
 * isn't loaded. <i>Thread</i>: any. <i>Fails</i>: as Memory. <i>Proof</i>: {@code ForeignMemoryTest};
 * docs/project/adr/0060-raw-memory-without-unsafe.md.
 */
final class ForeignMemory {
    private static final Foreign FOREIGN = new Foreign(MethodHandles.lookup());
    private static final MethodHandle OF_BYTES = FOREIGN.ofArray(byte[].class);
    private static final MethodHandle OF_SHORTS = FOREIGN.ofArray(short[].class);
    private static final MethodHandle OF_CHARS = FOREIGN.ofArray(char[].class);
    private static final MethodHandle OF_INTS = FOREIGN.ofArray(int[].class);
    private static final MethodHandle OF_LONGS = FOREIGN.ofArray(long[].class);
    private static final MethodHandle OF_FLOATS = FOREIGN.ofArray(float[].class);
    private static final MethodHandle OF_DOUBLES = FOREIGN.ofArray(double[].class);
    private static final MethodHandle SEGMENT_OF = segmentOf();

    /** By absolute address. The first four take any, the last two multiples of their size. */
    private static final VarHandle BYTE = FOREIGN.absolute("JAVA_BYTE");

    private static final VarHandle SHORT = FOREIGN.absolute("JAVA_SHORT_UNALIGNED");
    private static final VarHandle INT = FOREIGN.absolute("JAVA_INT_UNALIGNED");
    private static final VarHandle LONG = FOREIGN.absolute("JAVA_LONG_UNALIGNED");
    private static final VarHandle ORDERED_INT = FOREIGN.absolute("JAVA_INT");
    private static final VarHandle ORDERED_LONG = FOREIGN.absolute("JAVA_LONG");

    /** In byte arrays, by any index. */
    private static final VarHandle SHORT_OF_BYTES =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.nativeOrder());

    private static final VarHandle INT_OF_BYTES =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final VarHandle LONG_OF_BYTES =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    /** In what {@link #segment} takes, by byte offset. */
    private static final VarHandle ANY_BYTE = FOREIGN.filtered("JAVA_BYTE", SEGMENT_OF);

    private static final VarHandle ANY_SHORT = FOREIGN.filtered("JAVA_SHORT_UNALIGNED", SEGMENT_OF);
    private static final VarHandle ANY_INT = FOREIGN.filtered("JAVA_INT_UNALIGNED", SEGMENT_OF);
    private static final VarHandle ANY_LONG = FOREIGN.filtered("JAVA_LONG_UNALIGNED", SEGMENT_OF);

    private static final MethodHandle COPY = FOREIGN.copy();
    private static final MethodHandle COPY_OUT = FOREIGN.copyToBytes();
    private static final MethodHandle COPY_IN = FOREIGN.copyFromBytes();
    private static final MethodHandle COPY_ANY = FOREIGN.copyFiltered(SEGMENT_OF);
    private static final MethodHandle FILL = FOREIGN.fill();

    private static final int SMALL_COPY_LIMIT = 64;

    private ForeignMemory() {}

    private static MethodHandle segmentOf() {
        try {
            return MethodHandles.lookup()
                    .findStatic(ForeignMemory.class, "segment", MethodType.methodType(Object.class, Object.class));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What the compilers see through, so that as a rule there is no such object. */
    private static Object segment(Object base) throws Throwable {
        if (base == null) {
            return FOREIGN.all();
        }
        if (base instanceof byte[]) {
            return (Object) OF_BYTES.invokeExact((byte[]) base);
        }
        if (base instanceof double[]) {
            return (Object) OF_DOUBLES.invokeExact((double[]) base);
        }
        if (base instanceof long[]) {
            return (Object) OF_LONGS.invokeExact((long[]) base);
        }
        if (base instanceof int[]) {
            return (Object) OF_INTS.invokeExact((int[]) base);
        }
        if (base instanceof float[]) {
            return (Object) OF_FLOATS.invokeExact((float[]) base);
        }
        if (base instanceof char[]) {
            return (Object) OF_CHARS.invokeExact((char[]) base);
        }
        return (Object) OF_SHORTS.invokeExact((short[]) base);
    }

    static byte getByte(long address) {
        return (byte) BYTE.get(address);
    }

    static void putByte(long address, byte value) {
        BYTE.set(address, value);
    }

    static short getShort(long address) {
        return (short) SHORT.get(address);
    }

    static void putShort(long address, short value) {
        SHORT.set(address, value);
    }

    static int getInt(long address) {
        return (int) INT.get(address);
    }

    static void putInt(long address, int value) {
        INT.set(address, value);
    }

    static long getLong(long address) {
        return (long) LONG.get(address);
    }

    static void putLong(long address, long value) {
        LONG.set(address, value);
    }

    static byte getByte(Object base, long address) {
        if (base == null) {
            return (byte) BYTE.get(address);
        }
        if (base instanceof byte[]) {
            return ((byte[]) base)[(int) address];
        }
        return base instanceof boolean[]
                ? BooleanBytes.get((boolean[]) base, address)
                : (byte) ANY_BYTE.get(base, address);
    }

    static short getShort(Object base, long address) {
        if (base == null) {
            return (short) SHORT.get(address);
        }
        if (base instanceof byte[]) {
            return (short) SHORT_OF_BYTES.get((byte[]) base, (int) address);
        }
        return base instanceof boolean[]
                ? getShort(BooleanBytes.copy((boolean[]) base, address, Short.BYTES), 0)
                : (short) ANY_SHORT.get(base, address);
    }

    static int getInt(Object base, long address) {
        if (base == null) {
            return (int) INT.get(address);
        }
        if (base instanceof byte[]) {
            return (int) INT_OF_BYTES.get((byte[]) base, (int) address);
        }
        return base instanceof boolean[]
                ? getInt(BooleanBytes.copy((boolean[]) base, address, Integer.BYTES), 0)
                : (int) ANY_INT.get(base, address);
    }

    static long getLong(Object base, long address) {
        if (base == null) {
            return (long) LONG.get(address);
        }
        if (base instanceof byte[]) {
            return (long) LONG_OF_BYTES.get((byte[]) base, (int) address);
        }
        return base instanceof boolean[]
                ? getLong(BooleanBytes.copy((boolean[]) base, address, Long.BYTES), 0)
                : (long) ANY_LONG.get(base, address);
    }

    static void putLong(Object base, long address, long value) {
        if (base == null) {
            LONG.set(address, value);
        } else if (base instanceof byte[]) {
            LONG_OF_BYTES.set((byte[]) base, (int) address, value);
        } else if (base instanceof boolean[]) {
            byte[] bytes = new byte[Long.BYTES];
            LONG_OF_BYTES.set(bytes, 0, value);
            BooleanBytes.put(bytes, (boolean[]) base, address);
        } else {
            ANY_LONG.set(base, address, value);
        }
    }

    static int getIntVolatile(long address) {
        return (int) ORDERED_INT.getVolatile(address);
    }

    static void putIntVolatile(long address, int value) {
        ORDERED_INT.setVolatile(address, value);
    }

    static long getLongVolatile(long address) {
        return (long) ORDERED_LONG.getVolatile(address);
    }

    static void putLongVolatile(long address, long value) {
        ORDERED_LONG.setVolatile(address, value);
    }

    static void putLongRelease(long address, long value) {
        ORDERED_LONG.setRelease(address, value);
    }

    static void putIntRelease(long address, int value) {
        ORDERED_INT.setRelease(address, value);
    }

    static int getAndAddInt(long address, int delta) {
        return (int) ORDERED_INT.getAndAdd(address, delta);
    }

    static boolean compareAndSetLong(long address, long expected, long value) {
        return ORDERED_LONG.compareAndSet(address, expected, value);
    }

    static void setZero(long address, long bytes) {
        try {
            FILL.invokeExact(address, bytes);
        } catch (Throwable e) {
            throw asThrown(e);
        }
    }

    static void copy(Object fromBase, long from, Object toBase, long to, long bytes) {
        if (fromBase == null && toBase instanceof byte[]) {
            copyOut(from, (byte[]) toBase, (int) to, (int) bytes);
        } else if (toBase == null && fromBase instanceof byte[]) {
            copyIn((byte[]) fromBase, (int) from, to, (int) bytes);
        } else if (fromBase instanceof byte[] && toBase instanceof byte[]) {
            System.arraycopy(fromBase, (int) from, toBase, (int) to, (int) bytes);
        } else if (fromBase instanceof boolean[]) {
            copy(BooleanBytes.copy((boolean[]) fromBase, from, (int) bytes), 0, toBase, to, bytes);
        } else if (toBase instanceof boolean[]) {
            byte[] piece = new byte[(int) bytes];
            copy(fromBase, from, piece, 0, bytes);
            BooleanBytes.put(piece, (boolean[]) toBase, to);
        } else {
            copyOther(fromBase, from, toBase, to, bytes);
        }
    }

    private static void copyOther(Object fromBase, long from, Object toBase, long to, long bytes) {
        try {
            if (fromBase == null && toBase == null) {
                COPY.invokeExact(from, to, bytes);
            } else {
                COPY_ANY.invokeExact(fromBase, from, toBase, to, bytes);
            }
        } catch (Throwable e) {
            throw asThrown(e);
        }
    }

    /** Of one byte too by the JDK's copy, as it is to find pages that are gone: see {@link Memory#touch}. */
    private static void copyOut(long from, byte[] to, int at, int bytes) {
        if (bytes <= SMALL_COPY_LIMIT && bytes >= Long.BYTES) {
            int last = bytes - Long.BYTES;
            for (int done = 0; done < last; done += Long.BYTES) {
                LONG_OF_BYTES.set(to, at + done, (long) LONG.get(from + done));
            }
            LONG_OF_BYTES.set(to, at + last, (long) LONG.get(from + last));
            return;
        }
        try {
            COPY_OUT.invokeExact(from, (Object) to, at, bytes);
        } catch (Throwable e) {
            throw asThrown(e);
        }
    }

    private static void copyIn(byte[] from, int at, long to, int bytes) {
        if (bytes <= SMALL_COPY_LIMIT && bytes >= Long.BYTES) {
            int last = bytes - Long.BYTES;
            for (int done = 0; done < last; done += Long.BYTES) {
                LONG.set(to + done, (long) LONG_OF_BYTES.get(from, at + done));
            }
            LONG.set(to + last, (long) LONG_OF_BYTES.get(from, at + last));
            return;
        }
        try {
            COPY_IN.invokeExact((Object) from, at, to, bytes);
        } catch (Throwable e) {
            throw asThrown(e);
        }
    }

    /** None of the methods called here declares a checked exception. */
    static RuntimeException asThrown(Throwable thrown) {
        if (thrown instanceof Error) {
            throw (Error) thrown;
        }
        if (thrown instanceof RuntimeException) {
            throw (RuntimeException) thrown;
        }
        throw new IllegalStateException(thrown);
    }

    static long allocate(long bytes) {
        try {
            long address = (long) Heap.MALLOC.invokeExact(bytes);
            if (address == 0 && bytes != 0) {
                throw new OutOfMemoryError("malloc of " + bytes + " bytes");
            }
            return address;
        } catch (Throwable e) {
            throw asThrown(e);
        }
    }

    static void free(long address) {
        try {
            Heap.FREE.invokeExact(address);
        } catch (Throwable e) {
            throw asThrown(e);
        }
    }

    /**
     * The C library's, since what the JDK allocates counts against its limit of direct memory. Apart, as to find them
     * takes the JDK some time.
     */
    private static final class Heap {
        static final MethodHandle MALLOC = FOREIGN.function("malloc", long.class);
        static final MethodHandle FREE = FOREIGN.function("free", void.class);
    }

    /** The one kind of array that no segment is made of. Of an array as it is: 1 for true. */
    private static final class BooleanBytes {
        static byte get(boolean[] from, long at) {
            return (byte) (from[(int) at] ? 1 : 0);
        }

        static byte[] copy(boolean[] from, long at, int bytes) {
            byte[] copy = new byte[bytes];
            for (int i = 0; i < bytes; i++) {
                copy[i] = get(from, at + i);
            }
            return copy;
        }

        static void put(byte[] from, boolean[] to, long at) {
            for (int i = 0; i < from.length; i++) {
                to[(int) at + i] = from[i] != 0;
            }
        }
    }
}
