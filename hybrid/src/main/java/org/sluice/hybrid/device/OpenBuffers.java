package org.sluice.hybrid.device;

import java.util.concurrent.atomic.LongAdder;
import org.sluice.device.buffer.MessageAllocator;

/**
 * Memory for message buffers, which knows how much of it nobody has given back. <i>Thread</i>: any. <i>Proof</i>:
 * {@code CoroutineLeakTest}.
 */
final class OpenBuffers implements MessageAllocator {
    private final MessageAllocator memory;
    private final LongAdder bytes = new LongAdder();
    private final LongAdder count = new LongAdder();

    OpenBuffers(MessageAllocator memory) {
        this.memory = memory;
    }

    @Override
    public long allocate(long size) {
        return opened(memory.allocate(size), size);
    }

    @Override
    public long allocateUnzeroed(long size) {
        return opened(memory.allocateUnzeroed(size), size);
    }

    private long opened(long address, long size) {
        bytes.add(size);
        count.increment();
        return address;
    }

    @Override
    public void free(long address, long size) {
        memory.free(address, size);
        bytes.add(-size);
        count.decrement();
    }

    @Override
    public String toString() {
        return count.sum() + " open message buffers, " + bytes.sum() + " bytes";
    }
}
