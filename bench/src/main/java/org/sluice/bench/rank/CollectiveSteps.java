package org.sluice.bench.rank;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.BufferKind;
import org.sluice.device.Device;
import org.sluice.device.MessageBuffer;
import org.sluice.device.Request;
import org.sluice.device.Status;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.Data;
import org.sluice.mpi.Layout;
import org.sluice.mpi.Reduction;

/**
 * Collectives of the world.
 *
 * <p><i>Thread</i>: the rank's. <i>Owns</i>: the device and the buffers.
 */
class CollectiveSteps extends CollectiveRounds {
    private final Device device;
    private final Communicator world;
    private final BufferKind kind;
    private final Status status = new Status();
    private Data[] contributions = {};
    private Data[] results = {};

    CollectiveSteps(Device device, BufferKind kind) {
        super(device.rank(), device.size(), false);
        this.device = device;
        this.world = Communicator.world(device);
        this.kind = kind;
    }

    @Override
    protected void prepared(int places) {
        contributions = parts(outgoing[0], places, blocksOut());
        results = parts(incoming[0], places, blocksIn());
    }

    @Override
    protected Object buffer(long bytes) {
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

    @Override
    protected void call(int slot, int root) {
        if (step.api() == Api.REQUEST) {
            begin(slot, root).waitFor(status);
        } else {
            call(contributions[slot], results[slot], root);
        }
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

    /** One that is waited for later. */
    final Request begin(int slot, int root) {
        return begin(contributions[slot], results[slot], root);
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
            case OVERLAP_ALLREDUCE:
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

    @Override
    protected void closeBuffers() {
        for (Object[] buffers : new Object[][] {outgoing, incoming}) {
            for (Object buffer : buffers) {
                if (buffer instanceof MessageBuffer) {
                    ((MessageBuffer) buffer).close();
                }
            }
        }
    }

    @Override
    public void close() {
        super.close();
        device.close();
    }
}
