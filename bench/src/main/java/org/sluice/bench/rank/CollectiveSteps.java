package org.sluice.bench.rank;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Step;
import org.sluice.device.Device;
import org.sluice.device.MessageBuffer;
import org.sluice.device.Request;
import org.sluice.device.Status;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.Data;
import org.sluice.mpi.Layout;
import org.sluice.mpi.Reduction;

/**
 * Collectives of the world, one after the other; every rank times its own calls. The root goes round, so that none runs
 * ahead of the others. What is reduced is doubles, whose sums are exact.
 *
 * <p><i>Thread</i>: the rank's. <i>Owns</i>: the device and the buffers. <i>Proof</i>: {@code BenchProcessTest}.
 */
final class CollectiveSteps implements Steps {
    /** Contents repeat after so many values, so that sums of them are exact. */
    private static final int VALUES = 97;

    private final Device device;
    private final Communicator world;
    private final BufferKind kind;
    private final int rank;
    private final int ranks;
    private final Status status = new Status();
    private Object outgoing;
    private Object incoming;
    private Data[] contributions = {};
    private Data[] results = {};
    private Step step;
    private int preparedSize = -1;
    private Benchmark preparedFor;

    CollectiveSteps(Device device, BufferKind kind) {
        this.device = device;
        this.world = Communicator.world(device);
        this.kind = kind;
        this.rank = device.rank();
        this.ranks = device.size();
    }

    @Override
    public long[] run(Step newStep) {
        step = newStep;
        prepare();
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

    // --- buffers
    // --------------------------------------------------------------------------------------------------------

    /** Elements of a block: doubles where something is reduced, else bytes. */
    private int elements() {
        return isReduced() ? step.size() / Double.BYTES : step.size();
    }

    private boolean isReduced() {
        return step.benchmark().isReduction();
    }

    private int blocksOut() {
        return step.benchmark().sendsToEach() ? ranks : 1;
    }

    private int blocksIn() {
        return step.benchmark().receivesFromEach() ? ranks : 1;
    }

    private void prepare() {
        if (step.size() == preparedSize && step.benchmark() == preparedFor) {
            return;
        }
        closeBuffers();
        int slots = Step.collectiveSlots(step.size(), ranks);
        outgoing = buffer((long) step.size() * blocksOut() * slots);
        incoming = buffer((long) step.size() * blocksIn() * slots);
        contributions = parts(outgoing, slots, blocksOut());
        results = parts(incoming, slots, blocksIn());
        preparedSize = step.size();
        preparedFor = step.benchmark();
    }

    private Object buffer(long bytes) {
        int capacity = Math.toIntExact(bytes);
        if (kind == BufferKind.ARRAY) {
            return isReduced() ? new double[capacity / Double.BYTES] : new byte[capacity];
        }
        if (kind == BufferKind.DIRECT) {
            return ByteBuffer.allocateDirect(capacity).order(ByteOrder.nativeOrder());
        }
        return device.allocate(Math.max(1, capacity));
    }

    private Data[] parts(Object buffer, int slots, int blocks) {
        Data[] parts = new Data[slots];
        long perSlot = (long) elements() * blocks;
        for (int slot = 0; slot < slots; slot++) {
            long at = perSlot * slot;
            boolean inBytes = isReduced() && kind != BufferKind.ARRAY;
            parts[slot] = Data.of(
                    buffer, inBytes ? at * Double.BYTES : at, perSlot, isReduced() ? Layout.DOUBLE : Layout.BYTE);
        }
        return parts;
    }

    // --- contents
    // -------------------------------------------------------------------------------------------------------

    private static int value(int iteration, int of, int element) {
        return (iteration * 7 + of * 13 + element) % VALUES;
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

    private void fill(int iteration, int slot, int root) {
        if (step.leavesBuffersAlone() || step.size() == 0) {
            return;
        }
        boolean isBroadcast = step.benchmark() == Benchmark.BROADCAST;
        if (isBroadcast && rank != root) {
            return;
        }
        Object buffer = isBroadcast ? incoming : outgoing;
        int blocks = isBroadcast ? 1 : blocksOut();
        int count = elements() * blocks;
        for (int i = 0; i < count; i++) {
            put(buffer, (long) slot * count + i, value(iteration, rank, i));
        }
    }

    private void check(int iteration, int slot, int root) {
        boolean isRootOnly = step.benchmark() == Benchmark.GATHER || step.benchmark() == Benchmark.REDUCE;
        if (!step.verify() || step.size() == 0 || isRootOnly && rank != root) {
            return;
        }
        int block = elements();
        int count = block * blocksIn();
        for (int i = 0; i < count; i++) {
            double found = get(incoming, (long) slot * count + i);
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

    // --- calls
    // ----------------------------------------------------------------------------------------------------------

    private void once(int iteration) {
        int slot = iteration % contributions.length;
        int root = iteration % ranks;
        fill(iteration, slot, root);
        if (step.api() == Api.REQUEST) {
            begin(contributions[slot], results[slot], root).waitFor(status);
        } else {
            call(contributions[slot], results[slot], root);
        }
        check(iteration, slot, root);
    }

    private void call(Data out, Data in, int root) {
        switch (step.benchmark()) {
            case BARRIER:
                world.barrier();
                break;
            case BROADCAST:
                world.broadcast(in, root);
                break;
            case REDUCE:
                world.reduce(out, in, Reduction.SUM, root);
                break;
            case ALLREDUCE:
                world.allReduce(out, in, Reduction.SUM);
                break;
            case REDUCE_SCATTER:
                world.reduceScatterBlock(out, in, Reduction.SUM);
                break;
            case ALLGATHER:
                world.allGather(out, in);
                break;
            case ALLTOALL:
                world.allToAll(out, in);
                break;
            case GATHER:
                world.gather(out, in, root);
                break;
            case SCATTER:
                world.scatter(out, in, root);
                break;
            default:
                world.scan(out, in, Reduction.SUM);
                break;
        }
    }

    private Request begin(Data out, Data in, int root) {
        switch (step.benchmark()) {
            case BARRIER:
                return world.ibarrier();
            case BROADCAST:
                return world.ibroadcast(in, root);
            case REDUCE:
                return world.ireduce(out, in, Reduction.SUM, root);
            case ALLREDUCE:
                return world.iallReduce(out, in, Reduction.SUM);
            case REDUCE_SCATTER:
                return world.ireduceScatterBlock(out, in, Reduction.SUM);
            case ALLGATHER:
                return world.iallGather(out, in);
            case ALLTOALL:
                return world.iallToAll(out, in);
            case GATHER:
                return world.igather(out, in, root);
            case SCATTER:
                return world.iscatter(out, in, root);
            default:
                return world.iscan(out, in, Reduction.SUM);
        }
    }

    private void closeBuffers() {
        if (outgoing instanceof MessageBuffer) {
            ((MessageBuffer) outgoing).close();
            ((MessageBuffer) incoming).close();
        }
    }

    @Override
    public void close() {
        closeBuffers();
        device.close();
    }
}
