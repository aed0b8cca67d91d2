package org.sluice.shm.threads;

import java.lang.ref.Cleaner;
import java.util.Queue;
import org.jctools.queues.SpscUnboundedArrayQueue;
import org.jctools.queues.atomic.SpscUnboundedAtomicArrayQueue;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.memory.Memory;
import org.sluice.shm.ring.RingFailures;
import org.sluice.shm.ring.RingLayout;
import org.sluice.shm.ring.RingReader;
import org.sluice.shm.ring.RingSize;
import org.sluice.shm.ring.RingWriter;

/**
 * One ordered pair of ranks in one JVM: a ring outside of the heap, and beside it the queue in which the objects of
 * RNDV_START packets travel.
 *
 * <p>Both are first in, first out, and an object is offered before its packet is published: so they stay paired. The
 * memory is not of a direct buffer: the JVM bounds those together, and many ranks have many rings. <i>Owns</i>: the
 * memory, until writer and reader are collected. <i>Fails</i>: NO_MEMORY. <i>Proof</i>: {@code ThreadRingsProcessTest}.
 */
final class ThreadRing {
    private static final int QUEUE_CHUNK = 32;
    private static final Cleaner CLEANER = Cleaner.create();

    private final RingWriter writer;
    private final RingReader reader;
    private final Queue<Object> references = Memory.isUnsafe()
            ? new SpscUnboundedArrayQueue<>(QUEUE_CHUNK)
            : new SpscUnboundedAtomicArrayQueue<>(QUEUE_CHUNK);

    ThreadRing(int sender, RingSize size, RingFailures failures) {
        long given = allocate(sender, size.bytes() + RingLayout.RING_ALIGNMENT);
        Object keepAlive = new Object();
        CLEANER.register(keepAlive, new Freeing(given));
        long address = given + RingLayout.RING_ALIGNMENT - 1 & -RingLayout.RING_ALIGNMENT;
        writer = new RingWriter(address, size, keepAlive);
        reader = new RingReader(sender, address, size, references, failures, keepAlive);
    }

    private static long allocate(int sender, long bytes) {
        try {
            long given = Memory.allocate(bytes);
            Memory.setZero(given, bytes);
            return given;
        } catch (OutOfMemoryError e) {
            throw new SluiceException(
                    ErrorCode.NO_MEMORY,
                    sender,
                    "no memory for the " + bytes + " bytes in which rank " + sender
                            + " sends to another rank of its JVM: free some, or make sluice.shm.ring.bytes smaller",
                    e);
        }
    }

    private record Freeing(long address) implements Runnable {
        @Override
        public void run() {
            Memory.free(address);
        }
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
