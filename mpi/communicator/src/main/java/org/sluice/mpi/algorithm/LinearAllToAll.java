package org.sluice.mpi.algorithm;

import org.sluice.mpi.schedule.Schedule;

/**
 * All blocks at once, each rank beginning with the one ahead of it: who waits for a core delays nobody else's block.
 */
public final class LinearAllToAll implements Algorithm {
    @Override
    public void write(Shape shape, Schedule schedule) {
        int rank = shape.rank();
        Blocks send = shape.send();
        Blocks receive = shape.receive();
        for (int distance = 1; distance < shape.size(); distance++) {
            int to = shape.ahead(distance);
            int from = shape.behind(distance);
            schedule.send(to, Schedule.SEND, send.at(to), send.bytes(to));
            schedule.receive(from, Schedule.RECEIVE, receive.at(from), receive.bytes(from));
        }
        schedule.copy(Schedule.SEND, send.at(rank), Schedule.RECEIVE, receive.at(rank), send.bytes(rank));
        schedule.endRound();
    }
}
