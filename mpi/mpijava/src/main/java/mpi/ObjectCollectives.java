package mpi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.ObjectSpace;

/** Collectives of {@code MPI.OBJECT}: each rank's items, or a block of them, are one array of objects. */
final class ObjectCollectives {
    private ObjectCollectives() {}

    private static ObjectSpace<Object> space(Communicator communicator) {
        return communicator.objects(MPI.codec());
    }

    /** A block for each rank, of as many items. */
    static Object[][] blocks(Object buffer, int offset, int count, Datatype type, int ranks) {
        Object[][] blocks = new Object[ranks][];
        for (int i = 0; i < ranks; i++) {
            blocks[i] = type.pick(buffer, offset + i * count * type.extent, count);
        }
        return blocks;
    }

    static Object[][] blocks(Object buffer, int offset, int[] counts, int[] displs, Datatype type, int ranks) {
        int[] lengths = Buffers.ofRanks(counts, ranks);
        int[] places = Buffers.ofRanks(displs, ranks);
        Object[][] blocks = new Object[ranks][];
        for (int i = 0; i < ranks; i++) {
            blocks[i] = type.pick(buffer, offset + places[i] * type.extent, lengths[i]);
        }
        return blocks;
    }

    private static void put(List<Object> blocks, Object buffer, int offset, int count, Datatype type) {
        for (int i = 0; i < blocks.size(); i++) {
            type.put(blocks.get(i), buffer, offset + i * count * type.extent, count);
        }
    }

    private static void put(List<Object> blocks, Object buffer, int offset, int[] counts, int[] displs, Datatype type) {
        for (int i = 0; i < blocks.size(); i++) {
            type.put(blocks.get(i), buffer, offset + displs[i] * type.extent, counts[i]);
        }
    }

    static void broadcast(Communicator communicator, Object buffer, int offset, int count, Datatype type, int root) {
        boolean isRoot = communicator.rank() == root;
        type.check(buffer, count);
        Object values = space(communicator).broadcast(isRoot ? type.pick(buffer, offset, count) : null, root);
        if (!isRoot) {
            type.put(values, buffer, offset, count);
        }
    }

    static void gather(
            Communicator communicator, Object[] values, Object into, int offset, int count, Datatype type, int root) {
        if (communicator.rank() == root) {
            type.check(into, count);
        }
        List<Object> all = space(communicator).gather(values, root);
        if (all != null) {
            put(all, into, offset, count, type);
        }
    }

    static void gather(
            Communicator communicator,
            Object[] values,
            Object into,
            int offset,
            int[] counts,
            int[] displs,
            Datatype type,
            int root) {
        if (communicator.rank() == root) {
            checkBlocks(communicator, into, counts, displs, type);
        }
        List<Object> all = space(communicator).gather(values, root);
        if (all != null) {
            put(all, into, offset, counts, displs, type);
        }
    }

    private static void checkBlocks(Communicator communicator, Object into, int[] counts, int[] displs, Datatype type) {
        type.check(into, 0);
        Buffers.ofRanks(counts, communicator.size());
        Buffers.ofRanks(displs, communicator.size());
    }

    /** @param blocks at the root one for each rank */
    static void scatter(
            Communicator communicator, Object[][] blocks, Object into, int offset, int count, Datatype type, int root) {
        type.check(into, count);
        List<Object> all = blocks == null ? null : Arrays.asList((Object[]) blocks);
        type.put(space(communicator).scatter(all, root), into, offset, count);
    }

    static void allGather(
            Communicator communicator, Object[] values, Object into, int offset, int count, Datatype type) {
        type.check(into, count);
        put(space(communicator).allGather(values), into, offset, count, type);
    }

    static void allGather(
            Communicator communicator,
            Object[] values,
            Object into,
            int offset,
            int[] counts,
            int[] displs,
            Datatype type) {
        checkBlocks(communicator, into, counts, displs, type);
        put(space(communicator).allGather(values), into, offset, counts, displs, type);
    }

    static void allToAll(
            Communicator communicator, Object[][] blocks, Object into, int offset, int count, Datatype type) {
        type.check(into, count);
        put(space(communicator).allToAll(new ArrayList<>(Arrays.asList((Object[]) blocks))), into, offset, count, type);
    }

    static void allToAll(
            Communicator communicator,
            Object[][] blocks,
            Object into,
            int offset,
            int[] counts,
            int[] displs,
            Datatype type) {
        checkBlocks(communicator, into, counts, displs, type);
        List<Object> all = new ArrayList<>(Arrays.asList((Object[]) blocks));
        put(space(communicator).allToAll(all), into, offset, counts, displs, type);
    }

    static void reduce(
            Communicator communicator,
            Object[] values,
            Object into,
            int offset,
            int count,
            Datatype type,
            Op op,
            int root) {
        boolean isRoot = communicator.rank() == root;
        if (isRoot) {
            type.check(into, count);
        }
        Object result = space(communicator).reduce(values, op.ofObjects(type), root);
        if (isRoot) {
            type.put(result, into, offset, count);
        }
    }

    static void allReduce(
            Communicator communicator, Object[] values, Object into, int offset, int count, Datatype type, Op op) {
        type.check(into, count);
        type.put(space(communicator).allReduce(values, op.ofObjects(type)), into, offset, count);
    }

    static void scan(
            Communicator communicator, Object[] values, Object into, int offset, int count, Datatype type, Op op) {
        type.check(into, count);
        type.put(space(communicator).scan(values, op.ofObjects(type)), into, offset, count);
    }

    /** Every rank has all results, of which it takes its own: objects have no cheaper way. */
    static void reduceScatter(
            Communicator communicator, Object[] values, Object into, int offset, int[] counts, Datatype type, Op op) {
        type.check(into, 0);
        Object[] all = (Object[]) space(communicator).allReduce(values, op.ofObjects(type));
        int begin = 0;
        for (int i = 0; i < communicator.rank(); i++) {
            begin += counts[i] * type.size;
        }
        int own = counts[communicator.rank()];
        type.put(Arrays.copyOfRange(all, begin, begin + own * type.size), into, offset, own);
    }
}
