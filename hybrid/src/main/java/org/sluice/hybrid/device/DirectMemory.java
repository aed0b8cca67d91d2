package org.sluice.hybrid.device;

import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.buffer.MessageAllocator;
import org.sluice.device.memory.Memory;

/**
 * Message buffers of a device that shares no memory with another process. <i>Thread</i>: any. <i>Proof</i>:
 * {@code DirectMemoryTest}.
 *
 * <p>The address that the system gave stands in the word before the aligned one.
 */
final class DirectMemory implements MessageAllocator {
    private static final int ROOM = Memory.CACHE_LINE + Long.BYTES;

    @Override
    public long allocate(long bytes) {
        long address = allocateUnzeroed(bytes);
        Memory.setZero(address, bytes);
        return address;
    }

    @Override
    public long allocateUnzeroed(long bytes) {
        long given;
        try {
            given = Memory.allocate(Math.addExact(bytes, ROOM));
        } catch (OutOfMemoryError | ArithmeticException | IllegalArgumentException e) {
            throw new SluiceException(
                    ErrorCode.NO_MEMORY,
                    -1,
                    "no memory for a message buffer of " + bytes + " bytes: free some, or ask for less",
                    e);
        }
        long aligned = (given + ROOM) & -Memory.CACHE_LINE;
        Memory.putLong(aligned - Long.BYTES, given);
        return aligned;
    }

    @Override
    public void free(long address, long bytes) {
        Memory.free(Memory.getLong(address - Long.BYTES));
    }
}
