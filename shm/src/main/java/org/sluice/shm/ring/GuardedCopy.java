package org.sluice.shm.ring;

import org.sluice.device.buffer.MappedMemory;
import org.sluice.device.channel.Channel;
import org.sluice.device.memory.Memory;

/**
 * A copy from a peer's memory to the program's where either may lose its pages, and who did decides who is told. The
 * program's own memory is looked at, as its fault is the program's alone. <i>Thread</i>: any. <i>Proof</i>:
 * {@code LostBufferCases}, {@code SegmentCorruptionTest}.
 */
public final class GuardedCopy {
    private GuardedCopy() {}

    /**
     * @return {@link Channel#GET_DONE}, {@link Channel#GET_TARGET_LOST}, or {@link Channel#GET_FAILED}: then it was the
     *     source
     */
    public static int copy(Object fromBase, long from, Object base, long address, int bytes) {
        // What something else left pending would be taken for a fault of this copy.
        MemoryFaults.settle();
        try {
            Memory.copy(fromBase, from, base, address, bytes);
            if (!MemoryFaults.settle()) {
                return Channel.GET_DONE;
            }
        } catch (InternalError e) {
            MemoryFaults.settle();
        }
        return afterFault(base, address, bytes);
    }

    /** Whose fault it was that a copy met. */
    public static int afterFault(Object base, long address, int bytes) {
        return base == null && MappedMemory.isGone(address, bytes, true) ? Channel.GET_TARGET_LOST : Channel.GET_FAILED;
    }
}
