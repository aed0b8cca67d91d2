package org.sluice.device.arena;

/**
 * One stretch of the arena in memory.
 *
 * @param offset where it begins in the segment's file, if it is of one
 * @param address where it begins in this process
 */
public record Extent(long offset, long bytes, long address, Object keepAlive) {
    /** Whether all of these bytes of the file are in it; safe against overflow, as the numbers may come from a peer. */
    public boolean covers(long from, long length) {
        return covers(offset, bytes, from, length);
    }

    /** Whether all of these bytes of this process are in it. */
    public boolean holds(long from, long length) {
        return covers(address, bytes, from, length);
    }

    private static boolean covers(long start, long size, long from, long length) {
        return from >= start && length >= 0 && length <= size && from - start <= size - length;
    }
}
