package org.sluice.device.buffer;

import java.nio.ByteBuffer;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.BytesStore;
import net.openhft.chronicle.bytes.MappedBytes;
import net.openhft.chronicle.bytes.MappedBytesStore;
import net.openhft.chronicle.bytes.PointerBytesStore;
import net.openhft.chronicle.core.io.ReferenceOwner;
import org.sluice.device.memory.Memory;

/**
 * Chronicle {@code Bytes} as buffers. Its methods take Object and every use of Chronicle stands in {@link Adapter}, so
 * that Chronicle's classes load only when a program passes a {@code Bytes}, and a class path without them does no harm.
 *
 * <p><i>Thread</i>: any. <i>Lends</i>: holds the BytesStore, not the Bytes, while a request is in flight: an elastic
 * Bytes that grows lets go of its old store. <i>Proof</i>: {@code ChronicleBuffersTest}.
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

    private static final ClassValue<Boolean> IS_CHRONICLES = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return mentionsChronicle(type);
        }
    };

    private ChronicleBuffers() {}

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

    /** What the memory belongs to that {@link #hold} returned this for; null where it lies in the heap. */
    static Object owner(Object held) {
        return Adapter.owner(held);
    }

    static long ownedAddress(Object owner) {
        return Adapter.ownedAddress(owner);
    }

    static long ownedBytes(Object owner) {
        return Adapter.ownedBytes(owner);
    }

    static void received(Object buffer, long bytes) {
        Adapter.received((Bytes<?>) buffer, bytes);
    }

    /** @param bytesOrStore anything */
    static boolean isMapped(Object bytesOrStore) {
        return IS_CHRONICLES.get(bytesOrStore.getClass()) && Adapter.isMapped(bytesOrStore);
    }

    static Object view(Object owner, long address, long bytes) {
        try {
            return Adapter.view(owner, address, bytes);
        } catch (ExceptionInInitializerError | UnsupportedOperationException e) {
            throw unstartable(e);
        } catch (NoClassDefFoundError e) {
            if (!(e.getCause() instanceof ClassNotFoundException)) {
                throw unstartable(e); // It was tried before.
            }
            throw new IllegalStateException(
                    "a Bytes view needs net.openhft:chronicle-bytes on the class path, and " + e.getMessage()
                            + " is missing",
                    e);
        }
    }

    private static IllegalStateException unstartable(Throwable why) {
        return new IllegalStateException(
                "a Bytes view can't be had: Chronicle doesn't work in this JVM. Where the JVM refuses sun.misc.Unsafe"
                        + " give it --sun-misc-unsafe-memory-access=allow, or take a ByteBuffer view",
                why);
    }

    /** Everything that names a class of Chronicle. */
    private static final class Adapter {
        static boolean isBytes(Class<?> type) {
            return Bytes.class.isAssignableFrom(type);
        }

        static long elements(Bytes<?> bytes, boolean writing) {
            if (bytes.refCount() <= 0) {
                throw new IllegalStateException("this " + bytes.getClass().getSimpleName()
                        + " was released: its memory is gone or somebody else's");
            }
            if (writing) {
                refuseReadOnly(bytes);
            }
            long position = writing ? bytes.writePosition() : bytes.readPosition();
            BytesStore<?, ?> store = store(bytes, position);
            UserBuffer.refuseClosed(messageMemory(store));
            long end = store.realCapacity();
            if (writing) {
                // An elastic Bytes has a write limit far beyond its memory; growing here would move it under its user.
                return Math.max(0, Math.min(bytes.writeLimit(), end) - position);
            }
            if (bytes.readLimit() > end) {
                throw new IllegalArgumentException("the " + bytes.readRemaining() + " readable byte(s) of this "
                        + bytes.getClass().getSimpleName() + " reach beyond the mapped chunk that ends at " + end
                        + ": send pieces, or map the file in larger chunks");
            }
            return bytes.readRemaining();
        }

        /**
         * The store with the position in it: a file that is mapped in chunks moves there when it is asked for the
         * address.
         */
        private static BytesStore<?, ?> store(Bytes<?> bytes, long position) {
            BytesStore<?, ?> store = bytes.bytesStore();
            if (bytes instanceof MappedBytes && (position < store.start() || position >= store.realCapacity())) {
                bytes.addressForRead(position);
                store = bytes.bytesStore();
            }
            return store;
        }

        private static void refuseReadOnly(Bytes<?> bytes) {
            Object under = bytes.bytesStore().underlyingObject();
            if (under instanceof ByteBuffer && ((ByteBuffer) under).isReadOnly()
                    || bytes instanceof MappedBytes && ((MappedBytes) bytes).isBackingFileReadOnly()) {
                throw new IllegalArgumentException(
                        "a " + bytes.getClass().getSimpleName() + " over read-only memory can't be received into");
            }
        }

        /** An elastic Bytes that never held anything has no memory, and nothing in it is ever read. */
        private static boolean isEmpty(Bytes<?> bytes) {
            return bytes.bytesStore().realCapacity() == 0;
        }

        static Object base(Bytes<?> bytes) {
            return bytes.isDirectMemory() || isEmpty(bytes) ? null : heapArray(bytes);
        }

        private static byte[] heapArray(Bytes<?> bytes) {
            Object under = bytes.bytesStore().underlyingObject();
            if (under instanceof byte[]) {
                return (byte[]) under;
            }
            if (under instanceof ByteBuffer) {
                return Memory.array((ByteBuffer) under);
            }
            throw new IllegalArgumentException("a " + bytes.getClass().getName() + " over "
                    + (under == null ? "nothing" : under.getClass().getTypeName())
                    + " can't be sent or received into; allowed are Bytes in direct memory, over a byte[] or over a "
                    + "ByteBuffer");
        }

        static long address(Bytes<?> bytes, long offset, boolean writing) {
            long position = writing ? bytes.writePosition() : bytes.readPosition();
            if (bytes.isDirectMemory()) {
                return (writing ? bytes.addressForWrite(position) : bytes.addressForRead(position)) + offset;
            }
            if (isEmpty(bytes)) {
                return 0;
            }
            Object under = bytes.bytesStore().underlyingObject();
            long start = under instanceof ByteBuffer
                    ? Memory.address((ByteBuffer) under)
                    : Memory.arrayOffset(heapArray(bytes));
            return start + position + offset;
        }

        static Object hold(Bytes<?> bytes) {
            return new Hold(bytes.bytesStore());
        }

        /** What a store is a view of; null where that is no message buffer. */
        static MessageMemory messageMemory(BytesStore<?, ?> store) {
            if (store instanceof OwnedStore) {
                Object owner = ((OwnedStore) store).owner;
                return owner instanceof MessageMemory ? (MessageMemory) owner : null;
            }
            Object under = store.underlyingObject();
            return under instanceof ByteBuffer ? MemoryOwner.messageMemory((ByteBuffer) under) : null;
        }

        static void release(Object hold) {
            ((Hold) hold).release();
        }

        static Object owner(Object hold) {
            BytesStore<?, ?> store = ((Hold) hold).store;
            if (store instanceof OwnedStore) {
                return ((OwnedStore) store).owner;
            }
            return store.isDirectMemory() ? store : null;
        }

        static long ownedAddress(Object owner) {
            BytesStore<?, ?> store = (BytesStore<?, ?>) owner;
            return store.addressForRead(store.start());
        }

        static long ownedBytes(Object owner) {
            BytesStore<?, ?> store = (BytesStore<?, ?>) owner;
            return store.realCapacity() - store.start();
        }

        static boolean isMapped(Object bytesOrStore) {
            if (bytesOrStore instanceof MappedBytes) {
                return true;
            }
            BytesStore<?, ?> store = bytesOrStore instanceof Bytes
                    ? ((Bytes<?>) bytesOrStore).bytesStore()
                    : bytesOrStore instanceof BytesStore ? (BytesStore<?, ?>) bytesOrStore : null;
            if (store == null || !store.isDirectMemory()) {
                return false;
            }
            Object under = store.underlyingObject();
            return store instanceof MappedBytesStore || under instanceof ByteBuffer && MappedMemory.isMapped(under);
        }

        static void received(Bytes<?> bytes, long received) {
            // Whoever makes progress completes the request; the Bytes belongs to the device until then, and afterwards
            // to whoever uses it.
            bytes.singleThreadedCheckReset();
            bytes.writeSkip(received);
            bytes.singleThreadedCheckReset();
        }

        static Bytes<?> view(Object owner, long address, long bytes) {
            // Without the limit a view would let its user write past the end.
            return new OwnedStore(owner, address, bytes).bytesForWrite().writeLimit(bytes);
        }
    }

    /** One request's reservation; each is an owner of its own, because tracing refuses to reserve twice for one. */
    private static final class Hold implements ReferenceOwner {
        private final BytesStore<?, ?> store;
        /** A reserved store keeps its own memory, not that of a message buffer which it is a view of. */
        private final MessageMemory memory;

        Hold(BytesStore<?, ?> store) {
            this.store = store;
            this.memory = Adapter.messageMemory(store);
            store.reserve(this);
            if (memory != null) {
                holdMemory();
            }
        }

        private void holdMemory() {
            try {
                memory.hold();
            } catch (RuntimeException e) {
                store.release(this);
                throw e;
            }
        }

        void release() {
            store.release(this);
            if (memory != null) {
                memory.release();
            }
        }
    }

    /** A view that keeps its memory's owner reachable. */
    private static final class OwnedStore extends PointerBytesStore {
        private final Object owner;

        OwnedStore(Object owner, long address, long bytes) {
            this.owner = owner;
            set(address, bytes);
        }
    }
}
