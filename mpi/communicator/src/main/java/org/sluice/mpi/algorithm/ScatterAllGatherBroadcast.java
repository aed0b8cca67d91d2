package org.sluice.mpi.algorithm;

import org.sluice.mpi.schedule.Schedule;

/**
 * A block for each rank goes down a tree, and then all blocks round in a ring (van de Geijn 1994): log n + n - 1
 * rounds, in which the root sends every byte less than twice, whatever n is: for what is long. Nobody is sent what he
 * has, so that nothing is written at the root.
 */
public final class ScatterAllGatherBroadcast implements Algorithm {
    /** Blocks begin with whole elements, of whatever type. */
    private static final long ALIGNMENT = 64;

    @Override
    public void write(Shape shape, Schedule schedule) {
        new Way(shape, schedule).write();
    }

    private static final class Way {
        private final Shape shape;
        private final Schedule schedule;
        private final int size;
        private final long bytes;
        private final long block;
        /** As if the root were rank 0. */
        private final int turned;

        Way(Shape shape, Schedule schedule) {
            this.shape = shape;
            this.schedule = schedule;
            this.size = shape.size();
            this.bytes = shape.receive().bytes(shape.rank());
            long even = (bytes + size - 1) / size;
            this.block = (even + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
            this.turned = shape.behind(shape.root());
        }

        private long at(int number) {
            return Math.min(bytes, number * block);
        }

        void write() {
            int below = BinomialGather.subtree(turned, size);
            if (turned != 0) {
                int parent = turned - Integer.lowestOneBit(turned);
                schedule.receive(rank(parent), Schedule.RECEIVE, at(turned), at(turned + below) - at(turned));
                schedule.endRound();
            }
            for (int distance = Integer.highestOneBit(Math.max(1, below - 1)); distance > 0; distance >>= 1) {
                int child = turned + distance;
                if (distance < below) {
                    long end = at(child + BinomialGather.subtree(child, size));
                    schedule.send(rank(child), Schedule.RECEIVE, at(child), end - at(child));
                }
            }
            schedule.endRound();
            for (int round = 0; round < size - 1; round++) {
                int out = Math.floorMod(turned - round, size);
                int in = Math.floorMod(turned - round - 1, size);
                if (!has((turned + 1) % size, out)) {
                    schedule.send(shape.ahead(1), Schedule.RECEIVE, at(out), at(out + 1) - at(out));
                }
                if (!has(turned, in)) {
                    schedule.receive(shape.behind(1), Schedule.RECEIVE, at(in), at(in + 1) - at(in));
                }
                schedule.endRound();
            }
        }

        /** Whether a block came down the tree to this one. */
        private boolean has(int who, int number) {
            return number >= who && number < who + BinomialGather.subtree(who, size);
        }

        private int rank(int ofTurned) {
            return (ofTurned + shape.root()) % size;
        }
    }
}
