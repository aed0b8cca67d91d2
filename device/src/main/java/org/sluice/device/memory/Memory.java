package org.sluice.device.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import org.sluice.device.option.Option;
import sun.misc.Unsafe;

/**
 * The only class that touches raw memory; the order of an access ends its name.
 *
 * <p><i>Thread</i>: any. <i>Fails</i>: an address that was never checked crashes the process, so callers check whatever
 * came from outside first; a page that a peer took away (a truncated segment) shows as {@link InternalError} where the
 * JDK mapped it, and as zeros where the native library did.
 *
 * <p>An address is either absolute ({@code base == null}) or a byte offset into a primitive array ({@code base} is the
 * array and the offset counts from the object's start, see {@link #ARRAY_OFFSET}). {@code sun.misc.Unsafe} is used
 * because it is the only way on JDK 17 to reach memory above 2 GB and to copy between any two of array, direct buffer
 * and mapping with one call; see docs/project/adr/0002-raw-memory.md. A JVM that refuses it has {@link ForeignMemory}
 * (docs/project/adr/0060-raw-memory-without-unsafe.md); each choice between the two is one of a constant, and costs
 * nothing.
 */
public final class Memory {
    private static final Unsafe UNSAFE = unsafe();

    /**
     * Offset of element 0 in a primitive array of any type: HotSpot uses one value for all types up to 8-byte
     * alignment.
     */
    public static final long ARRAY_OFFSET = arrayOffset();

    /** Bytes of a cache line, and of the pair of lines that the adjacent-line prefetcher moves together. */
    public static final int CACHE_LINE = 64;

    public static final int FALSE_SHARING = 128;

    /** Without Unsafe no copy is short here. */
    private static final long SMALL_COPY_LIMIT = UNSAFE == null ? -1 : 64;

    private static final long BUFFER_ADDRESS = fieldOffset(Buffer.class, "address");
    private static final long BUFFER_CAPACITY = fieldOffset(Buffer.class, "capacity");
    private static final long BUFFER_SEGMENT = fieldOffset(Buffer.class, "segment");
    private static final long HEAP_ARRAY = fieldOffset(ByteBuffer.class, "hb");
    private static final ByteBuffer EMPTY_DIRECT = ByteBuffer.allocateDirect(0);
    private static final long ATTACHMENT = fieldOffset(EMPTY_DIRECT.getClass(), "att");
    private static final long CLEANER = fieldOffset(EMPTY_DIRECT.getClass(), "cleaner");
    private static final long FILE = fieldOffset(MappedByteBuffer.class, "fd");
    /**
     * By the class of a buffer of elements longer than a byte: where it has what its memory is of; -1 for one over an
     * array.
     */
    private static final ClassValue<Long> UNDER = new ClassValue<>() {
        @Override
        protected Long computeValue(Class<?> type) {
            for (Class<?> each = type; each != null; each = each.getSuperclass()) {
                for (Field field : each.getDeclaredFields()) {
                    if (field.getName().equals("att") || field.getName().equals("bb")) {
                        return fieldOffset(each, field.getName());
                    }
                }
            }
            return -1L;
        }
    };

    /** Not a constant to the compilers, so that they leave the call in {@link #settle} alone. */
    private static final int[] ONE = {1};

    private Memory() {}

    /**
     * Throws the {@link InternalError} of a page that was gone when this thread touched it. HotSpot keeps the error
     * until the thread comes back from its runtime; JDK 17 lets native methods pass, but an array of arrays is made
     * there. Some 50 to 100 ns.
     */
    public static void settle() {
        if (new byte[ONE[0]][ONE[0]].length != 1) {
            throw new IllegalStateException("an array of another length than was asked for");
        }
    }

    /**
     * Whether this is {@code sun.misc.Unsafe}, and not {@code java.lang.foreign}. For the whole JVM, from its beginning
     * on.
     */
    public static boolean isUnsafe() {
        return UNSAFE != null;
    }

