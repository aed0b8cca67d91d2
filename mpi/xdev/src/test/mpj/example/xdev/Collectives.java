package example.xdev;

import static example.xdev.Messages.check;

import java.util.Arrays;
import mpi.Cartcomm;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Op;
import mpi.ShiftParms;
import mpi.User_function;

/** Collectives, topologies and intercommunicators of a program for MPJ Express. */
final class Collectives {
    private final Intracomm world = MPI.COMM_WORLD;
    private final int rank = MPI.COMM_WORLD.Rank();
    private final int size = MPI.COMM_WORLD.Size();

    void run() {
        toAll(4);
        toAll(50_000);
        blocks();
        objects();
        grid();
        halves();
    }

    private void toAll(int length) {
        int[] values = new int[length];
        Arrays.fill(values, rank == 1 ? 5 : 0);
        world.Bcast(values, 0, length, MPI.INT, 1);
        check(values[length - 1] == 5, "Bcast");
        Arrays.fill(values, rank + 1);
        int[] sums = new int[length];
        world.Allreduce(values, 0, sums, 0, length, MPI.INT, MPI.SUM);
        check(sums[length - 1] == size * (size + 1) / 2, "Allreduce");
        world.Reduce(values, 0, sums, 0, length, MPI.INT, MPI.MAX, 0);
        check(rank > 0 || sums[0] == size, "Reduce");
        world.Scan(values, 0, sums, 0, length, MPI.INT, MPI.SUM);
        check(sums[0] == (rank + 1) * (rank + 2) / 2, "Scan");
        world.Barrier();
    }

    private void blocks() {
        long[] mine = {rank, -rank};
        long[] all = new long[2 * size];
        world.Gather(mine, 0, 2, MPI.LONG, all, 0, 2, MPI.LONG, 0);
        check(rank > 0 || all[2 * size - 1] == 1 - size, "Gather");
        Arrays.fill(mine, 0);
        world.Scatter(all, 0, 2, MPI.LONG, mine, 0, 2, MPI.LONG, 0);
        check(mine[0] == rank && mine[1] == -rank, "Scatter");
        world.Allgather(mine, 0, 2, MPI.LONG, all, 0, 2, MPI.LONG);
        check(all[2 * size - 2] == size - 1, "Allgather");
        long[] out = new long[size];
        Arrays.setAll(out, i -> 10 * rank + i);
        long[] in = new long[size];
        world.Alltoall(out, 0, 1, MPI.LONG, in, 0, 1, MPI.LONG);
        check(in[size - 1] == 10 * (size - 1) + rank, "Alltoall");
    }

    private void objects() {
        Object[] one = {rank == 0 ? "all" : null};
        world.Bcast(one, 0, 1, MPI.OBJECT, 0);
        check("all".equals(one[0]), "Bcast of objects");
        Op longest = new Op(
                new User_function() {
                    @Override
                    public void Call(Object in, int inOffset, Object inOut, int offset, int count, mpi.Datatype type) {
                        Object[] from = (Object[]) in;
                        Object[] to = (Object[]) inOut;
                        String left = (String) from[inOffset];
                        to[offset] = left.length() > ((String) to[offset]).length() ? left : to[offset];
                    }
                },
                true);
        Object[] result = new Object[1];
        world.Reduce(new Object[] {"x".repeat(rank + 1)}, 0, result, 0, 1, MPI.OBJECT, longest, 0);
        check(rank > 0 || result[0].equals("x".repeat(size)), "Reduce of objects");
    }

    private void grid() {
        Cartcomm ring = world.Create_cart(new int[] {size}, new boolean[] {true}, false);
        ShiftParms shift = ring.Shift(0, 1);
        int[] value = {rank};
        ring.Sendrecv_replace(value, 0, 1, MPI.INT, shift.rank_dest, 3, shift.rank_source, 3);
        check(value[0] == (rank + size - 1) % size, "a ring");
    }

    private void halves() {
        Intracomm half = world.Split(rank % 2, rank);
        int[] sum = new int[1];
        half.Allreduce(new int[] {rank}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
        int expected = 0;
        for (int i = rank % 2; i < size; i += 2) {
            expected += i;
        }
        check(sum[0] == expected, "a half's sum is " + sum[0]);
        Intercomm between = world.Create_intercomm(half, 0, 1 - rank % 2, 12);
        int[] in = new int[1];
        if (half.Rank() == 0) {
            mpi.Request sending = between.Isend(new int[] {rank}, 0, 1, MPI.INT, 0, 4);
            mpi.Status status = between.Recv(in, 0, 1, MPI.INT, 0, 4);
            sending.Wait();
            check(in[0] == 1 - rank && status.source == 0, "between groups came " + in[0]);
        }
        world.Barrier();
    }
}
