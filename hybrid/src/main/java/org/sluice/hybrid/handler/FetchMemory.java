package org.sluice.hybrid.handler;

import org.sluice.device.buffer.MessageAllocator;
import org.sluice.device.buffer.MessageMemory;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;

/**
 * Memory that messages for handlers are fetched into, kept for the next ones: by powers of two, up to a limit. Never
 * zeroed, as a message fills what its handler sees of it.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Owns</i>: what is kept. <i>Lends</i>: from {@link #take} to
 * {@link #giveBack}. <i>Proof</i>: {@code FetchMemoryTest}.
 */
final class FetchMemory {
    private static final int SMALLEST_BITS = 8;
    private static final int CLASSES = 16;
    private static final int KEPT_OF_CLASS = 16;
    static final long KEPT_LIMIT_BYTES = 16 << 20;

    private final MessageAllocator allocator;
    private final Counters counters;
    private final MessageMemory[][] kept = new MessageMemory[CLASSES][];
    private final int[] sizes = new int[CLASSES];
    private long keptBytes;
    private boolean ended;

    FetchMemory(MessageAllocator allocator, Counters counters) {
        this.allocator = allocator;
        this.counters = counters;
    }

    private static int sizeClass(long bytes) {
        return Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(Math.max(1, bytes) - 1) - SMALLEST_BITS);
    }

    /** Throws what {@link MessageAllocator#allocate} throws. */
    MessageMemory take(long bytes) {
        int sizeClass = sizeClass(bytes);
        if (sizeClass >= CLASSES) {
            return MessageMemory.unzeroed(allocator, bytes);
        }
        if (sizes[sizeClass] == 0) {
            return MessageMemory.unzeroed(allocator, 1L << sizeClass + SMALLEST_BITS);
        }
        MessageMemory memory = kept[sizeClass][--sizes[sizeClass]];
        kept[sizeClass][sizes[sizeClass]] = null;
        keptBytes -= memory.bytes();
        counters.increment(Counter.HANDLER_MEMORY_REUSED);
        return memory;
    }

    /** @param isLeft it is not to be used again: a program may still have views of it, which must find it closed */
    void giveBack(MessageMemory memory, boolean isLeft) {
        int sizeClass = sizeClass(memory.bytes());
        if (isLeft || ended || sizeClass >= CLASSES || keptBytes + memory.bytes() > KEPT_LIMIT_BYTES) {
            close(memory);
            return;
        }
        if (kept[sizeClass] == null) {
            kept[sizeClass] = new MessageMemory[KEPT_OF_CLASS];
        }
        if (sizes[sizeClass] == KEPT_OF_CLASS) {
            close(memory);
            return;
        }
        kept[sizeClass][sizes[sizeClass]++] = memory;
        keptBytes += memory.bytes();
    }

    private static void close(MessageMemory memory) {
        try {
            memory.close();
        } catch (IllegalStateException e) {
            // A handler sends it on: it goes when it is collected.
            return;
        }
    }

    /** Nothing is kept any more. */
    void end() {
        ended = true;
        for (int i = 0; i < CLASSES; i++) {
            while (sizes[i] > 0) {
                close(kept[i][--sizes[i]]);
            }
        }
        keptBytes = 0;
    }
}
