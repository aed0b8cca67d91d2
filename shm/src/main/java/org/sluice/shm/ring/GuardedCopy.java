package org.sluice.shm.ring;

import org.sluice.device.buffer.MappedMemory;
import org.sluice.device.channel.GetResult;
import org.sluice.device.memory.Memory;

/**
 * A copy from a peer's memory to the program's where either may lose its pages, and who did decides who is told. The
 * program's own memory is looked at, as its fault is the program's alone. <i>Thread</i>: any. <i>Proof</i>:
 * {@code LostBufferCases}, {@code SegmentCorruptionTest}.
 */
public final class GuardedCopy {
    private GuardedCopy() {}

    /**
     * @return {@link GetResult#DONE}, {@link GetResult#TARGET_LOST}, or {@link GetResult#FAILED}: then it was the
     *     source
     */
    public static GetResult copy(Object fromBase, long from, Object base, long address, int bytes) {
        // What something else left pending would be taken for a fault of this copy.
        MemoryFaults.settle();
        try {
            Memory.copy(fromBase, from, base, address, bytes);
            if (!MemoryFaults.settle()) {
                return GetResult.DONE;
            }
        } catch (InternalError e) {
            MemoryFaults.settle();
        }
        return afterFault(base, address, bytes);
    }

    /** Whose fault it was that a copy met. */
    public static GetResult afterFault(Object base, long address, int bytes) {
        return base == null && MappedMemory.isGone(address, bytes, true) ? GetResult.TARGET_LOST : GetResult.FAILED;
    }
}
