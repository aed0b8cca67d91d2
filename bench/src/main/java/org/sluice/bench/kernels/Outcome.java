package org.sluice.bench.kernels;

import org.sluice.mpi.Communicator;
import org.sluice.mpi.Reduction;

/**
 * What came of a run.
 *
 * @param operations as NPB counts them
 * @param seconds of the timed part, on the slowest rank
 * @param isVerified whether the result is the official one
 * @param value the result, and what it should be, for people
 */
record Outcome(double operations, double seconds, boolean isVerified, String value) {
    private static final double MEGA = 1e6;
    private static final double NANO = 1e-9;

    /** @param startNs when the timed part began on this rank; it ends with this call */
    static double secondsSince(long startNs, Communicator world) {
        double[] seconds = {(System.nanoTime() - startNs) * NANO};
        double[] most = new double[1];
        world.allReduce(seconds, most, Reduction.MAX);
        return most[0];
    }

    /** Whether a result differs from the official one by no more than this part of it. */
    static boolean isNear(double value, double official, double part) {
        return Math.abs((value - official) / official) <= part;
    }

    double mops() {
        return operations / seconds / MEGA;
    }
}
