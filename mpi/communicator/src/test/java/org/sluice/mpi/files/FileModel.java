package org.sluice.mpi.files;

import java.util.Arrays;

/** A file as a plain array, and what ranks see of it, byte by byte. */
final class FileModel {
    private byte[] bytes = new byte[0];
    final FileView[] views;
    final long[] positions;
    long sharedPosition;

    FileModel(int ranks) {
        views = new FileView[ranks];
        positions = new long[ranks];
        Arrays.fill(views, FileView.ALL_BYTES);
    }

    int size() {
        return bytes.length;
    }

    void setSize(int size) {
        bytes = Arrays.copyOf(bytes, size);
    }

    void setView(int rank, FileView view) {
        views[rank] = view;
        positions[rank] = 0;
        sharedPosition = 0;
    }

    int etype(int rank) {
        return (int) views[rank].etype().size();
    }

    /** Where a byte that a rank sees is: item after item, run after run. */
    int place(int rank, long seen) {
        long[] places = views[rank].filetype().runPlaces();
        long[] lengths = views[rank].filetype().runLengths();
        long left = seen;
        for (long item = views[rank].displacement();
                ;
                item += views[rank].filetype().extent()) {
            for (int run = 0; run < places.length; run++) {
                if (left < lengths[run]) {
                    return (int) (item + places[run] + left);
                }
                left -= lengths[run];
            }
        }
    }

    void write(int rank, long etypes, byte[] written) {
        for (int i = 0; i < written.length; i++) {
            int place = place(rank, etypes * etype(rank) + i);
            if (place >= bytes.length) {
                setSize(place + 1);
            }
            bytes[place] = written[i];
        }
    }

    /** As many as there are before the file ends. */
    byte[] read(int rank, long etypes, int most) {
        byte[] got = new byte[most];
        for (int i = 0; i < most; i++) {
            int place = place(rank, etypes * etype(rank) + i);
            if (place >= bytes.length) {
                return Arrays.copyOf(got, i);
            }
            got[i] = bytes[place];
        }
        return got;
    }

    /** In etypes: what a rank sees before the file's end. */
    long end(int rank) {
        long seen = 0;
        while (place(rank, seen) < bytes.length) {
            seen++;
        }
        return seen / etype(rank);
    }
}
