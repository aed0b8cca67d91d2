package org.sluice.mpi.cell;

import java.nio.ByteBuffer;
import org.sluice.device.memory.Memory;

/**
 * A rank's cells where all ranks are threads of one JVM, and a place for each cell where it shows arrays of its caller.
 * The cells are outside of the heap: of an array nobody knows where its cache lines begin. They are a direct buffer's,
 * so that the JVM collects what communicators leave before there is too much of it.
 *
 * <p><i>Thread</i>: the rank's writes, all read; ordered by the cells' words. <i>Owns</i>: the memory, until this is
 * collected.
 */
public final class ThreadCells {
    private final ByteBuffer memory = ByteBuffer.allocateDirect(Cells.blockBytes(Cells.FEW) + Cells.ALIGNMENT);
    private final long address = Memory.address(memory) + Cells.ALIGNMENT - 1 & -Cells.ALIGNMENT;
    private final Object[] shown = new Object[2 * Cells.FEW];

    /** Where they are as long as this can be reached. */
    public long address() {
        return address;
    }

    public Object[] shown() {
        return shown;
    }
}