    /** Null where it is refused, and so much of it that Sluice needs: then the other way is taken, if there is one. */
    private static Unsafe unsafe() {
        if ("off".equals(setting())) {
            return withoutUnsafe(Option.UNSAFE.property() + " is off", null);
        }
        try {
            Field field = Unsafe.class.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            Unsafe found = (Unsafe) field.get(null);
            fieldOffset(found, Buffer.class, "address");
            return found;
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            return withoutUnsafe("this JVM refuses sun.misc.Unsafe (" + e + ")", e);
        }
    }

    private static String setting() {
        String property = System.getProperty(Option.UNSAFE.property());
        return property != null ? property.trim() : System.getenv(Option.UNSAFE.environmentVariable());
    }

    /** @return null, where there is the other way */
    private static Unsafe withoutUnsafe(String why, Throwable cause) {
        try {
            MethodHandles.lookup().ensureInitialized(ForeignMemory.class);
            return null;
        } catch (ReflectiveOperationException | LinkageError e) {
            Throwable other = e.getCause() == null ? e : e.getCause();
            IllegalStateException neither = new IllegalStateException(
                    "there is no way to raw memory: " + why + ", and " + other.getMessage()
                            + ". Run Sluice on an OpenJDK-based JDK from 17 on that allows sun.misc.Unsafe (module"
                            + " jdk.unsupported, --sun-misc-unsafe-memory-access=allow), or on one from 22 on",
                    other);
            if (cause != null) {
                neither.addSuppressed(cause);
            }
            throw neither;
        }
    }

    @SuppressWarnings("deprecation")
    private static long fieldOffset(Unsafe unsafe, Class<?> type, String name) throws NoSuchFieldException {
        return unsafe.objectFieldOffset(type.getDeclaredField(name));
    }

    private static long fieldOffset(Class<?> type, String name) {
        try {
            return UNSAFE == null ? 0 : fieldOffset(UNSAFE, type, name);
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new IllegalStateException(
                    "this JVM's " + type.getName() + " has no field " + name
                            + ": run Sluice on an OpenJDK-based JDK from 17 on, or set " + Option.UNSAFE.property()
                            + "=off on one from 22 on",
                    e);
        }
    }

    private static long arrayOffset() {
        if (UNSAFE == null) {
            return 0;
        }
        long offset = Unsafe.ARRAY_BYTE_BASE_OFFSET;
        long[] others = {
            Unsafe.ARRAY_BOOLEAN_BASE_OFFSET,
            Unsafe.ARRAY_SHORT_BASE_OFFSET,
            Unsafe.ARRAY_CHAR_BASE_OFFSET,
            Unsafe.ARRAY_INT_BASE_OFFSET,
            Unsafe.ARRAY_LONG_BASE_OFFSET,
            Unsafe.ARRAY_FLOAT_BASE_OFFSET,
            Unsafe.ARRAY_DOUBLE_BASE_OFFSET
        };
        for (long other : others) {
            if (other != offset) {
                return -1;
            }
        }
        return offset;
    }

    /**
     * Byte offset of element 0 in {@code array}; differs by type on JVMs whose headers are not a multiple of 8 bytes.
     */
    public static long arrayOffset(Object array) {
        return ARRAY_OFFSET >= 0 ? ARRAY_OFFSET : UNSAFE.arrayBaseOffset(array.getClass());
    }

    /**
     * The array under a heap buffer, or a copy for a read-only one where Unsafe is refused; null for a direct buffer.
     */
    public static byte[] array(ByteBuffer buffer) {
        return UNSAFE != null ? (byte[]) UNSAFE.getObject(buffer, HEAP_ARRAY) : ForeignBuffers.array(buffer);
    }

    /**
     * Address of index 0 of a buffer: absolute for a direct one, counted from {@link #array(ByteBuffer)} for a heap
     * one.
     */
    public static long address(Buffer buffer) {
        return UNSAFE != null ? UNSAFE.getLong(buffer, BUFFER_ADDRESS) : ForeignBuffers.address(buffer);
    }

    /**
     * True for a buffer whose memory somebody may free at a time of his own, and the JDK asks at every access: that of
     * a foreign arena. Without Unsafe all may be.
     */
    public static boolean isOfSegment(Buffer buffer) {
        return UNSAFE == null || UNSAFE.getObject(buffer, BUFFER_SEGMENT) != null;
    }

