package org.sluice.hybrid.route;

import org.sluice.device.buffer.MessageAllocator;
import org.sluice.device.memory.Memory;

/** Memory of no segment and no adapter. */
public final class PlainMemory implements MessageAllocator {
    @Override
    public long allocate(long bytes) {
        return Memory.allocate(Math.max(1, bytes));
    }

    @Override
    public void free(long address, long bytes) {
        Memory.free(address);
    }
}
