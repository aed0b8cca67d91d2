package org.sluice.bench.kernels;

import org.sluice.mpi.Communicator;

/**
 * What a kernel does before its clock starts: some of what it is timed for, once as NPB does, and again until compilers
 * are through. Only the problem itself will do for that: a smaller one sends messages by other ways.
 */
final class WarmUp {
    private final Communicator world;
    private final long leastNs;

    /** @param leastNs 0: once */
    WarmUp(Communicator world, long leastNs) {
        this.world = world;
        this.leastNs = leastNs;
    }

    /** All ranks call this together, and do it equally often. */
    void repeat(Runnable some) {
        long start = System.nanoTime();
        boolean[] goesOn = {true};
        while (goesOn[0]) {
            some.run();
            goesOn[0] = System.nanoTime() - start < leastNs;
            world.broadcast(goesOn, 0);
        }
        world.barrier();
    }
}
