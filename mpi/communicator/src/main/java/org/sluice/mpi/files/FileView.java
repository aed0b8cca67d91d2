package org.sluice.mpi.files;

import org.sluice.mpi.Layout;

/**
 * Which bytes of a file a rank sees: those of items of {@code filetype}, one after another, from {@code displacement}
 * on. Immutable.
 *
 * @param displacement in bytes, 0 or more
 * @param etype what offsets and pointers are in
 * @param filetype made of whole etypes, each behind the one before it; holes are bytes that the rank doesn't see
 */
public record FileView(long displacement, Layout etype, Layout filetype) {
    static final FileView ALL_BYTES = new FileView(0, Layout.BYTE, Layout.BYTE);

    /** @throws IllegalArgumentException if it can't be the view of a file */
    public FileView {
        if (displacement < 0) {
            throw new IllegalArgumentException("the displacement is " + displacement + ": 0 or more");
        }
        if (etype == null || filetype == null) {
            throw new IllegalArgumentException((etype == null ? "the etype" : "the filetype")
                    + " is null: give a Layout, Layout.BYTE for all bytes");
        }
        long[] places = filetype.runPlaces();
        long[] lengths = filetype.runLengths();
        long end = 0;
        boolean isRising = filetype.size() > 0;
        for (int i = 0; i < places.length; i++) {
            isRising &= places[i] >= end;
            end = places[i] + lengths[i];
        }
        if (!isRising || end > filetype.extent()) {
            throw new IllegalArgumentException("the filetype " + filetype
                    + " can't be one: each element lies behind the one before it, within the extent");
        }
        if (etype.size() == 0 || filetype.size() % etype.size() != 0) {
            throw new IllegalArgumentException(
                    "the filetype " + filetype + " isn't made of whole items of the etype " + etype);
        }
    }
}
