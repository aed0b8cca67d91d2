package org.sluice.mpi;

import java.util.Random;
import org.sluice.device.Request;
import org.sluice.mpi.Held.Kind;

/**
 * One rank of a storm of collectives, checked against a model that is obviously right: what each rank contributes is
 * computed from its number, and so every rank knows every contribution, and works out its result in one place. All
 * ranks draw the same calls from the same seed.
 */
final class ModelRank {
    private static final Reduction AFFINE = Reduction.of(ModelRank::compose, false);
    private static final Reduction[] REDUCTIONS = {
        Reduction.SUM,
        Reduction.PRODUCT,
        Reduction.MAX,
        Reduction.MIN,
        Reduction.LOGICAL_AND,
        Reduction.LOGICAL_OR,
        Reduction.LOGICAL_XOR,
        Reduction.BITWISE_AND,
        Reduction.BITWISE_OR,
        Reduction.BITWISE_XOR,
        Reduction.MAX_LOCATION,
        Reduction.MIN_LOCATION,
        AFFINE
    };

    private final Random shared;
    /** For what the ranks need not have alike. */
    private final Random own;

    private final long seed;
    private Communicator communicator;
    private int rank;
    private int size;
    private int call;
    private int perItem = 1;

    ModelRank(Communicator world, long seed) {
        this.shared = new Random(seed);
        this.own = new Random(seed * 31 + world.rank());
        this.seed = seed;
        use(world);
    }

