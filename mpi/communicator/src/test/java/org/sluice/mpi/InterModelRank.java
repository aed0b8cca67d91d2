package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import java.util.function.IntToLongFunction;
import org.sluice.device.Request;
import org.sluice.device.Status;
import org.sluice.mpi.Held.Kind;

/**
 * One rank of a storm of collectives between two groups, checked against a model as {@link ModelRank} has it: what each
 * rank contributes is computed from its number.
 */
final class InterModelRank {
    private static final Reduction AFFINE = Reduction.of(InterModelRank::compose, false);
    private static final Reduction[] REDUCTIONS = {Reduction.SUM, Reduction.MAX, Reduction.BITWISE_XOR, AFFINE};

    private final Communicator world;
    private final long seed;
    private final Random shared = new Random();
    /** For what the ranks need not have alike. */
    private final Random own;

    private Intercommunicator between;
    private boolean isFirst;
    private int rank;
    private int size;
    private int others;
    private int call;

    InterModelRank(Communicator world, long seed) {
        this.world = world;
        this.seed = seed;
        this.own = new Random(seed * 31 + world.rank());
    }

    private static void compose(Object left, int leftAt, Object right, int rightAt, int count, Layout layout) {
        long[] a = (long[]) left;
        long[] b = (long[]) right;
        for (int i = 0; i < 2 * count; i += 2) {
            long factor = a[leftAt + i] * b[rightAt + i];
            b[rightAt + i + 1] = a[leftAt + i] * b[rightAt + i + 1] + a[leftAt + i + 1];
            b[rightAt + i] = factor;
        }
    }

    /** So many intercommunicators of random groups, with so many calls each. */
    void storm(int rounds, int calls) {
        for (int round = 0; round < rounds; round++) {
            shared.setSeed(seed * 7_001 + round);
            Communicator local = meet(round);
            for (call = 0; call < calls; call++) {
                shared.setSeed(seed * 1_000_003 + round * 1_009L + call);
                one();
                messages();
            }
            assertMerges();
            between.free();
            local.free();
        }
    }

    /** Random groups, in random orders, with random leaders. */
    private Communicator meet(int round) {
        int[] sides = new int[world.size()];
        int[] keys = new int[world.size()];
        for (int i = 0; i < sides.length; i++) {
            sides[i] = i < 2 ? i : shared.nextInt(2);
            keys[i] = shared.nextInt(10);
        }
        int turned = shared.nextInt(2);
        int side = sides[world.rank()] ^ turned;
        Communicator local = world.split(side, keys[world.rank()]);
        int[] leaders = {shared.nextInt(1_000), shared.nextInt(1_000)};
        int localLeader = leaders[side] % local.size();
        // Every rank is told who leads which side, to name the other's leader.
        int[] told = new int[world.size()];
        world.allGather(new int[] {local.rank() == localLeader ? side : -1}, told);
        int remoteLeader = 0;
        while (told[remoteLeader] != 1 - side) {
            remoteLeader++;
        }
        boolean isLeader = local.rank() == localLeader;
        between = local.createIntercommunicator(
                localLeader, isLeader ? world : null, isLeader ? remoteLeader : -7, round);
        if (shared.nextInt(3) == 0) {
            Intercommunicator duplicate = between.duplicate();
            between.free();
            between = duplicate;
        }
        assertEquals(local.group(), between.group(), this::what);
        assertEquals(world.size() - local.size(), between.remoteSize(), this::what);
        isFirst = side == 0;
        rank = between.rank();
        size = between.size();
        others = between.remoteSize();
        return local;
    }

    private String what() {
        return "seed " + seed + ", call " + call + ", " + between;
    }

    /** A number that a rank of the job contributes in this call. */
    private long value(int member, int number) {
        long mixed = (seed + 7919L * call + 104_729L * member + 31L * number) * 0x9E3779B97F4A7C15L;
        return (mixed >>> 40) % 5 + (number % 2 == 0 ? 1 : 0);
    }

    private long mine(int number) {
        return value(world.device().rank(), number);
    }

    private long theirs(int other, int number) {
        return value(between.remoteGroup().member(other), number);
    }

    private Kind kind() {
        return Kind.values()[own.nextInt(Kind.values().length)];
    }

