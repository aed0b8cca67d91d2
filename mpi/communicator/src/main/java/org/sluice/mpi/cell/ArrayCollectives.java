package org.sluice.mpi.cell;

import org.sluice.device.buffer.UserBuffer;
import org.sluice.device.memory.Memory;
import org.sluice.mpi.algorithm.Collective;
import org.sluice.mpi.algorithm.Shape;
import org.sluice.mpi.schedule.Computation;

/**
 * Collectives of threads that read each other's arrays where they lie: each rank shows its own in a cell, takes what it
 * needs of the others', and returns when all have done so. Of a reduction each rank folds one block, in the order of
 * ranks, and writes it to all who want it.
 *
 * <p>Only arrays are shown, as a call that has failed at one rank may go on at another, and the memory of a buffer
 * could be freed meanwhile. What lies elsewhere is copied to an array first.
 *
 * <p><i>Thread</i>: one of each rank. <i>Proof</i>: {@code CollectiveModelTest}, {@code ArrayCollectivesTest}.
 */
public final class ArrayCollectives implements InMemory {
    /** What is folded at once stays in the first cache. */
    private static final long CHUNK_BYTES = 8 << 10;
    /** Elements of a reduction belong together in pairs at the most. */
    private static final long PAIR = 2;

    private final Cells cells;
    private final int rank;
    private final int size;

    private Object send;
    private long sendBegin;
    private Object receive;
    private long receiveBegin;
    private Computation computation;

    public ArrayCollectives(Cells cells, int rank, int size) {
        this.cells = cells;
        this.rank = rank;
        this.size = size;
    }

    /**
     * Whether a call can be done here; the same on all its ranks, which is why it looks at nothing else.
     *
     * @param isOfProgram a reduction of the program's own, which is not handed arrays of other ranks
     */
    public static boolean takes(Collective collective, boolean isOfProgram) {
        switch (collective) {
            case REDUCE:
            case ALL_REDUCE:
            case REDUCE_SCATTER_BLOCK:
                return !isOfProgram;
            case BROADCAST:
            case ALL_GATHER:
            case ALL_TO_ALL:
                return true;
            default:
                return false;
        }
    }

    @Override
    public void run(
            Collective collective,
            Shape shape,
            Computation newComputation,
            Object newSend,
            long newSendBegin,
            Object newReceive,
            long newReceiveBegin,
            int signature) {
        send = newSend;
        sendBegin = newSendBegin;
        receive = newReceive;
        receiveBegin = newReceiveBegin;
        computation = newComputation;
        int turn = cells.next();
        switch (collective) {
            case BROADCAST:
                broadcast(turn, signature, shape.root(), shape.receive().bytes(rank));
                break;
            case ALL_GATHER:
                allGather(turn, signature, shape);
                break;
            case ALL_TO_ALL:
                allToAll(turn, signature, shape.send().bytes(rank));
                break;
            case REDUCE:
                reduce(turn, signature, shape, shape.root());
                break;
            case ALL_REDUCE:
                reduce(turn, signature, shape, EVERYBODY);
                break;
            default:
                reduceScatter(turn, signature, shape);
                break;
        }
        forget();
    }

    @Override
    public void forget() {
        send = null;
        receive = null;
        computation = null;
    }

    // --- copies
    // ----------------------------------------------------------------------------------------------------

    private void broadcast(int turn, int signature, int root, long bytes) {
        if (rank == root) {
            show(turn, signature, receive, receiveBegin, bytes, bytes);
        } else {
            cells.awaitShown(root, turn, signature, bytes);
            copy(root, turn, 0, 0, bytes);
        }
        if (rank == root) {
            cells.doneByAll(turn);
        } else {
            cells.done(turn);
        }
    }

    private void allGather(int turn, int signature, Shape shape) {
        long block = shape.receive().bytes(rank);
        boolean inPlace = shape.isInPlace();
        show(
                turn,
                signature,
                inPlace ? receive : send,
                inPlace ? receiveBegin + rank * block : sendBegin,
                block,
                block);
        if (!inPlace) {
            copy(rank, turn, 0, rank * block, block);
        }
        awaitAll(turn, signature, block);
        // Not all from the same rank at the same time.
        for (int i = 1; i < size; i++) {
            int peer = (rank + i) % size;
            copy(peer, turn, 0, peer * block, block);
        }
        cells.doneByAll(turn);
    }

    private void allToAll(int turn, int signature, long block) {
        show(turn, signature, send, sendBegin, block * size, block);
        copy(rank, turn, rank * block, rank * block, block);
        awaitAll(turn, signature, block);
        for (int i = 1; i < size; i++) {
            int peer = (rank + i) % size;
            copy(peer, turn, rank * block, peer * block, block);
        }
        cells.doneByAll(turn);
    }

    /**
     * Shows what the others are to read.
     *
     * @param said the bytes that all ranks say alike
     */
    private void show(int turn, int signature, Object buffer, long begin, long bytes, long said) {
        Object array = UserBuffer.base(buffer);
        long at = UserBuffer.address(buffer, 0, false) + begin;
        if (array == null) {
            array = computation.temp(0, bytes);
            Memory.copy(null, at, array, Memory.arrayOffset(array), bytes);
            at = Memory.arrayOffset(array);
        }
        cells.show(turn, signature, array, at - Memory.arrayOffset(array), null, 0, said);
    }

