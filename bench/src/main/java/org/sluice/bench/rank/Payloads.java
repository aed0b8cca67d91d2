package org.sluice.bench.rank;

import java.nio.ByteBuffer;
import java.util.function.LongFunction;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Step;
import org.sluice.device.MessageBuffer;

/**
 * The buffers of one rank, kept from step to step as long as they fit exactly: a larger buffer than asked for would
 * spread the content over other pages than a program's own buffer has.
 */
final class Payloads implements AutoCloseable {
    private final BufferKind kind;
    private final LongFunction<MessageBuffer> allocator;
    private Payload outgoing;
    private Payload incoming;
    private int bytes = -1;

    Payloads(BufferKind kind, LongFunction<MessageBuffer> allocator) {
        this.kind = kind;
        this.allocator = allocator;
    }

    void prepare(Step step) {
        int needed = Math.multiplyExact(step.size(), step.slots());
        if (needed != bytes) {
            close();
            outgoing = Payload.of(kind, needed, allocator);
            incoming = kind == BufferKind.ONE ? outgoing : Payload.of(kind, needed, allocator);
            bytes = needed;
        }
    }

    Object outgoingHandle() {
        return outgoing.handle;
    }

    Object incomingHandle() {
        return incoming.handle;
    }

    ByteBuffer outgoing() {
        return outgoing.bytes;
    }

    ByteBuffer incoming() {
        return incoming.bytes;
    }

    @Override
    public void close() {
        if (bytes >= 0) {
            outgoing.close();
            incoming.close();
            bytes = -1;
        }
    }
}
