package org.sluice.mpi.schedule;

/** What a schedule computes with. */
public interface Computation {
    /** {@code right = left op right}; places are in bytes from the beginnings of arrays. */
    void reduce(Object left, long leftAt, Object right, long rightAt, long bytes);

    /** An array of at least so many bytes that can be reduced, for the schedule alone until it has ended. */
    Object temp(int number, long bytes);
}
