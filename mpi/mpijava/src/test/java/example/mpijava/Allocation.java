package example.mpijava;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import mpi.Intracomm;
import mpi.MPI;

/** Prints how many bytes two ranks allocate in a call, on the average. */
public final class Allocation {
    private static final int WARM = 3000;
    private static final int CALLS = 5000;
    private static final int ROUNDS = 6;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocation() {}

    public static void main(String[] args) {
        MPI.Init(args);
        Intracomm world = MPI.COMM_WORLD;
        int other = 1 - world.Rank();
        double[] out = new double[1];
        double[] in = new double[1];
        print("messages", () -> {
            if (other == 1) {
                world.Send(out, 0, 1, MPI.DOUBLE, other, 1);
                world.Recv(in, 0, 1, MPI.DOUBLE, other, 1);
            } else {
                world.Recv(in, 0, 1, MPI.DOUBLE, other, 1);
                world.Send(out, 0, 1, MPI.DOUBLE, other, 1);
            }
        });
        print("collectives", () -> {
            world.Allreduce(out, 0, in, 0, 1, MPI.DOUBLE, MPI.SUM);
            world.Bcast(in, 0, 1, MPI.DOUBLE, 0);
            world.Barrier();
        });
        MPI.Finalize();
    }

    private static void print(String what, Runnable calls) {
        for (int i = 0; i < WARM; i++) {
            calls.run();
        }
        long id = Thread.currentThread().getId();
        long least = Long.MAX_VALUE;
        // The compilers may need some of these until they see what nobody keeps.
        for (int round = 0; round < ROUNDS; round++) {
            long before = THREADS.getThreadAllocatedBytes(id);
            for (int i = 0; i < CALLS; i++) {
                calls.run();
            }
            least = Math.min(least, THREADS.getThreadAllocatedBytes(id) - before);
        }
        System.out.println(what + " " + least / CALLS);
    }
}
