package org.sluice.hybrid.device;

import org.sluice.device.buffer.MessageAllocator;
import org.sluice.shm.segment.SegmentChannel;

/** Message buffers that peers of this node read where they lie. <i>Thread</i>: any. */
record ArenaMemory(SegmentChannel segments) implements MessageAllocator {
    @Override
    public long allocate(long bytes) {
        return segments.allocate(bytes);
    }

    @Override
    public void free(long address, long bytes) {
        segments.free(address);
    }
}
