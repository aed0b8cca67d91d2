package org.sluice.mpi.algorithm;

import org.sluice.mpi.schedule.Schedule;

/** In round k each rank sends to the one k ahead and receives from the one k behind: nobody gets two at once. */
public final class PairwiseAllToAll implements Algorithm {
    @Override
    public void write(Shape shape, Schedule schedule) {
        int rank = shape.rank();
        Blocks send = shape.send();
        Blocks receive = shape.receive();
        schedule.copy(Schedule.SEND, send.at(rank), Schedule.RECEIVE, receive.at(rank), send.bytes(rank));
        schedule.endRound();
        for (int distance = 1; distance < shape.size(); distance++) {
            int to = shape.ahead(distance);
            int from = shape.behind(distance);
            schedule.send(to, Schedule.SEND, send.at(to), send.bytes(to));
            schedule.receive(from, Schedule.RECEIVE, receive.at(from), receive.bytes(from));
            schedule.endRound();
        }
    }
}