    private ElementType type() {
        return ElementType.values()[shared.nextInt(ElementType.values().length)];
    }

    private int items() {
        int[] sizes = {0, 1, 2, 7, 64, 1_000, 9_000};
        return sizes[shared.nextInt(sizes.length)];
    }

    private Held contribution(ElementType type, int items, int perItem) {
        Held held = Held.of(kind(), type, items, perItem);
        for (int i = 0; i < held.elements(); i++) {
            held.put(i, mine(i));
        }
        return held;
    }

    private static long[] expected(int count, IntToLongFunction value) {
        long[] expected = new long[count];
        for (int i = 0; i < count; i++) {
            expected[i] = value.applyAsLong(i);
        }
        return expected;
    }

    private void finish(Request request) {
        request.waitFor();
    }

    // --- roots -------------------------------------------------------------------------------------------------------

    private boolean hasRoot;
    private int rootRank;

    /** @return what this rank gives for a root */
    private int root() {
        hasRoot = shared.nextInt(2) == 0 == isFirst;
        int drawn = shared.nextInt(1_000);
        rootRank = drawn % (hasRoot ? size : others);
        return !hasRoot ? rootRank : rank == rootRank ? Intercommunicator.ROOT : MessageSpace.PROC_NULL;
    }

    private void one() {
        boolean started = shared.nextInt(3) == 0;
        switch (shared.nextInt(9)) {
            case 0:
                if (started) {
                    finish(between.ibarrier());
                } else {
                    between.barrier();
                }
                break;
            case 1:
                broadcast(started);
                break;
            case 2:
                gather(started);
                break;
            case 3:
                scatter(started);
                break;
            case 4:
                allGather(started);
                break;
            case 5:
                allToAll(started);
                break;
            case 6:
                reduce(started);
                break;
            case 7:
                allReduce(started);
                break;
            default:
                reduceScatter(started);
                break;
        }
    }

    private void broadcast(boolean started) {
        ElementType type = type();
        int items = items();
        int root = root();
        Held held = root == Intercommunicator.ROOT ? contribution(type, items, 1) : Held.of(kind(), type, items, 1);
        Object buffer = root == MessageSpace.PROC_NULL ? null : held.given();
        if (started) {
            finish(between.ibroadcast(buffer, root));
        } else {
            between.broadcast(buffer, root);
        }
        if (root >= 0) {
            held.check(expected(items, i -> theirs(root, i)), what());
        }
    }

    private int[] counts(int ranks) {
        int[] counts = new int[ranks];
        for (int i = 0; i < ranks; i++) {
            counts[i] = shared.nextInt(4) == 0 ? 0 : shared.nextInt(40);
        }
        return counts;
    }

    private static int sum(int[] counts, int before) {
        int sum = 0;
        for (int i = 0; i < before; i++) {
            sum += counts[i];
        }
        return sum;
    }

    private void gather(boolean started) {
        ElementType type = type();
        int root = root();
        int items = items() / 4;
        int[] counts = counts(world.size());
        boolean hasBlocks = shared.nextBoolean();
        int mine = hasBlocks ? counts[rank] : items;
        Held given = contribution(type, mine, 1);
        if (root != Intercommunicator.ROOT) {
            Object contribution = root == MessageSpace.PROC_NULL ? null : given.given();
            if (started) {
                finish(
                        hasBlocks
                                ? between.igatherBlocks(contribution, null, root)
                                : between.igather(contribution, null, root));
            } else if (hasBlocks) {
                between.gatherBlocks(contribution, null, root);
            } else {
                between.gather(contribution, null, root);
            }
            return;
        }
        Held into = result(hasBlocks, type, items, counts);
        if (hasBlocks) {
            between.gatherBlocks(null, into.given(), root);
        } else {
            between.gather(null, into.given(), root);
        }
        into.check(ofAll(hasBlocks, items, counts), what());
    }

    private Held result(boolean hasBlocks, ElementType type, int items, int[] counts) {
        return hasBlocks
                ? Held.blocks(own, own.nextBoolean(), type, java.util.Arrays.copyOf(counts, others))
                : Held.of(kind(), type, items * others, 1);
    }

