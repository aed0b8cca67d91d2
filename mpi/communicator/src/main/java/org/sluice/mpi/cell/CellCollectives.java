package org.sluice.mpi.cell;

import org.sluice.device.buffer.UserBuffer;
import org.sluice.device.memory.Memory;
import org.sluice.mpi.algorithm.Collective;
import org.sluice.mpi.algorithm.Shape;
import org.sluice.mpi.schedule.Computation;

/**
 * Collectives in cells: what is short in one turn, broadcasts and reductions of any length in as many as they need.
 * Each rank reads what it needs of the others by itself; operands are folded in the order of ranks, the same way
 * everywhere.
 *
 * <p><i>Thread</i>: one of each rank.
 */
public final class CellCollectives implements InMemory {
    /** Above it a rank would read more cells than a tree has messages. */
    public static final int MOST_RANKS = 16;

    private static final int PAIR = 2;
    /** Of all blocks of a rank that go to one other each, of several: above it their pieces would be too short. */
    private static final long MOST_TO_ALL = 8L * Cells.CELL_BYTES;

    private final Cells cells;
    private final int rank;
    private final int size;

    private Object sendBase;
    private long sendAt;
    private Object receiveBase;
    private long receiveAt;
    private int signature;
    private final Fold fold = new Fold();

    public CellCollectives(Cells cells, int rank, int size) {
        this.cells = cells;
        this.rank = rank;
        this.size = size;
    }

    /** Whether a call can be done here; the same on all its ranks, which is why it looks at nothing else. */
    public static boolean takes(Collective collective, long bytes, long unit, int size) {
        if (size > MOST_RANKS || unit > Cells.CELL_BYTES) {
            return false;
        }
        switch (collective) {
            case BARRIER:
            case BROADCAST:
            case REDUCE:
            case ALL_REDUCE:
                return true;
            case ALL_GATHER:
                return true;
            case ALL_TO_ALL:
                return size == PAIR || bytes * size <= MOST_TO_ALL;
            case SCAN:
            case EXCLUSIVE_SCAN:
                return bytes <= Cells.CELL_BYTES;
            case REDUCE_SCATTER_BLOCK:
                return bytes * size <= Cells.CELL_BYTES;
            default:
                return false;
        }
    }

    /** Whether many cells help: two ranks send each other blocks that are longer than a cell. */
    public static boolean wantsMany(Collective collective, long bytes, int size) {
        return size == PAIR
                && bytes > Cells.CELL_BYTES
                && (collective == Collective.ALL_GATHER || collective == Collective.ALL_TO_ALL);
    }

    @Override
    public void run(
            Collective collective,
            Shape shape,
            Computation computation,
            Object send,
            long sendBegin,
            Object receive,
            long receiveBegin,
            int newSignature) {
        signature = newSignature;
        Object newSendBase = UserBuffer.base(send);
        if (sendBase != newSendBase) {
            sendBase = newSendBase;
        }
        sendAt = UserBuffer.address(send, 0, false) + sendBegin;
        Object newReceiveBase = UserBuffer.base(receive);
        if (receiveBase != newReceiveBase) {
            receiveBase = newReceiveBase;
        }
        receiveAt = UserBuffer.address(receive, 0, true) + receiveBegin;
        if (collective.isReduction()) {
            fold.take(computation, shape, send, sendBegin, receive, receiveBegin);
        }
        switch (collective) {
            case BARRIER:
                barrier();
                break;
            case BROADCAST:
                broadcast(shape.root(), shape.receive().bytes(rank));
                break;
            case ALL_GATHER:
                allGather(shape);
                break;
            case ALL_TO_ALL:
                allToAll(shape);
                break;
            case REDUCE:
                // The root's own share is read by nobody else.
                fold(shape, rank == shape.root(), rank != shape.root() || shape.isInPlace());
                break;
            case ALL_REDUCE:
                fold(shape, true, true);
                break;
            case REDUCE_SCATTER_BLOCK:
                reduceScatter(shape);
                break;
            default:
                scan(shape, collective == Collective.SCAN ? rank : rank - 1);
                break;
        }
    }

    @Override
    public void forget() {
        sendBase = null;
        receiveBase = null;
        fold.forget();
    }

    private void barrier() {
        int turn = cells.next();
        cells.room(turn, 0);
        cells.publish(turn, signature);
        awaitAll(turn, 0);
        cells.allAreAt(turn);
        cells.done(turn);
    }

