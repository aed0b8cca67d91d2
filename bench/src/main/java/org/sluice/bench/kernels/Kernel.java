package org.sluice.bench.kernels;

import org.sluice.mpi.Communicator;

/** One kernel. */
interface Kernel {
    /**
     * Runs it once; all ranks call this together, and all get the same.
     *
     * @param world of as many ranks as {@link NasKernel#checkRanks} allows
     */
    Outcome run(Communicator world, ProblemClass size);
}
