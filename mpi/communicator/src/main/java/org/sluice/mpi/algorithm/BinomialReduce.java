package org.sluice.mpi.algorithm;

import org.sluice.mpi.schedule.Schedule;

/**
 * Two results become one, and so on: log n rounds, n - 1 messages in all. Operands stay in the order of ranks, from the
 * root on if they may change places; else rank 0 has the result, and sends it to the root. What is long goes piece by
 * piece, so that one is folded while the next is on its way, and a piece is still in the cache when it is folded.
 */
public final class BinomialReduce implements Algorithm {
    /** Pieces of this size leave at once through shared memory. */
    static final long PIECE_BYTES = 32 << 10;
    /**
     * Pieces of this size are read where they lie if that is faster, as it is where cores are far from each other; what
     * is longer would need as much temporary memory.
     */
    private static final long READ_BYTES = 4 << 20;

    @Override
    public void write(Shape shape, Schedule schedule) {
        long bytes = shape.bytes();
        long most = shape.isPairInMemory() ? READ_BYTES : PIECE_BYTES;
        long piece = Math.max(1, most / shape.unit()) * shape.unit();
        long at = 0;
        do {
            new Piece(shape, schedule, at, Math.min(piece, bytes - at)).write();
            at += piece;
        } while (at < bytes);
    }

    /** The way of some of the items. */
    private static final class Piece {
        private final Shape shape;
        private final Schedule schedule;
        private final long begin;
        private final long bytes;
        /** Where this rank's part of the result is, and whether it lies there as in the caller's buffers. */
        private int result = Schedule.SEND;

        Piece(Shape shape, Schedule schedule, long begin, long bytes) {
            this.shape = shape;
            this.schedule = schedule;
            this.begin = begin;
            this.bytes = bytes;
        }

        /** Temporary buffers hold one piece alone. */
        private long at(int buffer) {
            return buffer < Schedule.TEMP ? begin : 0;
        }

        void write() {
            int top = shape.isCommutative() ? shape.root() : 0;
            boolean isTop = shape.rank() == top;
            boolean isRoot = shape.rank() == shape.root();
            fold(top, isTop && isRoot);
            if (top != shape.root()) {
                if (isTop) {
                    schedule.send(shape.root(), result, at(result), bytes);
                } else if (isRoot) {
                    schedule.receive(top, Schedule.RECEIVE, begin, bytes);
                }
                schedule.endRound();
            } else if (isRoot) {
                boolean isThere = shape.isInPlace() && result == Schedule.SEND;
                schedule.copy(result, at(result), Schedule.RECEIVE, begin, isThere ? 0 : bytes);
                schedule.endRound();
            }
        }

        private void fold(int top, boolean isForCaller) {
            int size = shape.size();
            int turned = shape.behind(top);
            for (int mask = 1; mask < size; mask <<= 1) {
                if ((turned & mask) != 0) {
                    schedule.send((turned - mask + top) % size, result, at(result), bytes);
                    schedule.endRound();
                    return;
                }
                if (turned + mask < size) {
                    receive((turned + mask + top) % size, isForCaller && mask << 1 >= size);
                }
            }
        }

        private void receive(int peer, boolean isLastForCaller) {
            int incoming = result == Schedule.TEMP ? Schedule.TEMP + 1 : Schedule.TEMP;
            if (isLastForCaller && !(shape.isInPlace() && result == Schedule.SEND)) {
                incoming = Schedule.RECEIVE;
            } else {
                schedule.reserve(incoming, bytes);
            }
            schedule.receive(peer, incoming, at(incoming), bytes);
            schedule.reduce(result, at(result), incoming, at(incoming), bytes);
            schedule.endRound();
            result = incoming;
        }
    }
}
