package org.sluice.device.buffer;

import java.util.concurrent.atomic.AtomicInteger;
import org.sluice.device.memory.Memory;

/** Plain memory that knows how often it was taken and given back. */
final class CountingAllocator implements MessageAllocator {
    final AtomicInteger allocated = new AtomicInteger();
    final AtomicInteger freed = new AtomicInteger();

    @Override
    public long allocate(long bytes) {
        long address = Memory.allocate(Math.max(1, bytes));
        Memory.setZero(address, bytes);
        allocated.incrementAndGet();
        return address;
    }

    @Override
    public void free(long address, long bytes) {
        freed.incrementAndGet();
        Memory.free(address);
    }
}
