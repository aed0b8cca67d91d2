package org.sluice.device.buffer;

/**
 * Where {@link MessageMemory} comes from: a segment's arena, registered memory, or plain direct memory.
 *
 * <p><i>Thread</i>: any. <i>Fails</i>: {@link #allocate} with a SluiceException NO_MEMORY that names the needed and the
 * free size.
 */
public interface MessageAllocator {
    /** Absolute address of zeroed memory, aligned to a cache line. */
    long allocate(long bytes);

    /** As {@link #allocate}, for who overwrites all of it: with whatever was there. */
    default long allocateUnzeroed(long bytes) {
        return allocate(bytes);
    }

    void free(long address, long bytes);
}
