package org.sluice.mpi.algorithm;

import org.sluice.mpi.schedule.Schedule;

/** The root sends it to each: n - 1 messages, all at once, and nobody hands anything on. */
public final class LinearBroadcast implements Algorithm {
    @Override
    public void write(Shape shape, Schedule schedule) {
        long bytes = shape.receive().bytes(shape.rank());
        if (shape.rank() != shape.root()) {
            schedule.receive(shape.root(), Schedule.RECEIVE, 0, bytes);
        } else {
            for (int distance = 1; distance < shape.size(); distance++) {
                schedule.send(shape.ahead(distance), Schedule.RECEIVE, 0, bytes);
            }
        }
        schedule.endRound();
    }
}
