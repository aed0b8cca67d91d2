import mpi.MPI;
import mpi.MPIException;
import mpi.Status;

/** A token goes round a ring of ranks, twice; then all ranks shift a number around it at once. */
public class Ring {
    private static final int LAPS = 2;
    private static final int TOKEN = 1;
    private static final int NUMBER = 2;

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        int ranks = MPI.COMM_WORLD.getSize();
        int next = (rank + 1) % ranks;
        int previous = (rank + ranks - 1) % ranks;
        if (ranks > 1) { // a rank that sends to itself would wait for itself
            passToken(rank, ranks, next, previous);
        }

        // All ranks send at once: with send and recv they might wait for each other for ever.
        long[] mine = {(rank + 1) * (rank + 1)};
        long[] come = new long[1];
        long sum = 0;
        for (int step = 0; step < ranks; step++) {
            MPI.COMM_WORLD.sendRecv(mine, 1, MPI.LONG, next, NUMBER, come, 1, MPI.LONG, previous, NUMBER);
            sum += come[0];
            mine[0] = come[0];
        }

        long[] sums = new long[ranks];
        MPI.COMM_WORLD.gather(new long[] {sum}, 1, MPI.LONG, sums, 1, MPI.LONG, 0);
        if (rank == 0) {
            for (int i = 0; i < ranks; i++) {
                System.out.println("rank " + i + " has added up " + sums[i]);
            }
        }
        MPI.Finalize();
    }

    /** Each rank writes its number behind those that are there. */
    private static void passToken(int rank, int ranks, int next, int previous) throws MPIException {
        int[] token = new int[LAPS * ranks];
        int length = 0;
        for (int lap = 0; lap < LAPS; lap++) {
            if (rank != 0 || lap > 0) {
                Status status = MPI.COMM_WORLD.recv(token, token.length, MPI.INT, previous, TOKEN);
                length = status.getCount(MPI.INT);
            }
            token[length++] = rank;
            MPI.COMM_WORLD.send(token, length, MPI.INT, next, TOKEN);
        }
        if (rank == 0) {
            MPI.COMM_WORLD.recv(token, token.length, MPI.INT, previous, TOKEN);
            StringBuilder line = new StringBuilder("the token was at");
            for (int visited : token) {
                line.append(' ').append(visited);
            }
            System.out.println(line);
        }
    }
}
