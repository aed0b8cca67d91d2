package org.sluice.mpi.algorithm;

import org.sluice.mpi.schedule.Schedule;

/**
 * Ranks exchange halves of what they have, with one half as far away each time, until each has folded a block; then
 * what is done the other way round (Rabenseifner 2004). 2 log n rounds, in which each rank sends every byte less than
 * twice: for what is large and may change places, of a power of two ranks, where a round costs more than a ring's
 * smaller messages gain.
 */
public final class HalvingAllReduce implements Algorithm {
    @Override
    public boolean fits(Shape shape) {
        return shape.isCommutative() && shape.size() > 1 && Integer.bitCount(shape.size()) == 1;
    }

    @Override
    public void write(Shape shape, Schedule schedule) {
        long items = shape.bytes() / shape.unit();
        long piece = Math.max(1, PIECE_BYTES / shape.unit());
        for (long begin = 0; begin < items; begin += piece) {
            new Piece(shape, schedule, begin, Math.min(piece, items - begin)).write();
        }
    }

    private static final long PIECE_BYTES = Long.getLong("x.piece", 512 << 10);

    /** Some of the items, of which each rank folds a block. */
    private static final class Piece {
        private final Shape shape;
        private final Schedule schedule;
        private final long begin;
        private final long items;
        /** The blocks that this rank has: from the first to the one before the last. */
        private int first;

        private int end;

        Piece(Shape shape, Schedule schedule, long begin, long items) {
            this.shape = shape;
            this.schedule = schedule;
            this.begin = begin;
            this.items = items;
        }

        void write() {
            first = 0;
            end = shape.size();
            for (int away = shape.size() / 2; away > 0; away /= 2) {
                halve(away);
            }
            for (int away = 1; away < shape.size(); away *= 2) {
                doubleWith(away);
            }
        }

        private void halve(int away) {
            int peer = shape.rank() ^ away;
            boolean isFirstRound = end - first == shape.size();
            int other = shape.rank() < peer ? first + away : first;
            // What it has itself, and then what it has folded.
            int from = isFirstRound ? Schedule.SEND : Schedule.RECEIVE;
            schedule.send(peer, from, at(other), at(other + away) - at(other));
            first += shape.rank() < peer ? 0 : away;
            end = first + away;
            long length = at(end) - at(first);
            if (isFirstRound && !shape.isInPlace()) {
                schedule.receive(peer, Schedule.RECEIVE, at(first), length);
                schedule.reduce(Schedule.SEND, at(first), Schedule.RECEIVE, at(first), length);
            } else {
                schedule.reserve(Schedule.TEMP, length);
                schedule.receive(peer, Schedule.TEMP, 0, length);
                schedule.reduce(Schedule.TEMP, 0, Schedule.RECEIVE, at(first), length);
            }
            schedule.endRound();
        }

        private void doubleWith(int away) {
            int peer = shape.rank() ^ away;
            int other = shape.rank() < peer ? end : first - away;
            schedule.send(peer, Schedule.RECEIVE, at(first), at(end) - at(first));
            schedule.receive(peer, Schedule.RECEIVE, at(other), at(other + away) - at(other));
            schedule.endRound();
            first = Math.min(first, other);
            end = first + 2 * away;
        }

        /** Of a block, in whole items. */
        private long at(int block) {
            return (begin + items * block / shape.size()) * shape.unit();
        }
    }
}