    private void awaitAll(int turn, int signature, long bytes) {
        for (int peer = 0; peer < size; peer++) {
            if (peer != rank) {
                cells.awaitShown(peer, turn, signature, bytes);
            }
        }
        cells.allAreAt(turn);
    }

    /** From what a rank shows into this rank's result. */
    private void copy(int peer, int turn, long from, long to, long bytes) {
        Object array = cells.sendOf(peer, turn);
        Memory.copy(
                array,
                Memory.arrayOffset(array) + cells.sendAt(peer, turn) + from,
                UserBuffer.base(receive),
                UserBuffer.address(receive, 0, true) + receiveBegin + to,
                bytes);
    }

    // --- reductions
    // ----------------------------------------------------------------------------------------------------

    private static final int EVERYBODY = -1;

    /** @param root who wants it, or {@link #EVERYBODY} */
    private void reduce(int turn, int signature, Shape shape, int root) {
        long bytes = shape.bytes();
        cells.show(turn, signature, send, sendBegin, receive, receiveBegin, bytes);
        awaitAll(turn, signature, bytes);
        long unit = PAIR * shape.unit();
        long pairs = bytes / unit;
        long from = pairs * rank / size * unit;
        long to = rank == size - 1 ? bytes : pairs * (rank + 1) / size * unit;
        long chunk = Math.max(1, CHUNK_BYTES / unit) * unit;
        boolean isOwn = root == EVERYBODY || root == rank;
        // In place the root's contribution would be written over before it is read.
        boolean isAside = !isOwn && cells.sendOf(root, turn) == cells.receiveOf(root, turn);
        Object target = isOwn
                ? receive
                : isAside ? computation.temp(1, Math.min(chunk, to - from)) : cells.receiveOf(root, turn);
        long targetBegin = isOwn ? receiveBegin : isAside ? 0 : cells.receiveAt(root, turn);
        for (long at = from; at < to; at += chunk) {
            long length = Math.min(chunk, to - at);
            long targetAt = isAside ? 0 : targetBegin + at;
            fold(turn, at, target, targetAt, length, isOwn && shape.isInPlace());
            if (isAside) {
                give(root, turn, at, target, targetAt, length);
            }
            for (int i = 1; root == EVERYBODY && i < size; i++) {
                give((rank + i) % size, turn, at, target, targetAt, length);
            }
        }
        cells.doneByAll(turn);
    }

    private void give(int peer, int turn, long at, Object from, long fromAt, long bytes) {
        Object to = cells.receiveOf(peer, turn);
        Memory.copy(
                from,
                Memory.arrayOffset(from) + fromAt,
                to,
                Memory.arrayOffset(to) + cells.receiveAt(peer, turn) + at,
                bytes);
    }

    /**
     * A piece of all contributions into one place.
     *
     * @param isOver the place is that of this rank's own contribution
     */
    private void fold(int turn, long at, Object target, long targetAt, long bytes, boolean isOver) {
        int last = size - 1;
        Object own = send;
        long ownAt = sendBegin + at;
        if (isOver && rank != last) {
            own = computation.temp(0, bytes);
            ownAt = 0;
            Memory.copy(send, Memory.arrayOffset(send) + sendBegin + at, own, Memory.arrayOffset(own), bytes);
        }
        if (!isOver || rank != last) {
            Object from = cells.sendOf(last, turn);
            Memory.copy(
                    from,
                    Memory.arrayOffset(from) + cells.sendAt(last, turn) + at,
                    target,
                    Memory.arrayOffset(target) + targetAt,
                    bytes);
        }
        for (int peer = last - 1; peer >= 0; peer--) {
            if (peer == rank) {
                computation.reduce(own, ownAt, target, targetAt, bytes);
            } else {
                computation.reduce(cells.sendOf(peer, turn), cells.sendAt(peer, turn) + at, target, targetAt, bytes);
            }
        }
    }

    private void reduceScatter(int turn, int signature, Shape shape) {
        long block = shape.send().bytes(rank);
        cells.show(turn, signature, send, sendBegin, null, 0, block);
        awaitAll(turn, signature, block);
        // In place the result lies over blocks that others still read.
        boolean isAside = shape.isInPlace();
        Object target = isAside ? computation.temp(1, block) : receive;
        long targetBegin = isAside ? 0 : receiveBegin;
        long unit = PAIR * shape.unit();
        long chunk = Math.max(1, CHUNK_BYTES / unit) * unit;
        for (long at = 0; at < block; at += chunk) {
            fold(turn, rank * block + at, target, targetBegin + at, Math.min(chunk, block - at), false);
        }
        cells.doneByAll(turn);
        if (isAside) {
            Memory.copy(target, Memory.arrayOffset(target), receive, Memory.arrayOffset(receive) + receiveBegin, block);
        }
    }
}
