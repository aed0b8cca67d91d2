package org.sluice.mpi.algorithm;

import org.sluice.mpi.schedule.Schedule;

/** Who has it gives it to the one as far away again: log n rounds, n - 1 messages in all. */
public final class BinomialBroadcast implements Algorithm {
    @Override
    public void write(Shape shape, Schedule schedule) {
        int size = shape.size();
        int turned = shape.behind(shape.root());
        long bytes = shape.receive().bytes(shape.rank());
        int mask = 1;
        while (mask < size && (turned & mask) == 0) {
            mask <<= 1;
        }
        if (turned != 0) {
            schedule.receive((turned - mask + shape.root()) % size, Schedule.RECEIVE, 0, bytes);
            schedule.endRound();
        }
        for (int distance = mask >> 1; distance > 0; distance >>= 1) {
            if (turned + distance < size) {
                schedule.send((turned + distance + shape.root()) % size, Schedule.RECEIVE, 0, bytes);
            }
        }
        schedule.endRound();
    }
}