    private void awaitAll(int turn, long bytes) {
        for (int peer = 0; peer < size; peer++) {
            if (peer != rank) {
                cells.await(peer, turn, signature, bytes);
            }
        }
    }

    private void broadcast(int root, long bytes) {
        long at = 0;
        do {
            int turn = cells.next();
            long length = Math.min(Cells.CELL_BYTES, bytes - at);
            if (rank == root) {
                cells.publish(turn, signature, receiveBase, receiveAt + at, length);
            } else {
                long payload = cells.await(root, turn, signature, length);
                Memory.copy(null, payload, receiveBase, receiveAt + at, length);
            }
            cells.done(turn);
            at += length;
        } while (at < bytes);
    }

    private void allGather(Shape shape) {
        long block = shape.receive().bytes(rank);
        Object base = shape.isInPlace() ? receiveBase : sendBase;
        long at = shape.isInPlace() ? receiveAt + rank * block : sendAt;
        if (block > Cells.CELL_BYTES) {
            pieces(true, block, Cells.CELL_BYTES, base, at);
            copyOwn(shape, base, at, block);
        } else {
            int turn = cells.next();
            cells.publish(turn, signature, base, at, block);
            copyOwn(shape, base, at, block);
            for (int peer = 0; peer < size; peer++) {
                if (peer != rank) {
                    long payload = cells.await(peer, turn, signature, block);
                    Memory.copy(null, payload, receiveBase, receiveAt + peer * block, block);
                }
            }
            cells.allAreAt(turn);
            cells.done(turn);
        }
    }

    private void copyOwn(Shape shape, Object base, long at, long block) {
        if (!shape.isInPlace()) {
            Memory.copy(base, at, receiveBase, receiveAt + rank * block, block);
        }
    }

    private void allToAll(Shape shape) {
        long block = shape.send().bytes(rank);
        long all = block * size;
        if (all > Cells.CELL_BYTES) {
            pieces(false, block, Cells.CELL_BYTES / (size - 1), sendBase, sendAt);
            Memory.copy(sendBase, sendAt + rank * block, receiveBase, receiveAt + rank * block, block);
        } else {
            int turn = cells.next();
            cells.publish(turn, signature, sendBase, sendAt, all);
            Memory.copy(sendBase, sendAt + rank * block, receiveBase, receiveAt + rank * block, block);
            for (int peer = 0; peer < size; peer++) {
                if (peer != rank) {
                    long payload = cells.await(peer, turn, signature, all);
                    Memory.copy(null, payload + rank * block, receiveBase, receiveAt + peer * block, block);
                }
            }
            cells.allAreAt(turn);
            cells.done(turn);
        }
    }

    /**
     * Blocks in several turns, of which each rank shows as many as it has cells before it reads: where ranks share
     * cores, none has to be waited for at every turn.
     *
     * @param isAlike whether all others get the same block, or each the one of its rank
     * @param piece of a block, in a turn
     */
    private void pieces(boolean isAlike, long block, long piece, Object base, long at) {
        int pieces = (int) ((block + piece - 1) / piece);
        int first = cells.next();
        for (int i = 1; i < pieces; i++) {
            cells.next();
        }
        int shown = 0;
        for (int i = 0; i < pieces; i++) {
            for (; shown < pieces && shown < i + cells.count(); shown++) {
                show(first + shown, isAlike, block, shown * piece, Math.min(piece, block - shown * piece), base, at);
            }
            long from = i * piece;
            long length = Math.min(piece, block - from);
            long payload = isAlike ? length : length * (size - 1);
            for (int peer = 0; peer < size; peer++) {
                if (peer != rank) {
                    long found = cells.awaitAhead(peer, first + i, signature, payload)
                            + (isAlike ? 0 : placeAmongOthers(rank, peer) * length);
                    Memory.copy(null, found, receiveBase, receiveAt + peer * block + from, length);
                }
            }
            cells.done(first + i);
        }
    }

    private void show(int turn, boolean isAlike, long block, long from, long length, Object base, long at) {
        if (isAlike) {
            cells.publish(turn, signature, base, at + from, length);
            return;
        }
        long room = cells.room(turn, length * (size - 1));
        for (int peer = 0; peer < size; peer++) {
            if (peer != rank) {
                long place = room + placeAmongOthers(peer, rank) * length;
                Memory.copy(base, at + peer * block + from, null, place, length);
            }
        }
        cells.publish(turn, signature);
    }

