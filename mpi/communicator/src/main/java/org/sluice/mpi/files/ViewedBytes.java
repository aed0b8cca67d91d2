package org.sluice.mpi.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;

/** The bytes of a file that a view shows, numbered as if they lay together. Immutable. */
final class ViewedBytes {
    private final long displacement;
    /** Of one item of the filetype: what is seen of it, and all. */
    private final long size;

    private final long extent;
    /** Runs of bytes that lie together in an item: where, and how many bytes are seen before. */
    private final long[] places;

    private final long[] before;

    ViewedBytes(FileView view) {
        displacement = view.displacement();
        size = view.filetype().size();
        extent = view.filetype().extent();
        places = view.filetype().runPlaces();
        before = new long[places.length];
        long[] lengths = view.filetype().runLengths();
        for (int i = 1; i < before.length; i++) {
            before[i] = before[i - 1] + lengths[i - 1];
        }
    }

    /** The last run whose value is not above this one; -1 if all are. */
    private static int runOf(long[] sorted, long value) {
        int found = Arrays.binarySearch(sorted, value);
        return found >= 0 ? found : -found - 2;
    }

    private long length(int run) {
        return (run + 1 < before.length ? before[run + 1] : size) - before[run];
    }

    /** Where a byte is in the file. */
    long inFile(long viewed) {
        long rest = viewed % size;
        int run = runOf(before, rest);
        long item = Math.multiplyExact(viewed / size, extent);
        return Math.addExact(displacement + places[run] + rest - before[run], item);
    }

    /** How many lie together from a byte on. */
    private long together(long viewed) {
        if (size == extent) {
            return Long.MAX_VALUE;
        }
        long rest = viewed % size;
        int run = runOf(before, rest);
        return before[run] + length(run) - rest;
    }

    /** How many there are before a place in the file. */
    long before(long inFile) {
        if (inFile <= displacement) {
            return 0;
        }
        long rest = (inFile - displacement) % extent;
        long items = (inFile - displacement) / extent * size;
        int run = runOf(places, rest);
        return run < 0 ? items : items + before[run] + Math.min(length(run), rest - places[run]);
    }

    /** Reads until the buffer is full or the file ends; returns how many came. */
    int read(FileChannel file, long viewed, ByteBuffer into) throws IOException {
        int begin = into.position();
        int end = into.limit();
        boolean isOver = false;
        while (into.position() < end && !isOver) {
            long at = viewed + into.position() - begin;
            into.limit((int) Math.min(end, into.position() + Math.min(together(at), end)));
            isOver = file.read(into, inFile(at)) < 0;
            into.limit(end);
        }
        return into.position() - begin;
    }

    void write(FileChannel file, long viewed, ByteBuffer from) throws IOException {
        int begin = from.position();
        int end = from.limit();
        while (from.position() < end) {
            long at = viewed + from.position() - begin;
            from.limit((int) Math.min(end, from.position() + Math.min(together(at), end)));
            file.write(from, inFile(at));
            from.limit(end);
        }
    }
}
