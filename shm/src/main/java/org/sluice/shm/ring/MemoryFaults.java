package org.sluice.shm.ring;

import org.sluice.device.memory.Memory;

/**
 * What HotSpot does when a page of a mapping is gone: the access yields nonsense and an {@link InternalError} follows.
 * JDK 25 throws it soon, JDK 17 only when the thread comes back from the JVM's own code, which may be much later and in
 * somebody else's method.
 *
 * <p>That is so for what the JDK mapped. In mappings of the native library such a page becomes zeros and no error
 * follows (docs/project/adr/0018-own-answer-to-sigbus.md).
 *
 * <p>Whoever finds nonsense, or has just copied much, calls {@link #settle}, so that the error ends here. <i>Proof</i>:
 * {@code MemoryFaultsTest}, {@code SegmentCorruptionTest}.
 */
public final class MemoryFaults {
    private MemoryFaults() {}

    /**
     * Takes the error that an earlier access of this thread left pending; returns whether there was one. Costs about
     * 100 ns.
     */
    public static boolean settle() {
        try {
            Memory.settle();
            return false;
        } catch (InternalError e) {
            return true;
        }
    }
}