    private long[] ofAll(boolean hasBlocks, int items, int[] counts) {
        long[] all = new long[hasBlocks ? sum(counts, others) : items * others];
        int at = 0;
        for (int other = 0; other < others; other++) {
            for (int i = 0; i < (hasBlocks ? counts[other] : items); i++) {
                all[at++] = theirs(other, i);
            }
        }
        return all;
    }

    private void scatter(boolean started) {
        ElementType type = type();
        int root = root();
        int items = items() / 4;
        int[] counts = counts(world.size());
        boolean hasBlocks = shared.nextBoolean();
        if (root < 0) {
            Held from = root == MessageSpace.PROC_NULL
                    ? null
                    : hasBlocks ? blocks(type, counts) : contribution(type, items * others, 1);
            Object all = from == null ? null : from.given();
            if (hasBlocks) {
                between.scatterBlocks(all, null, root);
            } else {
                between.scatter(all, null, root);
            }
            return;
        }
        int before = hasBlocks ? sum(counts, rank) : rank * items;
        int mine = hasBlocks ? counts[rank] : items;
        Held into = Held.of(kind(), type, mine, 1);
        if (started) {
            finish(
                    hasBlocks
                            ? between.iscatterBlocks(null, into.given(), root)
                            : between.iscatter(null, into.given(), root));
        } else if (hasBlocks) {
            between.scatterBlocks(null, into.given(), root);
        } else {
            between.scatter(null, into.given(), root);
        }
        into.check(expected(mine, i -> theirs(root, before + i)), what());
    }

    private Held blocks(ElementType type, int[] counts) {
        Held held = Held.blocks(own, own.nextBoolean(), type, java.util.Arrays.copyOf(counts, others));
        for (int i = 0; i < held.elements(); i++) {
            held.put(i, mine(i));
        }
        return held;
    }

    private void allGather(boolean started) {
        ElementType type = type();
        // Each group may give blocks of another size.
        int[] items = {items() / 4, items() / 4};
        int[] counts = counts(world.size());
        boolean hasBlocks = shared.nextBoolean();
        Held given = contribution(type, hasBlocks ? counts[rank] : items[isFirst ? 0 : 1], 1);
        int theirs = items[isFirst ? 1 : 0];
        Held into = result(hasBlocks, type, theirs, counts);
        if (started) {
            finish(
                    hasBlocks
                            ? between.iallGatherBlocks(given.given(), into.given())
                            : between.iallGather(given.given(), into.given()));
        } else if (hasBlocks) {
            between.allGatherBlocks(given.given(), into.given());
        } else {
            between.allGather(given.given(), into.given());
        }
        into.check(ofAll(hasBlocks, theirs, counts), what());
    }

    private void allToAll(boolean started) {
        ElementType type = type();
        int[] items = {items() / 8, items() / 8};
        int out = items[isFirst ? 0 : 1];
        int in = items[isFirst ? 1 : 0];
        if (shared.nextBoolean()) {
            allToAllBlocks(type, started);
            return;
        }
        Held given = contribution(type, out * others, 1);
        Held into = Held.of(kind(), type, in * others, 1);
        if (started) {
            finish(between.iallToAll(given.given(), into.given()));
        } else {
            between.allToAll(given.given(), into.given());
        }
        into.check(expected(in * others, i -> theirs(i / in, rank * in + i % in)), what());
    }

    /** From rank i to rank j of the other group there are i + 2 j items. */
    private void allToAllBlocks(ElementType type, boolean started) {
        int[] out = new int[others];
        int[] in = new int[others];
        for (int other = 0; other < others; other++) {
            out[other] = rank + 2 * other;
            in[other] = other + 2 * rank;
        }
        Held given = blocks(type, out);
        Held into = Held.blocks(own, own.nextBoolean(), type, in);
        if (started) {
            finish(between.iallToAllBlocks(given.given(), into.given()));
        } else {
            between.allToAllBlocks(given.given(), into.given());
        }
        long[] expected = new long[sum(in, others)];
        int at = 0;
        for (int other = 0; other < others; other++) {
            int before = rank * other + rank * (rank - 1);
            for (int i = 0; i < in[other]; i++) {
                expected[at++] = theirs(other, before + i);
            }
        }
        into.check(expected, what());
    }

    // --- reductions --------------------------------------------------------------------------------------------------

    private Reduction reduction;
    private ElementType reduced;
    private int perItem;

