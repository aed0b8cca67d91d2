package mpibench;

import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;
import org.sluice.bench.rank.CollectiveRounds;

/** Collectives of the world, on arrays. */
final class MpijavaCollectives extends CollectiveRounds {
    private final Intracomm world = MPI.COMM_WORLD;
    private int[] counts = {};

    MpijavaCollectives(int rank, int ranks) {
        // Several of MPJ Express's collectives take a result's offset for 0 (0.44).
        super(rank, ranks, true);
    }

    @Override
    protected Object buffer(long bytes) {
        int length = Math.toIntExact(bytes);
        return isReduced() ? new double[length / Double.BYTES] : new byte[length];
    }

    @Override
    protected void prepared(int places) {
        counts = new int[ranks];
        Arrays.fill(counts, elements());
    }

    @Override
    protected void call(int slot, int root) {
        int n = elements();
        Object out = outgoing[slot];
        Object in = incoming[slot];
        switch (step.benchmark()) {
            case BARRIER:
                world.Barrier();
                break;
            case BROADCAST:
                world.Bcast(in, 0, n, MPI.BYTE, root);
                break;
            case REDUCE:
                world.Reduce(out, 0, in, 0, n, MPI.DOUBLE, MPI.SUM, root);
                break;
            case ALLREDUCE:
                world.Allreduce(out, 0, in, 0, n, MPI.DOUBLE, MPI.SUM);
                break;
            case REDUCE_SCATTER:
                world.Reduce_scatter(out, 0, in, 0, counts, MPI.DOUBLE, MPI.SUM);
                break;
            case ALLGATHER:
                world.Allgather(out, 0, n, MPI.BYTE, in, 0, n, MPI.BYTE);
                break;
            case ALLTOALL:
                world.Alltoall(out, 0, n, MPI.BYTE, in, 0, n, MPI.BYTE);
                break;
            case GATHER:
                world.Gather(out, 0, n, MPI.BYTE, in, 0, n, MPI.BYTE, root);
                break;
            case SCATTER:
                world.Scatter(out, 0, n, MPI.BYTE, in, 0, n, MPI.BYTE, root);
                break;
            default:
                world.Scan(out, 0, in, 0, n, MPI.DOUBLE, MPI.SUM);
                break;
        }
    }

    @Override
    public void close() {
        MPI.Finalize();
    }
}
