package org.sluice.mpi.algorithm;

import org.sluice.mpi.schedule.Schedule;

/**
 * Blocks of one size are handed down a tree, fewer in each round: the root sends log n messages, for small blocks of
 * many ranks. They lie from the root's on, for which they are turned round first.
 */
public final class BinomialScatter implements Algorithm {
    @Override
    public void write(Shape shape, Schedule schedule) {
        int size = shape.size();
        int root = shape.root();
        int turned = shape.behind(root);
        int below = BinomialGather.subtree(turned, size);
        long block = turned == 0 ? shape.bytes() : shape.receive().bytes(shape.rank());
        boolean isLeaf = turned != 0 && below == 1;
        if (turned == 0) {
            schedule.reserve(Schedule.TEMP, size * block);
            schedule.copy(Schedule.SEND, root * block, Schedule.TEMP, 0, (size - root) * block);
            schedule.copy(Schedule.SEND, 0, Schedule.TEMP, (size - root) * block, root * block);
        } else {
            int parent = (turned - Integer.lowestOneBit(turned) + root) % size;
            int into = isLeaf ? Schedule.RECEIVE : Schedule.TEMP;
            if (!isLeaf) {
                schedule.reserve(Schedule.TEMP, below * block);
            }
            schedule.receive(parent, into, 0, below * block);
        }
        schedule.endRound();
        for (int distance = Integer.highestOneBit(below); distance > 0; distance >>= 1) {
            int child = turned + distance;
            if (distance < below) {
                schedule.send(
                        (child + root) % size,
                        Schedule.TEMP,
                        distance * block,
                        BinomialGather.subtree(child, size) * block);
            }
        }
        if (!isLeaf && !shape.isInPlace()) {
            schedule.copy(Schedule.TEMP, 0, Schedule.RECEIVE, 0, block);
        }
        schedule.endRound();
    }
}
