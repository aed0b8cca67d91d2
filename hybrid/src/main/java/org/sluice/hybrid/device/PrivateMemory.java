package org.sluice.hybrid.device;

import org.sluice.device.arena.Arena;
import org.sluice.device.buffer.MessageAllocator;

/**
 * Message buffers of a device that shares no memory with another process, but has an RDMA device: out of an arena,
 * whose extents that registers, except for those that are too large to be kept when they are closed. <i>Thread</i>:
 * any. <i>Proof</i>: {@code RegisteredPoolRxeTest}.
 *
 * @param mostBytes of a buffer that lies in the arena
 */
record PrivateMemory(Arena arena, DirectMemory large, long mostBytes) implements MessageAllocator {
    @Override
    public long allocate(long bytes) {
        return of(bytes).allocate(bytes);
    }

    @Override
    public long allocateUnzeroed(long bytes) {
        return of(bytes).allocateUnzeroed(bytes);
    }

    @Override
    public void free(long address, long bytes) {
        of(bytes).free(address, bytes);
    }

    private MessageAllocator of(long bytes) {
        return bytes > mostBytes ? large : arena;
    }
}
