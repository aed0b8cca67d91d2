package org.sluice.bench.kernels;

import org.sluice.mpi.Communicator;

/** One kernel. */
interface Kernel {
    /**
     * Runs it once; all ranks call this together, and all get the same.
     *
     * @param world of as many ranks as {@link KernelName#checkRanks} allows
     * @param warmUp for what belongs before the clock starts
     */
    Outcome run(Communicator world, Problem problem, WarmUp warmUp);
}
