package org.sluice.mpi.algorithm;

import org.sluice.mpi.schedule.Schedule;

/**
 * Blocks go round in a ring: n - 1 rounds, in which each rank sends every byte but its neighbour's once. The own block
 * goes out of the contribution: where others read the result, each line that is written there has to be fetched back
 * from a core that may be far away.
 */
public final class RingAllGather implements Algorithm {
    @Override
    public void write(Shape shape, Schedule schedule) {
        int rank = shape.rank();
        int size = shape.size();
        Blocks blocks = shape.receive();
        for (int round = 0; round < size - 1; round++) {
            int out = shape.behind(round);
            int in = shape.behind(round + 1);
            if (round == 0 && !shape.isInPlace()) {
                schedule.send(shape.ahead(1), Schedule.SEND, 0, blocks.bytes(rank));
            } else {
                schedule.send(shape.ahead(1), Schedule.RECEIVE, blocks.at(out), blocks.bytes(out));
            }
            schedule.receive(shape.behind(1), Schedule.RECEIVE, blocks.at(in), blocks.bytes(in));
            schedule.endRound();
        }
        if (!shape.isInPlace()) {
            schedule.copy(Schedule.SEND, 0, Schedule.RECEIVE, blocks.at(rank), blocks.bytes(rank));
            schedule.endRound();
        }
    }
}
