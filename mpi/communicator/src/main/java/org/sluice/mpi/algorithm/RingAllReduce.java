package org.sluice.mpi.algorithm;

import org.sluice.mpi.schedule.Schedule;

/**
 * Blocks go round in a ring twice: first each is folded on its way, then the results are handed on (Patarasuk and Yuan
 * 2009). 2 (n - 1) rounds, in which each rank sends every byte less than twice, whatever n is: for what is large and
 * may change places. It goes piece by piece, so that a block is still in the cache when it is folded.
 */
public final class RingAllReduce implements Algorithm {
    /** Of a block, between nodes, where each round waits for all ranks to have their turn: measured over TCP. */
    private static final long WIRE_BYTES = 256 << 10;

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
        long most = shape.isInMemory() ? BinomialReduce.PIECE_BYTES : WIRE_BYTES;
        long piece = Math.max(1, most / shape.unit()) * shape.size();
        for (long begin = 0; begin < items; begin += piece) {
            new Piece(shape, schedule, begin, Math.min(piece, items - begin)).write();
        }
    }

    /** Some of the items, of which each rank has a block. */
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
            int rounds = shape.size() - 1;
            for (int round = 0; round < rounds; round++) {
                // A block's first rank sends what it has itself; the others what they have folded.
                int from = round == 0 ? Schedule.SEND : Schedule.RECEIVE;
                schedule.send(shape.ahead(1), from, at(shape.behind(round)), bytes(shape.behind(round)));
                fold(shape.behind(round + 1));
                schedule.endRound();
            }
            for (int round = 0; round < rounds; round++) {
                int out = shape.behind(round + rounds);
                int in = shape.behind(round);
                schedule.send(shape.ahead(1), Schedule.RECEIVE, at(out), bytes(out));
                schedule.receive(shape.behind(1), Schedule.RECEIVE, at(in), bytes(in));
                schedule.endRound();
            }
        }

        private void fold(int block) {
            long length = bytes(block);
            if (shape.isInPlace()) {
                schedule.reserve(Schedule.TEMP, length);
                schedule.receive(shape.behind(1), Schedule.TEMP, 0, length);
                schedule.reduce(Schedule.TEMP, 0, Schedule.RECEIVE, at(block), length);
            } else {
                schedule.receive(shape.behind(1), Schedule.RECEIVE, at(block), length);
                schedule.reduce(Schedule.SEND, at(block), Schedule.RECEIVE, at(block), length);
            }
        }

        /** Of a rank's block, in whole items. */
        private long at(int block) {
            return (begin + items * block / shape.size()) * shape.unit();
        }

        private long bytes(int block) {
            return at(block + 1) - at(block);
        }
    }
}
