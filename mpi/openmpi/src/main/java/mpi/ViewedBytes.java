package mpi;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.sluice.mpi.Layout;

/** The bytes of a file that a view shows, numbered as if they lay together. Immutable. */
final class ViewedBytes {
    private final long disp;
    private final long size;
    private final long extent;
    private final long[] places;
    private final long[] lengths;
    /** What offsets are in. */
    private final long etypeBytes;

    ViewedBytes(FileView view) throws MPIException {
        Layout items = Datatype.used(view.getFileType()).layout();
        etypeBytes = Datatype.used(view.getEType()).layout().size();
        disp = view.getDisp();
        size = items.size();
        extent = items.extent();
        places = items.runPlaces();
        lengths = items.runLengths();
        if (disp < 0) {
            throw Errors.of(MPI.ERR_DISP, "the displacement is " + disp + ": 0 or more");
        }
        boolean isRising = extent > 0 && size > 0 && etypeBytes > 0 && places[0] >= 0;
        for (int i = 1; i < places.length; i++) {
            isRising &= places[i] >= places[i - 1] + lengths[i - 1];
        }
        if (!isRising || size % etypeBytes != 0 || places[places.length - 1] + lengths[lengths.length - 1] > extent) {
            throw Errors.of(
                    MPI.ERR_TYPE,
                    "the filetype " + view.getFileType() + " can't be one: it is made of whole etypes, each behind the"
                            + " one before it");
        }
    }

    long etypeBytes() {
        return etypeBytes;
    }

    /** Where a byte is in the file. */
    long inFile(long viewed) {
        long rest = viewed % size;
        int run = 0;
        while (rest >= lengths[run]) {
            rest -= lengths[run++];
        }
        return disp + viewed / size * extent + places[run] + rest;
    }

    /** How many lie together from a byte on. */
    private long together(long viewed) {
        if (size == extent) {
            return Long.MAX_VALUE;
        }
        long rest = viewed % size;
        int run = 0;
        while (rest >= lengths[run]) {
            rest -= lengths[run++];
        }
        return lengths[run] - rest;
    }

    /** How many there are before a place in the file. */
    long before(long inFile) {
        if (inFile <= disp) {
            return 0;
        }
        long rest = (inFile - disp) % extent;
        long count = (inFile - disp) / extent * size;
        for (int run = 0; run < places.length; run++) {
            count += Math.max(0, Math.min(lengths[run], rest - places[run]));
        }
        return count;
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