    private void drawReduction() {
        reduction = REDUCTIONS[shared.nextInt(REDUCTIONS.length)];
        ElementType[] types = {ElementType.INT, ElementType.LONG, ElementType.SHORT, ElementType.BYTE};
        reduced = reduction == AFFINE ? ElementType.LONG : types[shared.nextInt(types.length)];
        perItem = reduction == AFFINE ? 2 : 1;
    }

    /** In the order of the other group's ranks. */
    private long[] ofTheirs(int elements) {
        long[] result = expected(elements, i -> theirs(0, i));
        for (int other = 1; other < others; other++) {
            int from = other;
            long[] next = expected(elements, i -> theirs(from, i));
            if (reduction == AFFINE) {
                compose(result, 0, next, 0, elements / 2, null);
                result = next;
            } else {
                for (int i = 0; i < elements; i++) {
                    result[i] = reduction == Reduction.SUM
                            ? result[i] + next[i]
                            : reduction == Reduction.MAX ? Math.max(result[i], next[i]) : result[i] ^ next[i];
                }
            }
        }
        return result;
    }

    private void reduce(boolean started) {
        drawReduction();
        int items = items();
        int root = root();
        Held given = root >= 0 ? contribution(reduced, items, perItem) : null;
        Held into = root == Intercommunicator.ROOT ? Held.of(kind(), reduced, items, perItem) : null;
        Object contribution = given == null ? null : given.given();
        Object result = into == null ? null : into.given();
        if (started) {
            finish(between.ireduce(contribution, result, reduction, root));
        } else {
            between.reduce(contribution, result, reduction, root);
        }
        if (into != null) {
            into.check(ofTheirs(items * perItem), what());
        }
    }

    private void allReduce(boolean started) {
        drawReduction();
        int items = items();
        Held given = contribution(reduced, items, perItem);
        Held into = Held.of(kind(), reduced, items, perItem);
        if (started) {
            finish(between.iallReduce(given.given(), into.given(), reduction));
        } else {
            between.allReduce(given.given(), into.given(), reduction);
        }
        into.check(ofTheirs(items * perItem), what());
    }

    private void reduceScatter(boolean started) {
        drawReduction();
        boolean hasCounts = shared.nextBoolean();
        int block = shared.nextInt(30);
        // As many for both groups together.
        int items = hasCounts ? shared.nextInt(200) : block * size * others;
        int[] counts = new int[size];
        int left = items;
        for (int i = 0; i < size; i++) {
            counts[i] = !hasCounts ? block * others : i == size - 1 ? left : left / 3;
            left -= counts[i];
        }
        Held given = contribution(reduced, items, perItem);
        Held into = Held.of(kind(), reduced, counts[rank], perItem);
        if (started) {
            finish(
                    hasCounts
                            ? between.ireduceScatter(given.given(), into.given(), counts, reduction)
                            : between.ireduceScatterBlock(given.given(), into.given(), reduction));
        } else if (hasCounts) {
            between.reduceScatter(given.given(), into.given(), counts, reduction);
        } else {
            between.reduceScatterBlock(given.given(), into.given(), reduction);
        }
        long[] all = ofTheirs(items * perItem);
        int before = sum(counts, rank) * perItem;
        into.check(expected(counts[rank] * perItem, i -> all[before + i]), what());
    }

    // --- messages, and all together ----------------------------------------------------------------------------------

    /** Pairs of ranks with the same number, as far as both groups have them. */
    private void messages() {
        if (shared.nextInt(4) == 0 && rank < others) {
            int[] got = new int[1];
            Status status = between.sendRecv(new int[] {call + rank}, rank, call, got, -2, call);
            assertEquals(call + rank, got[0], this::what);
            assertEquals(rank, status.source(), this::what);
        }
    }

    private void assertMerges() {
        boolean isHigh = shared.nextBoolean() == isFirst;
        Communicator merged = between.merge(isHigh);
        assertEquals(isHigh ? others + rank : rank, merged.rank(), this::what);
        long[] sum = {world.device().rank()};
        merged.allReduce(Data.IN_PLACE, sum, Reduction.SUM);
        assertEquals(world.size() * (world.size() - 1) / 2, sum[0], this::what);
        merged.free();
    }
}
