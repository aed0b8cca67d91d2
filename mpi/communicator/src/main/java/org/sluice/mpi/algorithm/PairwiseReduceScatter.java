package org.sluice.mpi.algorithm;

import org.sluice.mpi.schedule.Schedule;

/**
 * Each rank sends the others their blocks, and folds what it got in the order of ranks: no byte goes further than it
 * has to.
 */
public final class PairwiseReduceScatter implements Algorithm {
    @Override
    public void write(Shape shape, Schedule schedule) {
        int rank = shape.rank();
        int size = shape.size();
        Blocks send = shape.send();
        long block = send.bytes(rank);
        schedule.reserve(Schedule.TEMP, block * size);
        for (int distance = 1; distance < size; distance++) {
            int to = shape.ahead(distance);
            int from = shape.behind(distance);
            schedule.send(to, Schedule.SEND, send.at(to), send.bytes(to));
            schedule.receive(from, Schedule.TEMP, from * block, block);
            schedule.endRound();
        }
        schedule.copy(Schedule.SEND, send.at(rank), Schedule.TEMP, rank * block, block);
        for (int peer = 1; peer < size; peer++) {
            schedule.reduce(Schedule.TEMP, (peer - 1) * block, Schedule.TEMP, peer * block, block);
        }
        schedule.copy(Schedule.TEMP, (size - 1) * block, Schedule.RECEIVE, 0, block);
        schedule.endRound();
    }
}
