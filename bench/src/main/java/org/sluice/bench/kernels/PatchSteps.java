package org.sluice.bench.kernels;

/** How patches of all ranks go through steps together. */
interface PatchSteps extends AutoCloseable {
    /** All ranks call this together. */
    void run(int steps);

    @Override
    void close();
}
