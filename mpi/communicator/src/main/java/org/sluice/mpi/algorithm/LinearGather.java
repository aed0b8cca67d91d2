package org.sluice.mpi.algorithm;

import org.sluice.mpi.schedule.Schedule;

/** Each rank sends its block to the root: n - 1 messages, all at once. */
public final class LinearGather implements Algorithm {
    @Override
    public void write(Shape shape, Schedule schedule) {
        int rank = shape.rank();
        if (rank != shape.root()) {
            schedule.send(shape.root(), Schedule.SEND, 0, shape.bytes());
        } else {
            for (int peer = 0; peer < shape.size(); peer++) {
                if (peer != rank) {
                    schedule.receive(
                            peer,
                            Schedule.RECEIVE,
                            shape.receive().at(peer),
                            shape.receive().bytes(peer));
                }
            }
            if (!shape.isInPlace()) {
                schedule.copy(
                        Schedule.SEND, 0, Schedule.RECEIVE, shape.receive().at(rank), shape.bytes());
            }
        }
        schedule.endRound();
    }
}
