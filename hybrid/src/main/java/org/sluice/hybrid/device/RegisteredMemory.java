package org.sluice.hybrid.device;

import org.sluice.device.buffer.MessageAllocator;
import org.sluice.ib.memory.RegistrationCache;

/**
 * Message buffers of a device that may have them registered with an RDMA device, which lets go of them before they are
 * freed.
 */
record RegisteredMemory(MessageAllocator memory, RegistrationCache registrations) implements MessageAllocator {
    @Override
    public long allocate(long bytes) {
        return memory.allocate(bytes);
    }

    @Override
    public long allocateUnzeroed(long bytes) {
        return memory.allocateUnzeroed(bytes);
    }

    @Override
    public void free(long address, long bytes) {
        // Else it stays: a peer could still read or write there.
        if (registrations.freed(address)) {
            memory.free(address, bytes);
        }
    }
}
