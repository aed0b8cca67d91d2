package org.sluice.hybrid.process;

import java.util.stream.IntStream;
import org.sluice.device.Request;
import org.sluice.mpi.CartesianCommunicator;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.Data;
import org.sluice.mpi.Reduction;
import org.sluice.mpi.algorithm.Collective;

/** A call of any collective, of longs, that checks its result at this rank. <i>Thread</i>: the rank's. */
final class CheckedCall {
    private static final long OF_RANK = 1_000_003;
    /** Blocks of any size have as many sizes. */
    private static final int SIZES = 3;

    private final Collective collective;
    private final Communicator world;
    private final Reduction sum;
    private final int items;
    private final int root;
    private final boolean starts;
    private final int rank;
    private final int size;
    /** Items that each rank contributes or gets, and where they are. */
    private final int[] counts;

    private final int[] places;
    private final long[] own;
    private final long[] all;
    private final long[] told;

    /** @param world for neighbours a ring */
    CheckedCall(Death death, Communicator world, Reduction sum, int root) {
        this.collective = death.collective();
        this.world = world;
        this.sum = sum;
        this.items = death.items();
        this.root = root;
        this.starts = death.starts();
        this.rank = world.rank();
        this.size = world.size();
        boolean isVaried = collective.name().endsWith("_BLOCKS") || collective == Collective.REDUCE_SCATTER;
        int blocks = isOfNeighbours(collective) ? 2 : size;
        this.counts = IntStream.range(0, blocks)
                .map(i -> items + (isVaried ? sizeOf(i) : 0))
                .toArray();
        this.places = IntStream.range(0, blocks)
                .map(i -> IntStream.of(counts).limit(i).sum())
                .toArray();
        this.all = new long[IntStream.of(counts).sum()];
        this.told = new long[all.length];
        this.own = new long[ownItems()];
    }

    private static boolean hasData(Collective collective) {
        return switch (collective) {
            case BARRIER, AGREEMENT, FINISH -> false;
            default -> true;
        };
    }

    static boolean isOfNeighbours(Collective collective) {
        return collective.isOfNeighbours();
    }

    private int sizeOf(int block) {
        switch (collective) {
            case ALL_TO_ALL_BLOCKS:
                return (rank + block) % SIZES;
            case NEIGHBOUR_ALL_GATHER_BLOCKS:
                return neighbour(block) % SIZES;
            case NEIGHBOUR_ALL_TO_ALL_BLOCKS:
                return (rank + neighbour(block)) % SIZES;
            default:
                return block % SIZES;
        }
    }

    /** The one before is the first. */
    private int neighbour(int block) {
        return (rank + (block == 0 ? size - 1 : 1)) % size;
    }

    private int ownItems() {
        switch (collective) {
            case NEIGHBOUR_ALL_GATHER_BLOCKS:
                return items + rank % SIZES;
            case GATHER_BLOCKS:
            case SCATTER_BLOCKS:
            case ALL_GATHER_BLOCKS:
            case REDUCE_SCATTER:
                return counts[rank];
            default:
                return items;
        }
    }

    void run() {
        fill();
        if (starts) {
            start().waitFor();
        } else {
            block();
        }
        check();
    }

    private static long value(int from, int item) {
        return from * OF_RANK + item;
    }

    /** What a rank has for another. */
    private static long value(int from, int to, int item) {
        return value(from, item) * OF_RANK + to;
    }

    private void fill() {
        for (int i = 0; i < own.length; i++) {
            own[i] = collective == Collective.BROADCAST && rank != root ? 0 : value(rank, i);
        }
        for (int block = 0; block < counts.length; block++) {
            int to = isOfNeighbours(collective) ? neighbour(block) : block;
            for (int i = 0; i < counts[block]; i++) {
                told[places[block] + i] = value(rank, to, i);
            }
        }
        java.util.Arrays.fill(all, 0);
    }

    private Data blocks(long[] buffer) {
        return Data.blocks(buffer, counts, places);
    }

    private Data some() {
        return Data.of(all, 0, own.length);
    }

    private CartesianCommunicator ring() {
        return (CartesianCommunicator) world;
    }

    private void block() {
        switch (collective) {
            case BARRIER -> world.barrier();
            case BROADCAST -> world.broadcast(own, root);
            case GATHER -> world.gather(own, all, root);
            case GATHER_BLOCKS -> world.gatherBlocks(own, blocks(all), root);
            case SCATTER -> world.scatter(told, own, root);
            case SCATTER_BLOCKS -> world.scatterBlocks(blocks(told), own, root);
            case ALL_GATHER -> world.allGather(own, all);
            case ALL_GATHER_BLOCKS -> world.allGatherBlocks(own, blocks(all));
            case ALL_TO_ALL -> world.allToAll(told, all);
            case ALL_TO_ALL_BLOCKS -> world.allToAllBlocks(blocks(told), blocks(all));
            case REDUCE -> world.reduce(own, some(), sum, root);
            case ALL_REDUCE -> world.allReduce(own, some(), sum);
            case REDUCE_SCATTER_BLOCK -> world.reduceScatterBlock(told, own, sum);
            case REDUCE_SCATTER -> world.reduceScatter(told, own, counts, sum);
            case SCAN -> world.scan(own, some(), sum);
            case EXCLUSIVE_SCAN -> world.exclusiveScan(own, some(), sum);
            case AGREEMENT -> world.duplicate();
            case FINISH -> world.finish();
            case NEIGHBOUR_ALL_GATHER -> ring().neighbourAllGather(own, all);
            case NEIGHBOUR_ALL_GATHER_BLOCKS -> ring().neighbourAllGatherBlocks(own, blocks(all));
            case NEIGHBOUR_ALL_TO_ALL -> ring().neighbourAllToAll(told, all);
            case NEIGHBOUR_ALL_TO_ALL_BLOCKS -> ring().neighbourAllToAllBlocks(blocks(told), blocks(all));
            default -> throw new IllegalStateException(collective.words());
        }
    }

