package org.sluice.mpi.cell;

/**
 * A rank's cells where all ranks are threads of one JVM, and a place for each cell where it shows arrays of its caller.
 *
 * <p><i>Thread</i>: the rank's writes, all read; ordered by the cells' words.
 */
public final class HeapCells {
    private final long[] words = new long[Cells.blockBytes(Cells.FEW) / Long.BYTES];
    private final Object[] shown = new Object[2 * Cells.FEW];

    public long[] words() {
        return words;
    }

    public Object[] shown() {
        return shown;
    }
}
