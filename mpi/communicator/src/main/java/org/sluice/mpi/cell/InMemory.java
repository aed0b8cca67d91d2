package org.sluice.mpi.cell;

import org.sluice.mpi.algorithm.Collective;
import org.sluice.mpi.algorithm.Shape;
import org.sluice.mpi.schedule.Computation;

/** Collectives in memory that all ranks reach. <i>Thread</i>: one of each rank. */
public interface InMemory {
    /**
     * Carries one out.
     *
     * @param send this rank's contribution, from a place in bytes on
     * @param receive where the result goes; of a broadcast also what the root gives
     * @param signature what all ranks have to say alike of the call
     */
    void run(
            Collective collective,
            Shape shape,
            Computation computation,
            Object send,
            long sendBegin,
            Object receive,
            long receiveBegin,
            int signature);

    /** Nothing of the caller's is kept any longer. */
    void forget();
}
