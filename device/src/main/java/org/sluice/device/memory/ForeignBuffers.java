package org.sluice.device.memory;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.ShortBuffer;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.function.Consumer;

/**
 * What {@link Memory} knows of buffers where it may not look into them: what the JDK tells of their segments.
 *
 * <p>Whether a buffer is a view of another nobody says, except of those made here. <i>Thread</i>: any. <i>Proof</i>:
 * {@code ForeignMemoryTest}.
 */
final class ForeignBuffers {
    private static final Foreign FOREIGN = new Foreign(MethodHandles.lookup());
    private static final MethodHandle OF_BUFFER = FOREIGN.ofBuffer();
    private static final MethodHandle ADDRESS = FOREIGN.property("address", long.class);
    private static final MethodHandle IS_MAPPED = FOREIGN.property("isMapped", boolean.class);
    private static final MethodHandle HEAP_BASE = FOREIGN.property("heapBase", Optional.class);
    private static final MethodHandle SCOPE = FOREIGN.property("scope", Object.class);
    private static final MethodHandle COLLECTED = FOREIGN.collected();
    private static final MethodHandle AS_BYTE_BUFFER = FOREIGN.asByteBuffer();

    /** By its scope, which all views of a view have too, what a view was made with. The view holds that, not this. */
    private static final Map<Object, WeakReference<Object>> VIEWS = Collections.synchronizedMap(new WeakHashMap<>());

    private ForeignBuffers() {}

    /** A copy for a read-only buffer, which gives its array to nobody. */
    static byte[] array(ByteBuffer buffer) {
        if (buffer.isDirect() || buffer.hasArray()) {
            return buffer.isDirect() ? null : buffer.array();
        }
        byte[] copy = new byte[buffer.capacity()];
        buffer.duplicate().clear().get(copy);
        return copy;
    }

    static long address(Buffer buffer) {
        if (!buffer.isDirect() && buffer instanceof ByteBuffer) {
            return buffer.hasArray() ? buffer.arrayOffset() : 0;
        }
        try {
            return (long) ADDRESS.invokeExact((Object) OF_BUFFER.invokeExact(buffer))
                    - (long) buffer.position() * elementSize(buffer);
        } catch (Throwable e) {
            throw ForeignMemory.asThrown(e);
        }
    }

    private static int elementSize(Buffer buffer) {
        return buffer instanceof ByteBuffer
                ? 1
                : buffer instanceof ShortBuffer || buffer instanceof CharBuffer
                        ? Short.BYTES
                        : buffer instanceof IntBuffer || buffer instanceof FloatBuffer ? Integer.BYTES : Long.BYTES;
    }

    /** Of a view of bytes in the heap, which tells its array unless it is read-only. */
    static ByteBuffer viewed(Buffer buffer) {
        try {
            Optional<?> array = (Optional<?>) HEAP_BASE.invokeExact((Object) OF_BUFFER.invokeExact(buffer));
            return array.isPresent() && array.get() instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : null;
        } catch (Throwable e) {
            throw ForeignMemory.asThrown(e);
        }
    }

    static Object attachment(Buffer buffer) {
        try {
            WeakReference<Object> known = VIEWS.get((Object) SCOPE.invokeExact((Object) OF_BUFFER.invokeExact(buffer)));
            return known == null ? null : known.get();
        } catch (Throwable e) {
            throw ForeignMemory.asThrown(e);
        }
    }

    static boolean isOfFile(Buffer buffer) {
        try {
            return (boolean) IS_MAPPED.invokeExact((Object) OF_BUFFER.invokeExact(buffer));
        } catch (Throwable e) {
            throw ForeignMemory.asThrown(e);
        }
    }

    static ByteBuffer view(long address, int bytes, Object keepAlive) {
        try {
            Consumer<Object> end = segment -> Reference.reachabilityFence(keepAlive);
            Object segment = (Object) COLLECTED.invokeExact(address, (long) bytes, (Consumer<?>) end);
            VIEWS.put((Object) SCOPE.invokeExact(segment), new WeakReference<>(keepAlive));
            return ((ByteBuffer) AS_BYTE_BUFFER.invokeExact(segment)).order(ByteOrder.nativeOrder());
        } catch (Throwable e) {
            throw ForeignMemory.asThrown(e);
        }
    }
}
