package org.sluice.device.memory;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Consumer;

/**
 * What {@link Memory} knows of buffers where it may not look into them: what the JDK tells of their segments.
 *
 * <p>Whether a buffer is a view of another nobody says, except of those made here. <i>Thread</i>: any. <i>Proof</i>: {@code ForeignMemoryTest}.
 */
final class ForeignBuffers {
    private static final Foreign FOREIGN = new Foreign(MethodHandles.lookup());
    private static final MethodHandle OF_BUFFER = FOREIGN.ofBuffer();
    private static final MethodHandle ADDRESS = FOREIGN.property("address", long.class);
    private static final MethodHandle IS_MAPPED = FOREIGN.property("isMapped", boolean.class);
    private static final MethodHandle SCOPE = FOREIGN.property("scope", Object.class);
    private static final MethodHandle COLLECTED = FOREIGN.collected();
    private static final MethodHandle AS_BYTE_BUFFER = FOREIGN.asByteBuffer();

    /** By its scope, which all views of a view have too, what a view was made with. The view holds that, not this. */
    private static final Map<Object, WeakReference<Object>> VIEWS = Collections.synchronizedMap(new WeakHashMap<>());

    private ForeignBuffers() {
    }

    /** A copy for a read-only buffer, which gives its array to nobody. */
    static byte[] array(ByteBuffer buffer) {
        if (buffer.isDirect() || buffer.hasArray()) {
            return buffer.isDirect() ? null : buffer.array();
        }
        byte[] copy = new byte[buffer.capacity()];
        buffer.duplicate().clear().get(copy);
        return copy;
    }

    static long address(ByteBuffer buffer) {
        if (!buffer.isDirect()) {
            return buffer.hasArray() ? buffer.arrayOffset() : 0;
        }
        try {
            return (long) ADDRESS.invokeExact((Object) OF_BUFFER.invokeExact((Buffer) buffer)) - buffer.position();
        } catch (Throwable e) {
            throw ForeignMemory.asThrown(e);
        }
    }

    static Object attachment(ByteBuffer buffer) {
        try {
            WeakReference<Object> known = VIEWS.get((Object) SCOPE.invokeExact((Object) OF_BUFFER.invokeExact((Buffer) buffer)));
            return known == null ? null : known.get();
        } catch (Throwable e) {
            throw ForeignMemory.asThrown(e);
        }
    }

    static boolean isOfFile(ByteBuffer buffer) {
        try {
            return (boolean) IS_MAPPED.invokeExact((Object) OF_BUFFER.invokeExact((Buffer) buffer));
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
