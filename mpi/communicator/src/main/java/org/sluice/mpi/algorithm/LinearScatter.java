package org.sluice.mpi.algorithm;

import org.sluice.mpi.schedule.Schedule;

/** The root sends each rank its block: n - 1 messages, all at once. */
public final class LinearScatter implements Algorithm {
    @Override
    public void write(Shape shape, Schedule schedule) {
        int rank = shape.rank();
        if (rank != shape.root()) {
            schedule.receive(shape.root(), Schedule.RECEIVE, 0, shape.receive().bytes(rank));
        } else {
            for (int peer = 0; peer < shape.size(); peer++) {
                if (peer != rank) {
                    schedule.send(
                            peer,
                            Schedule.SEND,
                            shape.send().at(peer),
                            shape.send().bytes(peer));
                }
            }
            if (!shape.isInPlace()) {
                schedule.copy(
                        Schedule.SEND,
                        shape.send().at(rank),
                        Schedule.RECEIVE,
                        0,
                        shape.send().bytes(rank));
            }
        }
        schedule.endRound();
    }
}
