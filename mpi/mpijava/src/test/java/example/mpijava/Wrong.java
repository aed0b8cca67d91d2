package example.mpijava;

import mpi.MPI;

/** What ends a job, by the first argument. */
public final class Wrong {
    private Wrong() {}

    public static void main(String[] args) {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.Rank();
        switch (args[0]) {
            case "open":
                MPI.COMM_WORLD.Irecv(new int[1], 0, 1, MPI.INT, MPI.ANY_SOURCE, 5);
                break;
            case "waits":
                // For one that ends well meanwhile.
                if (rank == 0) {
                    MPI.COMM_WORLD.Irecv(new int[1], 0, 1, MPI.INT, 1, 5);
                }
                break;
            case "abort":
                if (rank == 1) {
                    MPI.COMM_WORLD.Abort(17);
                }
                break;
            case "alone":
                if (rank == 1) {
                    MPI.COMM_WORLD.Bcast(new int[1], 0, 1, MPI.INT, 1);
                }
                break;
            case "dies":
                MPI.COMM_WORLD.Barrier();
                if (rank == 1) {
                    Runtime.getRuntime().halt(3);
                }
                MPI.COMM_WORLD.Barrier();
                break;
            default:
                break;
        }
        MPI.Finalize();
    }
}
