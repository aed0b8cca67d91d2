package org.sluice.mpi.algorithm;

import org.sluice.mpi.schedule.Schedule;

/**
 * Two results become one, and so on: log n rounds, n - 1 messages in all. Operands stay in the order of ranks, from the
 * root on if they may change places; else rank 0 has the result, and sends it to the root.
 */
public final class BinomialReduce implements Algorithm {
    @Override
    public void write(Shape shape, Schedule schedule) {
        long bytes = shape.bytes();
        int top = shape.isCommutative() ? shape.root() : 0;
        boolean isTop = shape.rank() == top;
        boolean isRoot = shape.rank() == shape.root();
        int result = fold(shape, schedule, top, isTop && isRoot);
        if (top != shape.root()) {
            if (isTop) {
                schedule.send(shape.root(), result, 0, bytes);
            } else if (isRoot) {
                schedule.receive(top, Schedule.RECEIVE, 0, bytes);
            }
            schedule.endRound();
        } else if (isRoot) {
            schedule.copy(result, 0, Schedule.RECEIVE, 0, shape.isInPlace() && result == Schedule.SEND ? 0 : bytes);
            schedule.endRound();
        }
    }

    /** @return the buffer that has this rank's part of the result */
    private static int fold(Shape shape, Schedule schedule, int top, boolean isForCaller) {
        int size = shape.size();
        int turned = shape.behind(top);
        long bytes = shape.bytes();
        int result = Schedule.SEND;
        for (int mask = 1; mask < size; mask <<= 1) {
            if ((turned & mask) != 0) {
                schedule.send((turned - mask + top) % size, result, 0, bytes);
                schedule.endRound();
                return result;
            }
            if (turned + mask < size) {
                int incoming = result == Schedule.TEMP ? Schedule.TEMP + 1 : Schedule.TEMP;
                boolean isLast = mask << 1 >= size || turned + (mask << 1) >= size && turned == 0;
                if (isForCaller && isLast && !(shape.isInPlace() && result == Schedule.SEND)) {
                    incoming = Schedule.RECEIVE;
                } else {
                    schedule.reserve(incoming, bytes);
                }
                schedule.receive((turned + mask + top) % size, incoming, 0, bytes);
                schedule.reduce(result, 0, incoming, 0, bytes);
                schedule.endRound();
                result = incoming;
            }
        }
        return result;
    }
}