    /** Where what is for a rank lies among what another has for all but itself. */
    private static int placeAmongOthers(int of, int other) {
        return of < other ? of : of - 1;
    }

    // --- reductions
    // ----------------------------------------------------------------------------------------------------

    /** Chunk by chunk; while one is folded the next is there for the others. */
    private void fold(Shape shape, boolean hasResult, boolean isRead) {
        long bytes = shape.bytes();
        long chunk = fold.chunk();
        int chunks = (int) Math.max(1, (bytes + chunk - 1) / chunk);
        int first = cells.next();
        for (int i = 1; i < chunks; i++) {
            cells.next();
        }
        offer(isRead, first, 0, bytes, chunk);
        for (int i = 0; i < chunks; i++) {
            if (i + 1 < chunks) {
                offer(isRead, first + i + 1, (i + 1) * chunk, bytes, chunk);
            }
            long at = i * chunk;
            long length = Math.min(chunk, bytes - at);
            if (hasResult) {
                fold.write(first + i, at, at, length, length, size - 1);
            }
            cells.done(first + i);
        }
    }

    private void offer(boolean isRead, int turn, long at, long bytes, long chunk) {
        long length = Math.min(chunk, bytes - at);
        if (isRead) {
            cells.publish(turn, signature, sendBase, sendAt + at, length);
        } else {
            cells.room(turn, length);
            cells.publish(turn, signature);
        }
    }

    private void reduceScatter(Shape shape) {
        int turn = cells.next();
        long block = shape.send().bytes(rank);
        cells.publish(turn, signature, sendBase, sendAt, block * size);
        fold.write(turn, rank * block, 0, block, block * size, size - 1);
        cells.done(turn);
    }

    private void scan(Shape shape, int last) {
        int turn = cells.next();
        long bytes = shape.bytes();
        cells.publish(turn, signature, sendBase, sendAt, bytes);
        if (last >= 0) {
            fold.write(turn, 0, 0, bytes, bytes, last);
        }
        cells.done(turn);
    }

    /** The fold of one piece, in the order of ranks, from the last on. */
    private final class Fold {
        private Computation computation;
        private boolean ownIsSafe;
        private long unit;
        private Object send;
        private long sendBegin;
        private Object receive;
        private long receiveBegin;

        void take(
                Computation newComputation,
                Shape shape,
                Object newSend,
                long newSendBegin,
                Object newReceive,
                long newReceiveBegin) {
            if (computation != newComputation) {
                computation = newComputation;
            }
            if (send != newSend) {
                send = newSend;
            }
            if (receive != newReceive) {
                receive = newReceive;
            }
            ownIsSafe = !shape.isInPlace();
            unit = shape.unit();
            sendBegin = newSendBegin;
            receiveBegin = newReceiveBegin;
        }

        void forget() {
            send = null;
            receive = null;
        }

        /** Whole items that a cell takes. */
        long chunk() {
            return Cells.CELL_BYTES / unit * unit;
        }

        /**
         * Writes a piece of the result.
         *
         * @param from of the piece in the contributions
         * @param to of the piece in the result
         * @param published bytes of the whole payload that the cells of this turn have
         * @param last the highest rank that takes part
         */
        void write(int turn, long from, long to, long length, long published, int last) {
            // Within a chunk of a long contribution the payload begins with the piece.
            long inCell = published == length ? 0 : from;
            copyTo(last, turn, from, inCell, receiveBase, receiveAt + to, length, published);
            for (int peer = last - 1; peer >= 0; peer--) {
                if (length == 0) {
                    cells.await(peer, turn, signature, published);
                } else if (peer == rank && ownIsSafe) {
                    computation.reduce(send, sendBegin + from, receive, receiveBegin + to, length);
                } else {
                    Object temp = computation.temp(0, length);
                    copyTo(peer, turn, from, inCell, temp, Memory.arrayOffset(temp), length, published);
                    computation.reduce(temp, 0, receive, receiveBegin + to, length);
                }
            }
            if (last == size - 1) {
                cells.allAreAt(turn);
            }
        }

        private void copyTo(
                int peer, int turn, long from, long inCell, Object to, long toAt, long length, long published) {
            if (peer == rank && ownIsSafe) {
                Memory.copy(sendBase, sendAt + from, to, toAt, length);
                return;
            }
            long payload = cells.await(peer, turn, signature, published);
            Memory.copy(null, payload + inCell, to, toAt, length);
        }
    }
}
