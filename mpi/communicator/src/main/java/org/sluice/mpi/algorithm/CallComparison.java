package org.sluice.mpi.algorithm;

import org.sluice.mpi.schedule.Schedule;

/**
 * Before a collective: one that calls something else has a neighbour that finds it, as each message says what its
 * sender calls.
 */
public final class CallComparison implements Algorithm {
    @Override
    public void write(Shape shape, Schedule schedule) {
        if (shape.size() > 1) {
            schedule.send(shape.ahead(1), Schedule.SEND, 0, 0);
            schedule.receive(shape.behind(1), Schedule.RECEIVE, 0, 0);
            schedule.endRound();
        }
    }
}
