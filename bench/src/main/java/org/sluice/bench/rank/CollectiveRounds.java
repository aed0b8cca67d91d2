package org.sluice.bench.rank;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.Step;
import org.sluice.device.MessageBuffer;

/**
 * Collectives of all ranks, one after the other, by whoever's calls; every rank times its own. The root goes round, so
 * that none runs ahead of the others. What is reduced is doubles, whose sums are exact.
 *
 * <p><i>Thread</i>: the rank's. <i>Owns</i>: the buffers. <i>Proof</i>: {@code BenchProcessTest}.
 */
public abstract class CollectiveRounds implements Steps {
    /** Contents repeat after so many values, so that sums of them are exact. */
    private static final int VALUES = 97;

    protected final int rank;
    protected final int ranks;
    /** What is done just now. */
    protected Step step;
    /** What this rank contributes: all places one after the other, or each by itself. */
    protected Object[] outgoing = {};
    /** Results, likewise; of a broadcast also what the root gives. */
    protected Object[] incoming = {};

    private final boolean placesAreApart;
    private int slots;
    private int preparedSize = -1;
    private Benchmark preparedFor;

    /** @param placesAreApart whether each place has a buffer of its own, for calls that are only right from 0 on */
    protected CollectiveRounds(int rank, int ranks, boolean placesAreApart) {
        this.rank = rank;
        this.ranks = ranks;
        this.placesAreApart = placesAreApart;
    }

    @Override
    public long[] run(Step newStep) {
        prepare(newStep);
        long[] samples = new long[step.batches()];
        int iteration = 0;
        for (; iteration < step.leadIn(); iteration++) {
            once(iteration);
        }
        long start = System.nanoTime();
        for (int batch = 0; batch < samples.length; batch++) {
            for (int i = 0; i < step.batch(); i++) {
                once(iteration++);
            }
            long end = System.nanoTime();
            samples[batch] = end - start;
            start = end;
        }
        return samples;
    }

    /** One call, of this place of the buffers. */
    protected abstract void call(int slot, int root);

    // --- buffers -----------------------------------------------------------------------------------------------------

    /** As long as said; what is reduced, if it is an array, in doubles, all else in bytes. */
    protected abstract Object buffer(long bytes);

    /** There are other buffers, with so many places. */
    protected void prepared(int places) {}

    /** The buffers are not used any more. */
    protected void closeBuffers() {}

    /** Elements of a block: doubles where something is reduced, else bytes. */
    protected final int elements() {
        return isReduced() ? step.size() / Double.BYTES : step.size();
    }

    /** Whether elements are doubles. */
    protected final boolean isReduced() {
        return step.benchmark().isReduction();
    }

    /** Blocks of a contribution. */
    protected final int blocksOut() {
        return step.benchmark().sendsToEach() ? ranks : 1;
    }

    /** Blocks of a result. */
    protected final int blocksIn() {
        return step.benchmark().receivesFromEach() ? ranks : 1;
    }

    /** For what is done from now on. */
    protected final void prepare(Step newStep) {
        step = newStep;
        if (step.size() == preparedSize && step.benchmark() == preparedFor) {
            return;
        }
        closeBuffers();
        slots = Step.collectiveSlots(step.size(), ranks);
        outgoing = buffers(blocksOut());
        incoming = buffers(blocksIn());
        prepared(slots);
        preparedSize = step.size();
        preparedFor = step.benchmark();
    }

    private Object[] buffers(int blocks) {
        Object[] buffers = new Object[placesAreApart ? slots : 1];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = buffer((long) step.size() * blocks * (slots / buffers.length));
        }
        return buffers;
    }

    // --- contents ----------------------------------------------------------------------------------------------------

    private static int value(int iteration, int of, int element) {
        return (iteration * 7 + of * 13 + element) % VALUES;
    }

    /** Of a place in its buffer. */
    private long first(int slot, int count) {
        return placesAreApart ? 0 : (long) slot * count;
    }

    private void put(Object buffer, long element, int value) {
        if (buffer instanceof double[]) {
            ((double[]) buffer)[(int) element] = value;
        } else if (buffer instanceof byte[]) {
            ((byte[]) buffer)[(int) element] = (byte) value;
        } else if (isReduced()) {
            view(buffer).putDouble((int) element * Double.BYTES, value);
        } else {
            view(buffer).put((int) element, (byte) value);
        }
    }

    private double get(Object buffer, long element) {
        if (buffer instanceof double[]) {
            return ((double[]) buffer)[(int) element];
        }
        if (buffer instanceof byte[]) {
            return ((byte[]) buffer)[(int) element];
        }
        return isReduced()
                ? view(buffer).getDouble((int) element * Double.BYTES)
                : view(buffer).get((int) element);
    }

    private static ByteBuffer view(Object buffer) {
        return buffer instanceof MessageBuffer
                ? ((MessageBuffer) buffer).byteBuffer().order(ByteOrder.nativeOrder())
                : (ByteBuffer) buffer;
    }

    protected final int slot(int iteration) {
        return iteration % slots;
    }

    /** What the step has a rank do with what it contributes: nothing, or write it anew. */
    protected final void fill(int iteration) {
        int slot = slot(iteration);
        int root = iteration % ranks;
        if (step.leavesBuffersAlone() || step.size() == 0) {
            return;
        }
        boolean isBroadcast = step.benchmark() == Benchmark.BROADCAST;
        if (isBroadcast && rank != root) {
            return;
        }
        Object[] buffers = isBroadcast ? incoming : outgoing;
        int blocks = isBroadcast ? 1 : blocksOut();
        int count = elements() * blocks;
        for (int i = 0; i < count; i++) {
            put(buffers[placesAreApart ? slot : 0], first(slot, count) + i, value(iteration, rank, i));
        }
    }

    /** What the step has a rank do with a result: nothing, or check it. */
    protected final void check(int iteration) {
        int slot = slot(iteration);
        int root = iteration % ranks;
        boolean isRootOnly = step.benchmark() == Benchmark.GATHER || step.benchmark() == Benchmark.REDUCE;
        if (!step.verify() || step.size() == 0 || isRootOnly && rank != root) {
            return;
        }
        int block = elements();
        int count = block * blocksIn();
        for (int i = 0; i < count; i++) {
            double found = get(incoming[placesAreApart ? slot : 0], first(slot, count) + i);
            double expected = expected(iteration, root, i / block, i % block);
            if (found != expected) {
                throw new IllegalStateException(
                        "wrong content of " + step.benchmark().label() + ": " + found + " in place of " + expected
                                + " at " + i + " of iteration " + iteration);
            }
        }
    }

    private double expected(int iteration, int root, int from, int element) {
        int block = elements();
        switch (step.benchmark()) {
            case BROADCAST:
                return value(iteration, root, element);
            case SCATTER:
                return value(iteration, root, rank * block + element);
            case ALLTOALL:
                return value(iteration, from, rank * block + element);
            case GATHER:
            case ALLGATHER:
                return value(iteration, from, element);
            default:
                double sum = 0;
                int last = step.benchmark() == Benchmark.SCAN ? rank + 1 : ranks;
                int first = step.benchmark() == Benchmark.REDUCE_SCATTER ? rank * block : 0;
                for (int of = 0; of < last; of++) {
                    sum += value(iteration, of, first + element);
                }
                return sum;
        }
    }

    private void once(int iteration) {
        fill(iteration);
        call(slot(iteration), iteration % ranks);
        check(iteration);
    }

    @Override
    public void close() {
        closeBuffers();
    }
}
