package org.sluice.shm.ring;

import java.util.function.Supplier;
import org.sluice.device.memory.Memory;

/**
 * Says after a copy whether pages of this rank's segment were taken away. Zeros take the place of such pages and
 * nothing is thrown ({@link MemoryFaults}), so whoever copied out of the segment, or into it, asks before anybody is
 * told of a message.
 *
 * <p>As long as nobody harms the process, asking costs one load of a word that never changes. <i>Thread</i>: any.
 * <i>Proof</i>: {@code SegmentCorruptionTest}, {@code LostSegmentTest}.
 */
public final class LostMemory {
    /** Of memory that nobody can take away. */
    public static final LostMemory NEVER = new LostMemory(0, null);

    /** Where this process counts mappings that it lost; 0: nothing does. */
    private final long count;

    private final Supplier<String> check;
    /** Up to here they were others'; whoever sees an old one looks once more. */
    private int seen;

    /**
     * @param count what {@code OsCalls.lostCount} returned
     * @param check what is wrong with this rank's segment, or null; any thread; not asked if nothing counts
     */
    public LostMemory(long count, Supplier<String> check) {
        this.count = Math.max(0, count);
        this.check = check;
        this.seen = count > 0 ? Memory.getIntVolatile(count) : 0;
    }

    /** What is wrong with the segment, where the copy that the caller just made may be of zeros; else null. */
    public String found() {
        if (count == 0) {
            return null;
        }
        // Keeps the copy's loads before this one; the count grows before zeros can be read.
        Memory.loadFence();
        int now = Memory.getInt(count);
        return now == seen ? null : look(now);
    }

    private String look(int now) {
        String wrong = check.get();
        if (wrong == null) {
            seen = now;
        }
        return wrong;
    }
}