    /**
     * What keeps the memory of a direct buffer: the buffer it is a view of, or whatever it was made with; null where it
     * is its own.
     */
    public static Object attachment(Buffer buffer) {
        if (UNSAFE == null) {
            return ForeignBuffers.attachment(buffer);
        }
        return UNSAFE.getObject(buffer, buffer instanceof ByteBuffer ? ATTACHMENT : UNDER.get(buffer.getClass()));
    }

    /** The heap buffer of bytes under a heap buffer of longer elements; null if it is over an array of its own. */
    public static ByteBuffer viewed(Buffer buffer) {
        if (UNSAFE == null) {
            return ForeignBuffers.viewed(buffer);
        }
        long under = UNDER.get(buffer.getClass());
        return under < 0 ? null : (ByteBuffer) UNSAFE.getObject(buffer, under);
    }

    /** True for a direct buffer whose memory is known to be freed when it is collected. */
    public static boolean isFreedWhenCollected(ByteBuffer buffer) {
        return UNSAFE != null && UNSAFE.getObject(buffer, CLEANER) != null;
    }

    /** As {@link #isOfFile(MappedByteBuffer)}, for a direct buffer of longer elements. */
    public static boolean isOfFile(Buffer typed) {
        return UNSAFE == null
                ? ForeignBuffers.isOfFile(typed)
                : attachment(typed) instanceof MappedByteBuffer under && isOfFile(under);
    }

    /**
     * True for a buffer that maps a file, and for views of one. The type says nothing: it is that of all direct
     * buffers.
     */
    public static boolean isOfFile(MappedByteBuffer buffer) {
        return UNSAFE != null ? UNSAFE.getObject(buffer, FILE) != null : ForeignBuffers.isOfFile(buffer);
    }

    /**
     * A buffer over absolute memory, in native byte order; keeps {@code keepAlive} reachable and frees nothing itself.
     */
    public static ByteBuffer view(long address, int bytes, Object keepAlive) {
        if (UNSAFE == null) {
            return ForeignBuffers.view(address, bytes, keepAlive);
        }
        ByteBuffer view = EMPTY_DIRECT.duplicate();
        UNSAFE.putLong(view, BUFFER_ADDRESS, address);
        UNSAFE.putInt(view, BUFFER_CAPACITY, bytes);
        UNSAFE.putObject(view, ATTACHMENT, keepAlive);
        return view.clear().order(ByteOrder.nativeOrder());
    }

    /**
     * As {@link #view(long, int, Object)}, in a buffer that an earlier call returned and nobody needs any more; without
     * Unsafe in a new one.
     *
     * @param reused null for none
     */
    public static ByteBuffer view(ByteBuffer reused, long address, int bytes, Object keepAlive) {
        if (UNSAFE == null || reused == null) {
            return view(address, bytes, keepAlive);
        }
        UNSAFE.putLong(reused, BUFFER_ADDRESS, address);
        UNSAFE.putInt(reused, BUFFER_CAPACITY, bytes);
        UNSAFE.putObject(reused, ATTACHMENT, keepAlive);
        return reused.clear();
    }

    /**
     * Reads a byte to see whether its page is there. By a copy: a load of which nobody uses the value is none to the
     * compilers, a volatile one neither.
     */
    public static void touch(long address) {
        byte[] there = new byte[1];
        copyLarge(null, address, there, arrayOffset(there), 1);
    }

    /**
     * Writes a byte that stands there already, to see whether its page can be written. By copies, as the compilers
     * leave out a store of what was just read, and JDK 17 dies of volatile stores and of atomic operations where the
     * page is gone.
     */
    public static void rewrite(long address) {
        byte[] there = new byte[1];
        copyLarge(null, address, there, arrayOffset(there), 1);
        copyLarge(there, arrayOffset(there), null, address, 1);
    }

    public static byte getByte(long address) {
        return UNSAFE != null ? UNSAFE.getByte(address) : ForeignMemory.getByte(address);
    }

    public static void putByte(long address, byte value) {
        if (UNSAFE != null) {
            UNSAFE.putByte(address, value);
        } else {
            ForeignMemory.putByte(address, value);
        }
    }

    public static short getShort(long address) {
        return UNSAFE != null ? UNSAFE.getShort(address) : ForeignMemory.getShort(address);
    }

