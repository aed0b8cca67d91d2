package org.sluice.mpi.algorithm;

import org.sluice.mpi.schedule.Schedule;

/**
 * Blocks go round in a ring twice: first each is folded on its way, then the results are handed on (Patarasuk and Yuan
 * 2009). 2 (n - 1) rounds, in which each rank sends every byte less than twice, whatever n is: for what is large and
 * may change places.
 */
public final class RingAllReduce implements Algorithm {
    @Override
    public void write(Shape shape, Schedule schedule) {
        int size = shape.size();
        if (size == 1) {
            schedule.copy(Schedule.SEND, 0, Schedule.RECEIVE, 0, shape.isInPlace() ? 0 : shape.bytes());
            schedule.endRound();
            return;
        }
        long items = shape.bytes() / shape.unit();
        long most = (items / size + 1) * shape.unit();
        schedule.reserve(Schedule.TEMP, most);
        for (int round = 0; round < size - 1; round++) {
            int out = shape.behind(round);
            int in = shape.behind(round + 1);
            // A block's first rank sends what it has itself; the others what they have folded.
            int from = round == 0 ? Schedule.SEND : Schedule.RECEIVE;
            schedule.send(shape.ahead(1), from, at(shape, out), bytes(shape, out));
            if (shape.isInPlace()) {
                schedule.receive(shape.behind(1), Schedule.TEMP, 0, bytes(shape, in));
                schedule.reduce(Schedule.TEMP, 0, Schedule.RECEIVE, at(shape, in), bytes(shape, in));
            } else {
                schedule.receive(shape.behind(1), Schedule.RECEIVE, at(shape, in), bytes(shape, in));
                schedule.reduce(Schedule.SEND, at(shape, in), Schedule.RECEIVE, at(shape, in), bytes(shape, in));
            }
            schedule.endRound();
        }
        for (int round = 0; round < size - 1; round++) {
            int out = shape.behind(round + size - 1);
            int in = shape.behind(round);
            schedule.send(shape.ahead(1), Schedule.RECEIVE, at(shape, out), bytes(shape, out));
            schedule.receive(shape.behind(1), Schedule.RECEIVE, at(shape, in), bytes(shape, in));
            schedule.endRound();
        }
    }

    /** Of a rank's block, in whole items. */
    private static long at(Shape shape, int block) {
        long items = shape.bytes() / shape.unit();
        return items * block / shape.size() * shape.unit();
    }

    private static long bytes(Shape shape, int block) {
        return at(shape, block + 1) - at(shape, block);
    }
}
