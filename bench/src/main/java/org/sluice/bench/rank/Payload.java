package org.sluice.bench.rank;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.LongFunction;
import org.sluice.bench.plan.BufferKind;
import org.sluice.device.MessageBuffer;

/** A buffer as the measured calls take it, and a view of it for whoever writes and checks the content. */
final class Payload implements AutoCloseable {
    final Object handle;
    final ByteBuffer bytes;

    private Payload(Object handle, ByteBuffer bytes) {
        this.handle = handle;
        this.bytes = bytes.order(ByteOrder.nativeOrder());
    }

    /** @param allocator makes message buffers; null where there is no device, and then direct ones stand in */
    static Payload of(BufferKind kind, int bytes, LongFunction<MessageBuffer> allocator) {
        return exactly(kind, Math.max(bytes, Long.BYTES), allocator);
    }

    /**
     * One that is as long as said, for calls that send and receive whole buffers.
     *
     * @param capacity 1 or more
     */
    static Payload exactly(BufferKind kind, int capacity, LongFunction<MessageBuffer> allocator) {
        if (kind == BufferKind.ARRAY || kind == BufferKind.ONE) {
            byte[] array = new byte[capacity];
            return new Payload(array, ByteBuffer.wrap(array));
        }
        if (kind == BufferKind.DIRECT || allocator == null) {
            ByteBuffer direct = ByteBuffer.allocateDirect(capacity);
            return new Payload(direct, direct.duplicate());
        }
        MessageBuffer message = allocator.apply(capacity);
        return new Payload(message, message.byteBuffer());
    }

    @Override
    public void close() {
        if (handle instanceof MessageBuffer) {
            ((MessageBuffer) handle).close();
        }
    }
}