    public static void putShort(long address, short value) {
        if (UNSAFE != null) {
            UNSAFE.putShort(address, value);
        } else {
            ForeignMemory.putShort(address, value);
        }
    }

    public static int getInt(long address) {
        return UNSAFE != null ? UNSAFE.getInt(address) : ForeignMemory.getInt(address);
    }

    public static void putInt(long address, int value) {
        if (UNSAFE != null) {
            UNSAFE.putInt(address, value);
        } else {
            ForeignMemory.putInt(address, value);
        }
    }

    public static long getLong(long address) {
        return UNSAFE != null ? UNSAFE.getLong(address) : ForeignMemory.getLong(address);
    }

    public static void putLong(long address, long value) {
        if (UNSAFE != null) {
            UNSAFE.putLong(address, value);
        } else {
            ForeignMemory.putLong(address, value);
        }
    }

    public static byte getByte(Object base, long address) {
        return UNSAFE != null ? UNSAFE.getByte(base, address) : ForeignMemory.getByte(base, address);
    }

    public static short getShort(Object base, long address) {
        return UNSAFE != null ? UNSAFE.getShort(base, address) : ForeignMemory.getShort(base, address);
    }

    public static int getInt(Object base, long address) {
        return UNSAFE != null ? UNSAFE.getInt(base, address) : ForeignMemory.getInt(base, address);
    }

    public static long getLong(Object base, long address) {
        return UNSAFE != null ? UNSAFE.getLong(base, address) : ForeignMemory.getLong(base, address);
    }

    public static void putLong(Object base, long address, long value) {
        if (UNSAFE != null) {
            UNSAFE.putLong(base, address, value);
        } else {
            ForeignMemory.putLong(base, address, value);
        }
    }

    public static int getIntVolatile(long address) {
        return UNSAFE != null ? UNSAFE.getIntVolatile(null, address) : ForeignMemory.getIntVolatile(address);
    }

    public static void putIntVolatile(long address, int value) {
        if (UNSAFE != null) {
            UNSAFE.putIntVolatile(null, address, value);
        } else {
            ForeignMemory.putIntVolatile(address, value);
        }
    }

    /** On x86 and through HotSpot on arm64 a volatile load orders at least as an acquire load does. */
    public static long getLongAcquire(long address) {
        return UNSAFE != null ? UNSAFE.getLongVolatile(null, address) : ForeignMemory.getLongVolatile(address);
    }

    /** As {@link #getLongAcquire(long)}, of an array of longs or of absolute memory. */
    public static long getLongAcquire(Object base, long address) {
        if (UNSAFE != null) {
            return UNSAFE.getLongVolatile(base, address);
        }
        long value = ForeignMemory.getLong(base, address);
        VarHandle.acquireFence();
        return value;
    }

    public static long getLongVolatile(long address) {
        return UNSAFE != null ? UNSAFE.getLongVolatile(null, address) : ForeignMemory.getLongVolatile(address);
    }

    public static void putLongVolatile(long address, long value) {
        if (UNSAFE != null) {
            UNSAFE.putLongVolatile(null, address, value);
        } else {
            ForeignMemory.putLongVolatile(address, value);
        }
    }

    /** Release store: everything written before is visible to whoever reads the value with acquire. */
    public static void putLongRelease(long address, long value) {
        if (UNSAFE != null) {
            UNSAFE.putOrderedLong(null, address, value);
        } else {
            ForeignMemory.putLongRelease(address, value);
        }
    }

    /** As {@link #putLongRelease(long, long)}, of an array of longs or of absolute memory. */
    public static void putLongRelease(Object base, long address, long value) {
        if (UNSAFE != null) {
            UNSAFE.putOrderedLong(base, address, value);
        } else {
            VarHandle.releaseFence();
            ForeignMemory.putLong(base, address, value);
        }
    }

    public static void putIntRelease(long address, int value) {
        if (UNSAFE != null) {
            UNSAFE.putOrderedInt(null, address, value);
        } else {
            ForeignMemory.putIntRelease(address, value);
        }
    }

    /** Full fence before and after. */
    public static int getAndAddInt(long address, int delta) {
        return UNSAFE != null ? UNSAFE.getAndAddInt(null, address, delta) : ForeignMemory.getAndAddInt(address, delta);
    }

