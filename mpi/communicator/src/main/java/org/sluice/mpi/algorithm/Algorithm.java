package org.sluice.mpi.algorithm;

import org.sluice.mpi.schedule.Schedule;

/** One way to do a collective. Without state: all that it depends on is in the shape. */
@FunctionalInterface
public interface Algorithm {
    /** Writes what this rank does, behind what the schedule has already. */
    void write(Shape shape, Schedule schedule);

    /** Whether it can do the collective at all; the same at all ranks. */
    default boolean fits(Shape shape) {
        return true;
    }
}
