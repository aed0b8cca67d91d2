package org.sluice.mpi.algorithm;

import org.sluice.mpi.schedule.Schedule;

/**
 * In round k each rank tells the one 2^k ahead and hears from the one 2^k behind (Hensgen, Finkel, Manber 1988): log n
 * rounds.
 */
public final class DisseminationBarrier implements Algorithm {
    @Override
    public void write(Shape shape, Schedule schedule) {
        for (int distance = 1; distance < shape.size(); distance <<= 1) {
            schedule.send(shape.ahead(distance), Schedule.SEND, 0, 0);
            schedule.receive(shape.behind(distance), Schedule.RECEIVE, 0, 0);
            schedule.endRound();
        }
    }
}
