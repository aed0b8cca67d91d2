package org.sluice.mpi.algorithm;

import org.sluice.mpi.schedule.Schedule;

/**
 * Ranks exchange what they have with one as far away again: log n rounds, for what is small. Where n is no power of
 * two, ranks without a place give their contribution to a neighbour first, and get the result from him. Operands stay
 * in the order of ranks.
 */
public final class RecursiveDoublingAllReduce implements Algorithm {
    @Override
    public void write(Shape shape, Schedule schedule) {
        int rank = shape.rank();
        long bytes = shape.bytes();
        int power = Integer.highestOneBit(shape.size());
        int extra = shape.size() - power;
        if (rank < 2 * extra && rank % 2 == 0) {
            schedule.send(rank + 1, Schedule.SEND, 0, bytes);
            schedule.endRound();
            schedule.receive(rank + 1, Schedule.RECEIVE, 0, bytes);
            schedule.endRound();
            return;
        }
        Folding folding = new Folding(shape, schedule);
        if (rank < 2 * extra) {
            folding.receive(rank - 1);
        }
        int place = rank < 2 * extra ? rank / 2 : rank - extra;
        for (int mask = 1; mask < power; mask <<= 1) {
            int other = place ^ mask;
            folding.exchange(other < extra ? 2 * other + 1 : other + extra);
        }
        folding.finish();
        if (rank < 2 * extra) {
            schedule.send(rank - 1, Schedule.RECEIVE, 0, bytes);
            schedule.endRound();
        }
    }
}