    private void use(Communicator used) {
        communicator = used;
        rank = used.rank();
        size = used.size();
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

    /** So many calls, on the world and on communicators made of it. */
    void storm(int calls) {
        Communicator world = communicator;
        Communicator made = null;
        for (call = 0; call < calls; call++) {
            // Ranks of other communicators drew another number of times.
            shared.setSeed(seed * 1_000_003 + call);
            if (made == null && shared.nextInt(6) == 0) {
                made = another(world);
            } else if (made != null && shared.nextInt(6) == 0) {
                made.free();
                made = null;
                use(world);
            }
            use(made == null ? world : made);
            one();
        }
        if (made != null) {
            made.free();
        }
    }

    private Communicator another(Communicator world) {
        switch (shared.nextInt(3)) {
            case 0:
                return world.duplicate();
            case 1:
                int colours = 1 + shared.nextInt(3);
                return world.split(world.rank() % colours, -world.rank());
            default:
                Group odd = world.group().includeRanges(new int[] {1, world.size() - 1, 2});
                Group even = world.group().difference(odd);
                return world.createGroup(world.rank() % 2 == 1 ? odd : even, call);
        }
    }

    /** A number that rank {@code of} contributes in this call. */
    private long value(int of, int number) {
        int member = communicator.group().member(of);
        long mixed = (seed + 7919L * call + 104_729L * member + 31L * number) * 0x9E3779B97F4A7C15L;
        return (mixed >>> 40) % 5 + (number % 2 == 0 ? 1 : 0);
    }

    private Held contribution(ElementType type, int items) {
        Held held = Held.of(kind(), type, items, perItem);
        for (int i = 0; i < held.elements(); i++) {
            held.put(i, value(rank, i));
        }
        return held;
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

    /** Of what is started: whether by a persistent request. */
    private boolean isPersistent;

    private String what() {
        return "seed " + seed + ", call " + call + ", rank " + rank + " of " + communicator;
    }

    private void finish(Request request) {
        if (request != null) {
            request.waitFor();
        }
    }

    private static Request begun(PersistentRequest request) {
        request.start();
        return request;
    }

    private void one() {
        perItem = 1;
        boolean started = shared.nextInt(3) == 0;
        isPersistent = shared.nextBoolean();
        switch (shared.nextInt(12)) {
            case 0:
                barrier(started);
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
                gatherBlocks();
                break;
            case 7:
                allToAllBlocks(started);
                break;
            case 8:
                reduceScatter(started);
                break;
            default:
                reduction(started);
                break;
        }
    }

    private void barrier(boolean started) {
        if (started) {
            finish(isPersistent ? begun(communicator.barrierInit()) : communicator.ibarrier());
        } else {
            communicator.barrier();
        }
    }

    private void broadcast(boolean started) {
        ElementType type = type();
        int items = items();
        int root = shared.nextInt(size);
        Held held = Held.of(kind(), type, items, 1);
        long[] expected = new long[items];
        for (int i = 0; i < items; i++) {
            expected[i] = value(root, i);
            if (rank == root) {
                held.put(i, expected[i]);
            }
        }
        if (started) {
            finish(
                    isPersistent
                            ? begun(communicator.broadcastInit(held.given(), root))
                            : communicator.ibroadcast(held.given(), root));
        } else {
            communicator.broadcast(held.given(), root);
        }
        held.check(expected, "broadcast, " + what());
    }

    private long[] all(int items) {
        long[] all = new long[size * items];
        for (int i = 0; i < all.length; i++) {
            all[i] = value(i / items, i % items);
        }
        return all;
    }

    private void gather(boolean started) {
        ElementType type = type();
        int items = items() / 4;
        int root = shared.nextInt(size);
        boolean inPlace = rank == root && own.nextInt(3) == 0;
        Held given = contribution(type, items);
        Held into = rank == root ? Held.of(kind(), type, items * size, 1) : null;
        if (inPlace) {
            putOwn(into, items);
        }
        Object contribution = inPlace ? Data.IN_PLACE : given.given();
        Object result = into == null ? null : into.given();
        if (started) {
            finish(
                    isPersistent
                            ? begun(communicator.gatherInit(contribution, result, root))
                            : communicator.igather(contribution, result, root));
        } else {
            communicator.gather(contribution, result, root);
        }
        if (into != null) {
            into.check(all(items), "gather, " + what());
        }
    }

    private void putOwn(Held into, int items) {
        for (int i = 0; i < items; i++) {
            into.put(rank * items + i, value(rank, i));
        }
    }

    private void scatter(boolean started) {
        ElementType type = type();
        int items = items() / 4;
        int root = shared.nextInt(size);
        boolean inPlace = rank == root && own.nextInt(3) == 0;
        Held from = rank == root ? contribution(type, items * size) : null;
        Held into = Held.of(kind(), type, items, 1);
        Object all = from == null ? null : from.given();
        Object result = inPlace ? Data.IN_PLACE : into.given();
        if (started) {
            finish(
                    isPersistent
                            ? begun(communicator.scatterInit(all, result, root))
                            : communicator.iscatter(all, result, root));
        } else {
            communicator.scatter(all, result, root);
        }
        if (!inPlace) {
            long[] expected = new long[items];
            for (int i = 0; i < items; i++) {
                expected[i] = value(root, rank * items + i);
            }
            into.check(expected, "scatter, " + what());
        }
    }

    private void allGather(boolean started) {
        ElementType type = type();
        int items = items() / 4;
        boolean inPlace = shared.nextInt(3) == 0;
        Held given = contribution(type, items);
        Held into = Held.of(kind(), type, items * size, 1);
        if (inPlace) {
            putOwn(into, items);
        }
        Object contribution = inPlace ? Data.IN_PLACE : given.given();
        if (started) {
            finish(
                    isPersistent
                            ? begun(communicator.allGatherInit(contribution, into.given()))
                            : communicator.iallGather(contribution, into.given()));
        } else {
            communicator.allGather(contribution, into.given());
        }
        into.check(all(items), "allGather, " + what());
    }

    private void allToAll(boolean started) {
        ElementType type = type();
        int items = items() / 4;
        boolean inPlace = shared.nextInt(3) == 0;
        Held given = contribution(type, items * size);
        Held into = Held.of(kind(), type, items * size, 1);
        long[] expected = new long[items * size];
        for (int i = 0; i < expected.length; i++) {
            expected[i] = value(i / items, rank * items + i % items);
            if (inPlace) {
                into.put(i, value(rank, i));
            }
        }
        Object contribution = inPlace ? Data.IN_PLACE : given.given();
        if (started) {
            finish(
                    isPersistent
                            ? begun(communicator.allToAllInit(contribution, into.given()))
                            : communicator.iallToAll(contribution, into.given()));
        } else {
            communicator.allToAll(contribution, into.given());
        }
        into.check(expected, "allToAll, " + what());
    }

    private int[] counts() {
        int[] counts = new int[size];
        for (int i = 0; i < size; i++) {
            counts[i] = shared.nextInt(4) == 0 ? 0 : shared.nextInt(40);
        }
        return counts;
    }

    private static int sum(int[] counts) {
        int sum = 0;
        for (int count : counts) {
            sum += count;
        }
        return sum;
    }

    /** Gather, scatter or allGather, of blocks of any size. */
    private void gatherBlocks() {
        ElementType type = type();
        int[] counts = counts();
        int root = shared.nextInt(size);
        int which = shared.nextInt(3);
        long[] expected = new long[sum(counts)];
        int at = 0;
        for (int i = 0; i < size; i++) {
            for (int item = 0; item < counts[i]; item++) {
                expected[at++] = value(i, item);
            }
        }
        Held own = contribution(type, counts[rank]);
        Held all = Held.blocks(this.own, this.own.nextBoolean(), type, counts);
        if (which == 0) {
            communicator.allGatherBlocks(own.given(), all.given());
            all.check(expected, "allGather of blocks, " + what());
        } else if (which == 1) {
            communicator.gatherBlocks(own.given(), rank == root ? all.given() : null, root);
            if (rank == root) {
                all.check(expected, "gather of blocks, " + what());
            }
        } else {
            for (int i = 0; i < expected.length; i++) {
                all.put(i, expected[i]);
            }
            Held into = Held.of(kind(), type, counts[rank], 1);
            communicator.scatterBlocks(rank == root ? all.given() : null, into.given(), root);
            long[] mine = new long[counts[rank]];
            for (int i = 0; i < mine.length; i++) {
                mine[i] = value(rank, i);
            }
            into.check(mine, "scatter of blocks, " + what());
        }
    }

    private void allToAllBlocks(boolean started) {
        ElementType type = type();
        int[][] counts = new int[size][];
        for (int i = 0; i < size; i++) {
            counts[i] = counts();
        }
        int[] in = new int[size];
        for (int i = 0; i < size; i++) {
            in[i] = counts[i][rank];
        }
        Held out = Held.blocks(own, own.nextBoolean(), type, counts[rank]);
        for (int i = 0; i < out.elements(); i++) {
            out.put(i, value(rank, i));
        }
        Held into = Held.blocks(own, own.nextBoolean(), type, in);
        long[] expected = new long[sum(in)];
        int at = 0;
        for (int from = 0; from < size; from++) {
            int before = 0;
            for (int to = 0; to < rank; to++) {
                before += counts[from][to];
            }
            for (int item = 0; item < in[from]; item++) {
                expected[at++] = value(from, before + item);
            }
        }
        if (started) {
            finish(
                    isPersistent
                            ? begun(communicator.allToAllBlocksInit(out.given(), into.given()))
                            : communicator.iallToAllBlocks(out.given(), into.given()));
        } else {
            communicator.allToAllBlocks(out.given(), into.given());
        }
        into.check(expected, "allToAll of blocks, " + what());
    }

    // --- reductions --------------------------------------------------------------------------------------------------

    private Reduction operation;
    private ElementType operands;

    private void drawReduction() {
        do {
            operation = REDUCTIONS[shared.nextInt(REDUCTIONS.length)];
            operands = operation == AFFINE ? ElementType.LONG : type();
        } while (!makesSense());
        boolean isOfPairs =
                operation == AFFINE || operation == Reduction.MAX_LOCATION || operation == Reduction.MIN_LOCATION;
        perItem = isOfPairs ? 2 : 1;
    }

    private boolean makesSense() {
        try {
            operation.check(Layout.of(operands));
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Of ranks from the first to one before the last, element by element. */
    private long[] folded(int last, int elements, int skipped) {
        long[] folded = new long[elements];
        for (int of = 0; of < last; of++) {
            long[] next = new long[elements];
            for (int i = 0; i < elements; i++) {
                next[i] = Held.stored(operands, value(of, skipped + i));
            }
            folded = of == 0 ? next : fold(folded, next);
        }
        return folded;
    }

    private long[] fold(long[] left, long[] right) {
        long[] result = right.clone();
        if (operation == AFFINE) {
            compose(left, 0, result, 0, left.length / 2, null);
        } else if (perItem == 2) {
            for (int i = 0; i < left.length; i += 2) {
                int order = Long.compare(left[i], right[i]) * (operation == Reduction.MAX_LOCATION ? 1 : -1);
                if (order > 0 || order == 0 && left[i + 1] < right[i + 1]) {
                    result[i] = left[i];
                    result[i + 1] = left[i + 1];
                }
            }
        } else {
            for (int i = 0; i < left.length; i++) {
                result[i] = Held.stored(operands, fold(left[i], right[i]));
            }
        }
        return result;
    }

    private long fold(long left, long right) {
        switch (operation.toString()) {
            case "SUM":
                return left + right;
            case "PRODUCT":
                return left * right;
            case "MAX":
                return Math.max(left, right);
            case "MIN":
                return Math.min(left, right);
            case "LOGICAL_AND":
                return left != 0 && right != 0 ? 1 : 0;
            case "LOGICAL_OR":
                return left != 0 || right != 0 ? 1 : 0;
            case "LOGICAL_XOR":
                return left != 0 ^ right != 0 ? 1 : 0;
            case "BITWISE_AND":
                return left & right;
            case "BITWISE_OR":
                return left | right;
            default:
                return left ^ right;
        }
    }

    private void reduction(boolean started) {
        drawReduction();
        int items = items();
        int which = shared.nextInt(4);
        int root = shared.nextInt(size);
        boolean hasResult = which != 0 || rank == root;
        boolean inPlace = which == 0 ? rank == root && own.nextBoolean() : shared.nextInt(3) == 0;
        Held given = contribution(operands, items);
        Held into = hasResult ? Held.of(kind(), operands, items, perItem) : null;
        long[] before = new long[items * perItem];
        if (hasResult) {
            for (int i = 0; i < before.length; i++) {
                before[i] = value(rank, i);
                into.put(i, before[i]);
            }
        }
        Object contribution = inPlace ? Data.IN_PLACE : given.given();
        call(which, contribution, into == null ? null : into.given(), root, started);
        if (hasResult) {
            int last = which == 2 ? rank + 1 : which == 3 ? rank : size;
            into.check(
                    last == 0 ? before : folded(last, before.length, 0),
                    operation + " of " + operands + " by " + which + ", in place " + inPlace + ", " + what());
        }
    }

    private void call(int which, Object contribution, Object result, int root, boolean started) {
        Request request = null;
        if (which == 0) {
            if (started) {
                request = communicator.ireduce(contribution, result, operation, root);
            } else {
                communicator.reduce(contribution, result, operation, root);
            }
        } else if (which == 1) {
            if (started) {
                request = communicator.iallReduce(contribution, result, operation);
            } else {
                communicator.allReduce(contribution, result, operation);
            }
        } else if (started) {
            request = which == 2
                    ? communicator.iscan(contribution, result, operation)
                    : communicator.iexclusiveScan(contribution, result, operation);
        } else if (which == 2) {
            communicator.scan(contribution, result, operation);
        } else {
            communicator.exclusiveScan(contribution, result, operation);
        }
        finish(request);
    }

    private void reduceScatter(boolean started) {
        drawReduction();
        boolean varied = shared.nextBoolean();
        int items = items() / 8;
        int[] counts = varied ? counts() : null;
        int total = varied ? sum(counts) : items * size;
        int mine = varied ? counts[rank] : items;
        int before = 0;
        for (int i = 0; i < rank; i++) {
            before += varied ? counts[i] : items;
        }
        Held given = contribution(operands, total);
        Held into = Held.of(kind(), operands, mine, perItem);
        if (varied) {
            if (started) {
                finish(
                        isPersistent
                                ? begun(communicator.reduceScatterInit(given.given(), into.given(), counts, operation))
                                : communicator.ireduceScatter(given.given(), into.given(), counts, operation));
            } else {
                communicator.reduceScatter(given.given(), into.given(), counts, operation);
            }
        } else if (started) {
            finish(
                    isPersistent
                            ? begun(communicator.reduceScatterBlockInit(given.given(), into.given(), operation))
                            : communicator.ireduceScatterBlock(given.given(), into.given(), operation));
        } else {
            communicator.reduceScatterBlock(given.given(), into.given(), operation);
        }
        into.check(
                folded(size, mine * perItem, before * perItem),
                operation + " of " + operands + " by reduceScatter, " + what());
    }
}
