package org.sluice.mpi.algorithm;

import org.sluice.mpi.schedule.Schedule;

/**
 * Blocks are folded on their way round a ring, and the root gets the results: n rounds, in which each rank sends every
 * byte once and folds every byte once, whatever n is: for what is long and may change places. It goes piece by piece,
 * so that a block is still in the cache when it is folded.
 */
public final class RingReduce implements Algorithm {
    @Override
    public boolean fits(Shape shape) {
        return shape.isCommutative();
    }

    @Override
    public void write(Shape shape, Schedule schedule) {
        if (shape.size() == 1) {
            schedule.copy(Schedule.SEND, 0, Schedule.RECEIVE, 0, shape.isInPlace() ? 0 : shape.bytes());
            schedule.endRound();
            return;
        }
        long items = shape.bytes() / shape.unit();
        long piece = Math.max(1, BinomialReduce.PIECE_BYTES / shape.unit()) * shape.size();
        for (long begin = 0; begin < items; begin += piece) {
            new Piece(shape, schedule, begin, Math.min(piece, items - begin)).write();
        }
    }

    /** Some of the items, of which each rank folds a block. */
    private static final class Piece {
        private final Shape shape;
        private final Schedule schedule;
        private final long begin;
        private final long items;

        Piece(Shape shape, Schedule schedule, long begin, long items) {
            this.shape = shape;
            this.schedule = schedule;
            this.begin = begin;
            this.items = items;
        }

        void write() {
            schedule.reserve(Schedule.TEMP, items * shape.unit());
            int rounds = shape.size() - 1;
            for (int round = 0; round < rounds; round++) {
                int out = shape.behind(round);
                int in = shape.behind(round + 1);
                // A block's first rank sends what it has itself; the others what they have folded.
                int from = round == 0 ? Schedule.SEND : Schedule.TEMP;
                schedule.send(shape.ahead(1), from, round == 0 ? at(out) : inTemp(out), bytes(out));
                schedule.receive(shape.behind(1), Schedule.TEMP, inTemp(in), bytes(in));
                schedule.reduce(Schedule.SEND, at(in), Schedule.TEMP, inTemp(in), bytes(in));
                schedule.endRound();
            }
            int own = shape.ahead(1);
            if (shape.rank() != shape.root()) {
                schedule.send(shape.root(), Schedule.TEMP, inTemp(own), bytes(own));
            } else {
                for (int distance = 1; distance <= rounds; distance++) {
                    int block = shape.ahead(distance + 1);
                    schedule.receive(shape.ahead(distance), Schedule.RECEIVE, at(block), bytes(block));
                }
                schedule.copy(Schedule.TEMP, inTemp(own), Schedule.RECEIVE, at(own), bytes(own));
            }
            schedule.endRound();
        }

        /** Of a rank's block, in whole items. */
        private long at(int block) {
            return begin * shape.unit() + inTemp(block);
        }

        private long inTemp(int block) {
            return items * block / shape.size() * shape.unit();
        }

        private long bytes(int block) {
            return inTemp(block + 1) - inTemp(block);
        }
    }
}