    /** Full fence before and after. */
    public static boolean compareAndSetLong(long address, long expected, long value) {
        return UNSAFE != null
                ? UNSAFE.compareAndSwapLong(null, address, expected, value)
                : ForeignMemory.compareAndSetLong(address, expected, value);
    }

    /** Orders every earlier access before every later one, a store before a load included. */
    public static void fullFence() {
        VarHandle.fullFence();
    }

    /** Orders earlier loads before later accesses; on x86 it binds the compiler alone. */
    public static void loadFence() {
        VarHandle.acquireFence();
    }

    /** Memory outside the heap, with no limit of 2 GB; an OutOfMemoryError when there is none. */
    public static long allocate(long bytes) {
        return UNSAFE != null ? UNSAFE.allocateMemory(bytes) : ForeignMemory.allocate(bytes);
    }

    public static void free(long address) {
        if (UNSAFE != null) {
            UNSAFE.freeMemory(address);
        } else {
            ForeignMemory.free(address);
        }
    }

    /** Never on mapped files: where a page was taken away, JDK 17 dies here, while {@link #copy} of zeros throws. */
    public static void setZero(long address, long bytes) {
        if (UNSAFE != null) {
            UNSAFE.setMemory(null, address, bytes, (byte) 0);
        } else {
            ForeignMemory.setZero(address, bytes);
        }
    }

    /**
     * Copies between any two of array and absolute memory; the ranges must not overlap.
     *
     * <p>Short copies go word by word: the call into the copy stub costs more than the bytes. With no more than 35
     * bytes of bytecode the compilers put this into its callers even where it isn't on their hottest way.
     */
    public static void copy(Object fromBase, long from, Object toBase, long to, long bytes) {
        if (bytes > SMALL_COPY_LIMIT) {
            copyLarge(fromBase, from, toBase, to, bytes);
            return;
        }
        copySmall(fromBase, from, toBase, to, bytes);
    }

    private static void copyLarge(Object fromBase, long from, Object toBase, long to, long bytes) {
        if (UNSAFE != null) {
            UNSAFE.copyMemory(fromBase, from, toBase, to, bytes);
        } else {
            ForeignMemory.copy(fromBase, from, toBase, to, bytes);
        }
    }

    /**
     * No loops, which the compilers unroll until a sender is too large for its callers: the last words lie over the
     * first.
     */
    private static void copySmall(Object fromBase, long from, Object toBase, long to, long bytes) {
        if (bytes >= 32) {
            copy16(fromBase, from, toBase, to);
            copy16(fromBase, from + 16, toBase, to + 16);
            copy16(fromBase, from + bytes - 32, toBase, to + bytes - 32);
            copy16(fromBase, from + bytes - 16, toBase, to + bytes - 16);
        } else if (bytes >= 16) {
            copy16(fromBase, from, toBase, to);
            copy16(fromBase, from + bytes - 16, toBase, to + bytes - 16);
        } else if (bytes >= 8) {
            UNSAFE.putLong(toBase, to, UNSAFE.getLong(fromBase, from));
            UNSAFE.putLong(toBase, to + bytes - 8, UNSAFE.getLong(fromBase, from + bytes - 8));
        } else if (bytes >= 4) {
            UNSAFE.putInt(toBase, to, UNSAFE.getInt(fromBase, from));
            UNSAFE.putInt(toBase, to + bytes - 4, UNSAFE.getInt(fromBase, from + bytes - 4));
        } else if (bytes > 0) {
            UNSAFE.putByte(toBase, to, UNSAFE.getByte(fromBase, from));
            UNSAFE.putByte(toBase, to + (bytes >> 1), UNSAFE.getByte(fromBase, from + (bytes >> 1)));
            UNSAFE.putByte(toBase, to + bytes - 1, UNSAFE.getByte(fromBase, from + bytes - 1));
        }
    }

    private static void copy16(Object fromBase, long from, Object toBase, long to) {
        UNSAFE.putLong(toBase, to, UNSAFE.getLong(fromBase, from));
        UNSAFE.putLong(toBase, to + 8, UNSAFE.getLong(fromBase, from + 8));
    }
}
