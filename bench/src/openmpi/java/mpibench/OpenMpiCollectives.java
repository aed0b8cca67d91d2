package mpibench;

import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.rank.CollectiveRounds;

/** Collectives of the world, on arrays or direct buffers. */
final class OpenMpiCollectives extends CollectiveRounds {
    private final Intracomm world = MPI.COMM_WORLD;
    private final BufferKind kind;

    OpenMpiCollectives(BufferKind kind, int rank, int ranks) {
        // These calls take no offset.
        super(rank, ranks, true);
        this.kind = kind;
    }

    @Override
    protected Object buffer(long bytes) {
        int length = Math.toIntExact(bytes);
        if (kind == BufferKind.DIRECT) {
            return MPI.newByteBuffer(length);
        }
        return isReduced() ? new double[length / Double.BYTES] : new byte[length];
    }

    @Override
    protected void call(int slot, int root) {
        try {
            call(outgoing[slot], incoming[slot], elements(), root);
        } catch (MPIException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    private void call(Object out, Object in, int n, int root) throws MPIException {
        switch (step.benchmark()) {
            case BARRIER:
                world.barrier();
                break;
            case BROADCAST:
                world.bcast(in, n, MPI.BYTE, root);
                break;
            case REDUCE:
                world.reduce(out, in, n, MPI.DOUBLE, MPI.SUM, root);
                break;
            case ALLREDUCE:
                world.allReduce(out, in, n, MPI.DOUBLE, MPI.SUM);
                break;
            case REDUCE_SCATTER:
                world.reduceScatterBlock(out, in, n, MPI.DOUBLE, MPI.SUM);
                break;
            case ALLGATHER:
                world.allGather(out, n, MPI.BYTE, in, n, MPI.BYTE);
                break;
            case ALLTOALL:
                world.allToAll(out, n, MPI.BYTE, in, n, MPI.BYTE);
                break;
            case GATHER:
                world.gather(out, n, MPI.BYTE, in, n, MPI.BYTE, root);
                break;
            case SCATTER:
                world.scatter(out, n, MPI.BYTE, in, n, MPI.BYTE, root);
                break;
            default:
                world.scan(out, in, n, MPI.DOUBLE, MPI.SUM);
                break;
        }
    }

    @Override
    public void close() {
        try {
            MPI.Finalize();
        } catch (MPIException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }
}
