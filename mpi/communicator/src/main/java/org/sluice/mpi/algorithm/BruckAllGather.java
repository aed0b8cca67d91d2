package org.sluice.mpi.algorithm;

import org.sluice.mpi.schedule.Schedule;

/**
 * In round k each rank sends all that it has to the one 2^k behind (Bruck and others 1997): log n rounds, for small
 * blocks of one size. What it has lies from its own block on, and is turned round at the end.
 */
public final class BruckAllGather implements Algorithm {
    @Override
    public void write(Shape shape, Schedule schedule) {
        int rank = shape.rank();
        int size = shape.size();
        long block = shape.receive().bytes(rank);
        schedule.reserve(Schedule.TEMP, block * size);
        if (shape.isInPlace()) {
            schedule.copy(Schedule.RECEIVE, shape.receive().at(rank), Schedule.TEMP, 0, block);
        } else {
            schedule.copy(Schedule.SEND, 0, Schedule.TEMP, 0, block);
        }
        schedule.endRound();
        for (int have = 1; have < size; have <<= 1) {
            long bytes = Math.min(have, size - have) * block;
            schedule.send(shape.behind(have), Schedule.TEMP, 0, bytes);
            schedule.receive(shape.ahead(have), Schedule.TEMP, have * block, bytes);
            schedule.endRound();
        }
        schedule.copy(Schedule.TEMP, 0, Schedule.RECEIVE, rank * block, (size - rank) * block);
        schedule.copy(Schedule.TEMP, (size - rank) * block, Schedule.RECEIVE, 0, rank * block);
        schedule.endRound();
    }
}
