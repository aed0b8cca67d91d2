package org.sluice.mpi.algorithm;

import org.sluice.mpi.schedule.Schedule;

/**
 * Blocks of one size are handed up a tree, more in each round: the root gets log n messages, for small blocks of many
 * ranks. They lie from the root's on, and are turned round at the end.
 */
public final class BinomialGather implements Algorithm {
    @Override
    public void write(Shape shape, Schedule schedule) {
        int size = shape.size();
        int turned = shape.behind(shape.root());
        int below = subtree(turned, size);
        long block = shape.bytes();
        if (turned != 0 && below == 1) {
            schedule.send(parent(shape, turned), Schedule.SEND, 0, block);
            schedule.endRound();
            return;
        }
        schedule.reserve(Schedule.TEMP, below * block);
        for (int distance = 1; distance < below; distance <<= 1) {
            int child = turned + distance;
            schedule.receive(
                    (child + shape.root()) % size, Schedule.TEMP, distance * block, subtree(child, size) * block);
        }
        boolean isInPlace = turned == 0 && shape.isInPlace();
        int own = isInPlace ? Schedule.RECEIVE : Schedule.SEND;
        schedule.copy(own, isInPlace ? shape.root() * block : 0, Schedule.TEMP, 0, block);
        schedule.endRound();
        if (turned != 0) {
            schedule.send(parent(shape, turned), Schedule.TEMP, 0, below * block);
        } else {
            long behind = (size - shape.root()) * block;
            schedule.copy(Schedule.TEMP, 0, Schedule.RECEIVE, shape.root() * block, behind);
            schedule.copy(Schedule.TEMP, behind, Schedule.RECEIVE, 0, shape.root() * block);
        }
        schedule.endRound();
    }

    private static int parent(Shape shape, int turned) {
        return (turned - Integer.lowestOneBit(turned) + shape.root()) % shape.size();
    }

    /** How many ranks hang on this one, itself included: those from it on. */
    static int subtree(int turned, int size) {
        return turned == 0 ? size : Math.min(Integer.lowestOneBit(turned), size - turned);
    }
}
