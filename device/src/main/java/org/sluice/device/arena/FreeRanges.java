package org.sluice.device.arena;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Hands out ranges of one extent, first fit, and joins neighbours that come back.
 *
 * <p><i>Thread</i>: under the arena's lock. <i>Fails</i>: a range that was not handed out is an
 * {@link IllegalArgumentException}. <i>Proof</i>: {@code FreeRangesTest}, against a list of bytes.
 */
final class FreeRanges {
    static final int ALIGNMENT = 64;
    static final long NONE = -1;

    private final TreeMap<Long, Long> free = new TreeMap<>();
    private final Map<Long, Long> taken = new HashMap<>();
    /** What lies from here on was never handed out and is still zero. */
    private long touched;

    FreeRanges(long bytes) {
        free.put(0L, bytes / ALIGNMENT * ALIGNMENT);
    }

    /** The place of a range, or {@link #NONE}. */
    long allocate(long bytes) {
        long size = roundUp(bytes);
        for (Map.Entry<Long, Long> range : free.entrySet()) {
            if (range.getValue() >= size) {
                long at = range.getKey();
                long rest = range.getValue() - size;
                free.remove(at);
                if (rest > 0) {
                    free.put(at + size, rest);
                }
                taken.put(at, size);
                return at;
            }
        }
        return NONE;
    }

    static long roundUp(long bytes) {
        return Math.max(ALIGNMENT, bytes + (ALIGNMENT - 1) & -ALIGNMENT);
    }

    /** How many bytes from {@code at} on may hold old data; called once after each allocate. */
    long touch(long at) {
        long end = at + taken.get(at);
        long old = Math.min(end, touched) - at;
        touched = Math.max(touched, end);
        return Math.max(0, old);
    }

    /** @return how many bytes it was */
    long free(long at) {
        Long size = taken.remove(at);
        if (size == null) {
            throw new IllegalArgumentException("nothing was allocated at offset " + at + ", or it was freed already");
        }
        long start = at;
        long end = at + size;
        Map.Entry<Long, Long> before = free.lowerEntry(at);
        if (before != null && before.getKey() + before.getValue() == at) {
            start = before.getKey();
            free.remove(start);
        }
        Long after = free.remove(end);
        free.put(start, (after == null ? end : end + after) - start);
        return size;
    }

    /** Of a range that was handed out. */
    long sizeOf(long at) {
        return taken.get(at);
    }

    boolean isUnused() {
        return taken.isEmpty();
    }

    int pieces() {
        return free.size();
    }
}
