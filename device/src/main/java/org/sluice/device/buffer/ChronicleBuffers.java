package org.sluice.device.buffer;

import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.BytesStore;
import net.openhft.chronicle.bytes.PointerBytesStore;
import net.openhft.chronicle.core.io.ReferenceOwner;
import org.sluice.device.memory.Memory;

/**
 * Chronicle {@code Bytes} as buffers. Its methods take Object and every use of Chronicle stands in {@link Adapter}, so that Chronicle's
 * classes load only when a program passes a {@code Bytes}, and a class path without them does no harm.
 *
 * <p><i>Thread</i>: any. <i>Lends</i>: holds the BytesStore, not the Bytes, while a request is in flight: an elastic Bytes that grows
 * lets go of its old store. <i>Proof</i>: {@code ChronicleBuffersTest}.
 */
final class ChronicleBuffers {
    private static final String PACKAGE = "net.openhft.chronicle.";

    private static final ClassValue<Boolean> IS_BYTES = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            // By name first: the adapter must not load because of a class that has nothing to do with Chronicle.
            return mentionsChronicle(type) && Adapter.isBytes(type);
        }
    };

    private ChronicleBuffers() {
    }

    private static boolean mentionsChronicle(Class<?> type) {
        if (type == null) {
            return false;
        }
        if (type.getName().startsWith(PACKAGE)) {
            return true;
        }
        for (Class<?> face : type.getInterfaces()) {
            if (mentionsChronicle(face)) {
                return true;
            }
        }
        return mentionsChronicle(type.getSuperclass());
    }

    static boolean isBytes(Object buffer) {
        return IS_BYTES.get(buffer.getClass());
    }

    static long elements(Object buffer, boolean writing) {
        return Adapter.elements((Bytes<?>) buffer, writing);
    }

    static Object base(Object buffer) {
        return Adapter.base((Bytes<?>) buffer);
    }

    static long address(Object buffer, long offset, boolean writing) {
        return Adapter.address((Bytes<?>) buffer, offset, writing);
    }

    static Object hold(Object buffer) {
        return Adapter.hold((Bytes<?>) buffer);
    }

    static void release(Object held) {
        Adapter.release(held);
    }

    static void received(Object buffer, long bytes) {
        Adapter.received((Bytes<?>) buffer, bytes);
    }

    static Object view(Object owner, long address, long bytes) {
        try {
            return Adapter.view(owner, address, bytes);
        } catch (NoClassDefFoundError e) {
            throw new IllegalStateException("a Bytes view needs net.openhft:chronicle-bytes on the class path, and "
                    + e.getMessage() + " is missing", e);
        }
    }

    /** Everything that names a class of Chronicle. */
    private static final class Adapter {
        private static final ReferenceOwner OWNER = ReferenceOwner.temporary("sluice");

        static boolean isBytes(Class<?> type) {
            return Bytes.class.isAssignableFrom(type);
        }

        static long elements(Bytes<?> bytes, boolean writing) {
            if (!writing) {
                return bytes.readRemaining();
            }
            // An elastic Bytes has a write limit far beyond its memory; growing here would move it under its user.
            return Math.max(0, Math.min(bytes.writeLimit(), bytes.bytesStore().start() + bytes.bytesStore().realCapacity())
                    - bytes.writePosition());
        }

        static Object base(Bytes<?> bytes) {
            return bytes.isDirectMemory() ? null : heapArray(bytes);
        }

        private static byte[] heapArray(Bytes<?> bytes) {
            Object under = bytes.bytesStore().underlyingObject();
            if (!(under instanceof byte[])) {
                throw new IllegalArgumentException("a " + bytes.getClass().getName() + " over "
                        + (under == null ? "nothing" : under.getClass().getTypeName())
                        + " can't be sent or received into; allowed are Bytes in direct memory or over a byte[]");
            }
            return (byte[]) under;
        }

        static long address(Bytes<?> bytes, long offset, boolean writing) {
            long position = writing ? bytes.writePosition() : bytes.readPosition();
            if (bytes.isDirectMemory()) {
                return (writing ? bytes.addressForWrite(position) : bytes.addressForRead(position)) + offset;
            }
            byte[] array = heapArray(bytes);
            return Memory.arrayOffset(array) + position - bytes.bytesStore().start() + offset;
        }

        static Object hold(Bytes<?> bytes) {
            BytesStore<?, ?> store = bytes.bytesStore();
            store.reserve(OWNER);
            return store;
        }

        static void release(Object store) {
            ((BytesStore<?, ?>) store).release(OWNER);
        }

        static void received(Bytes<?> bytes, long received) {
            bytes.writeSkip(received);
        }

        static Bytes<?> view(Object owner, long address, long bytes) {
            return new OwnedStore(owner, address, bytes).bytesForWrite();
        }
    }

    /** A view that keeps its memory's owner reachable. */
    private static final class OwnedStore extends PointerBytesStore {
        @SuppressWarnings("unused")
        private final Object owner;

        OwnedStore(Object owner, long address, long bytes) {
            this.owner = owner;
            set(address, bytes);
        }
    }
}
