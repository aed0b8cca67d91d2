package org.sluice.mpi.algorithm;

import org.sluice.mpi.schedule.Schedule;

/**
 * Ranks exchange all that they have with one as far away again: log n rounds, and nothing is copied on the way. For a
 * power of two of ranks, and blocks of one size.
 */
public final class RecursiveDoublingAllGather implements Algorithm {
    @Override
    public boolean fits(Shape shape) {
        return Integer.bitCount(shape.size()) == 1;
    }

    @Override
    public void write(Shape shape, Schedule schedule) {
        int rank = shape.rank();
        long block = shape.receive().bytes(rank);
        if (!shape.isInPlace()) {
            schedule.copy(Schedule.SEND, 0, Schedule.RECEIVE, rank * block, block);
            schedule.endRound();
        }
        for (int have = 1; have < shape.size(); have <<= 1) {
            int peer = rank ^ have;
            schedule.send(peer, Schedule.RECEIVE, (rank & -have) * block, have * block);
            schedule.receive(peer, Schedule.RECEIVE, (peer & -have) * block, have * block);
            schedule.endRound();
        }
    }
}
