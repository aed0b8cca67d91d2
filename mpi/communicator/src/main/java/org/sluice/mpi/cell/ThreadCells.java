package org.sluice.mpi.cell;

import java.lang.ref.Cleaner;
import org.sluice.device.memory.Memory;

/**
 * A rank's cells where all ranks are threads of one JVM, and a place for each cell where it shows arrays of its caller.
 * The cells are outside of the heap: of an array nobody knows where its cache lines begin.
 *
 * <p><i>Thread</i>: the rank's writes, all read; ordered by the cells' words. <i>Owns</i>: the memory, until this is
 * collected.
 */
public final class ThreadCells {
    private static final Cleaner CLEANER = Cleaner.create();

    private final long address;
    private final Object[] shown = new Object[2 * Cells.FEW];

    public ThreadCells() {
        int bytes = Cells.blockBytes(Cells.FEW);
        long given = Memory.allocate(bytes + Cells.ALIGNMENT);
        CLEANER.register(this, () -> Memory.free(given));
        address = given + Cells.ALIGNMENT - 1 & -Cells.ALIGNMENT;
        Memory.setZero(address, bytes);
    }

    /** Where they are as long as this can be reached. */
    public long address() {
        return address;
    }

    public Object[] shown() {
        return shown;
    }
}