    private Request start() {
        return switch (collective) {
            case BARRIER -> world.ibarrier();
            case BROADCAST -> world.ibroadcast(own, root);
            case GATHER -> world.igather(own, all, root);
            case GATHER_BLOCKS -> world.igatherBlocks(own, blocks(all), root);
            case SCATTER -> world.iscatter(told, own, root);
            case SCATTER_BLOCKS -> world.iscatterBlocks(blocks(told), own, root);
            case ALL_GATHER -> world.iallGather(own, all);
            case ALL_GATHER_BLOCKS -> world.iallGatherBlocks(own, blocks(all));
            case ALL_TO_ALL -> world.iallToAll(told, all);
            case ALL_TO_ALL_BLOCKS -> world.iallToAllBlocks(blocks(told), blocks(all));
            case REDUCE -> world.ireduce(own, some(), sum, root);
            case ALL_REDUCE -> world.iallReduce(own, some(), sum);
            case REDUCE_SCATTER_BLOCK -> world.ireduceScatterBlock(told, own, sum);
            case REDUCE_SCATTER -> world.ireduceScatter(told, own, counts, sum);
            case SCAN -> world.iscan(own, some(), sum);
            case EXCLUSIVE_SCAN -> world.iexclusiveScan(own, some(), sum);
            case NEIGHBOUR_ALL_GATHER -> ring().ineighbourAllGather(own, all);
            case NEIGHBOUR_ALL_GATHER_BLOCKS -> ring().ineighbourAllGatherBlocks(own, blocks(all));
            case NEIGHBOUR_ALL_TO_ALL -> ring().ineighbourAllToAll(told, all);
            case NEIGHBOUR_ALL_TO_ALL_BLOCKS -> ring().ineighbourAllToAllBlocks(blocks(told), blocks(all));
            case FINISH -> throw new IllegalArgumentException("the end is a call that waits");
            case AGREEMENT -> throw new IllegalArgumentException("a communicator is made by a call that waits");
        };
    }

    private void check() {
        switch (collective) {
            case BROADCAST -> checkItems(own, 0, items, i -> value(root, i));
            case GATHER, GATHER_BLOCKS -> checkBlocks(rank == root, (from, i) -> value(from, i));
            case ALL_GATHER, ALL_GATHER_BLOCKS -> checkBlocks(true, (from, i) -> value(from, i));
            case SCATTER, SCATTER_BLOCKS -> checkItems(own, 0, own.length, i -> value(root, rank, i));
            case ALL_TO_ALL, ALL_TO_ALL_BLOCKS -> checkBlocks(true, (from, i) -> value(from, rank, i));
            case REDUCE -> checkItems(all, 0, rank == root ? items : 0, i -> sumUpTo(size, i));
            case ALL_REDUCE -> checkItems(all, 0, items, i -> sumUpTo(size, i));
            case SCAN -> checkItems(all, 0, items, i -> sumUpTo(rank + 1, i));
            case EXCLUSIVE_SCAN -> checkItems(all, 0, items, i -> sumUpTo(rank, i));
            case REDUCE_SCATTER, REDUCE_SCATTER_BLOCK ->
                checkItems(
                        own,
                        0,
                        own.length,
                        i -> IntStream.range(0, size)
                                .mapToLong(from -> value(from, rank, i))
                                .sum());
            case NEIGHBOUR_ALL_GATHER, NEIGHBOUR_ALL_GATHER_BLOCKS ->
                checkBlocks(true, (block, i) -> value(neighbour(block), i));
            case NEIGHBOUR_ALL_TO_ALL, NEIGHBOUR_ALL_TO_ALL_BLOCKS ->
                checkBlocks(true, (block, i) -> value(neighbour(block), rank, i));
            default -> Say.check(!hasData(collective), "no check");
        }
    }

    private static long sumUpTo(int ranks, int item) {
        return IntStream.range(0, ranks).mapToLong(from -> value(from, item)).sum();
    }

    private interface Expected {
        long of(int item);
    }

    private interface ExpectedOfBlock {
        long of(int block, int item);
    }

    private void checkItems(long[] found, int from, int count, Expected expected) {
        for (int i = 0; i < count; i++) {
            if (found[from + i] != expected.of(i)) {
                String what = collective.words() + ", item " + i + ": " + found[from + i] + ", not " + expected.of(i);
                Say.check(false, what);
            }
        }
    }

    private void checkBlocks(boolean isAnyOf, ExpectedOfBlock expected) {
        for (int block = 0; isAnyOf && block < counts.length; block++) {
            int of = block;
            checkItems(all, places[block], counts[block], i -> expected.of(of, i));
        }
    }
}
