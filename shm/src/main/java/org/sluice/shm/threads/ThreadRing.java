package org.sluice.shm.threads;

import java.nio.ByteBuffer;
import java.util.Queue;
import org.jctools.queues.SpscUnboundedArrayQueue;
import org.sluice.device.memory.Memory;
import org.sluice.shm.ring.RingFailures;
import org.sluice.shm.ring.RingLayout;
import org.sluice.shm.ring.RingReader;
import org.sluice.shm.ring.RingSize;
import org.sluice.shm.ring.RingWriter;

/**
 * One ordered pair of ranks in one JVM: a ring in direct memory, and beside it the queue in which the objects of
 * RNDV_START packets travel.
 *
 * <p>Both are first in, first out, and an object is offered before its packet is published: so they stay paired.
 */
final class ThreadRing {
    private static final int QUEUE_CHUNK = 32;

    private final RingWriter writer;
    private final RingReader reader;
    private final Queue<Object> references = new SpscUnboundedArrayQueue<>(QUEUE_CHUNK);

    ThreadRing(int sender, RingSize size, RingFailures failures) {
        ByteBuffer memory = ByteBuffer.allocateDirect(Math.toIntExact(size.bytes() + RingLayout.RING_ALIGNMENT));
        long address = Memory.address(memory) + RingLayout.RING_ALIGNMENT - 1 & -RingLayout.RING_ALIGNMENT;
        writer = new RingWriter(address, size, memory);
        reader = new RingReader(sender, address, size, references, failures, memory);
    }

    RingWriter writer() {
        return writer;
    }

    RingReader reader() {
        return reader;
    }

    Queue<Object> references() {
        return references;
    }
}
