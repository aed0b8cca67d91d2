package org.sluice.hybrid.process;

import java.util.Arrays;
import mpi.File;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** Program of {@link OpenMpiProcessTest}: a sum, and numbers that all ranks write to one file, each of them once. */
public final class OpenMpiRanks {
    static final String FILE = "sluice.test.file";
    static final int COUNT = 50;

    private OpenMpiRanks() {}

    public static void main(String[] args) throws MPIException {
        String[] own = MPI.Init(args);
        Intracomm world = MPI.COMM_WORLD;
        if (args.length > 0) {
            end(args[0]);
            return;
        }
        int size = world.getSize();
        check(own == args, "other arguments");
        int[] sum = {world.getRank() + 1};
        world.allReduce(sum, 1, MPI.INT, MPI.SUM);
        check(sum[0] == size * (size + 1) / 2, "a sum of " + sum[0]);
        File file = new File(world, System.getProperty(FILE), MPI.MODE_RDWR | MPI.MODE_CREATE);
        file.setView(0, MPI.INT, MPI.INT, "native");
        for (int i = 0; i < COUNT; i++) {
            file.writeShared(new int[] {COUNT * world.getRank() + i}, 1, MPI.INT);
        }
        world.barrier();
        int[] all = new int[size * COUNT];
        file.readAt(0, all, all.length, MPI.INT);
        Arrays.sort(all);
        for (int i = 0; i < all.length; i++) {
            check(all[i] == i, "number " + i + " is " + all[i]);
        }
        file.close();
        MPI.Finalize();
    }

    private static void end(String how) throws MPIException {
        Intracomm world = MPI.COMM_WORLD;
        if (how.equals("abort")) {
            world.barrier();
            world.abort(world.getRank() == 0 ? 7 : 0);
        }
        if (how.equals("dies")) {
            world.barrier();
            if (world.getRank() == 1) {
                Runtime.getRuntime().halt(3);
            }
            world.barrier();
        }
        if (how.equals("alone")) {
            if (world.getRank() == 1) {
                world.bcast(new int[1], 1, MPI.INT, 1);
            }
            MPI.Finalize();
            return;
        }
        if (how.equals("waits")) {
            if (world.getRank() == 0) {
                world.iRecv(new int[1], 1, MPI.INT, 1, 0);
            }
            MPI.Finalize();
            return;
        }
        world.setErrhandler(MPI.ERRORS_ARE_FATAL);
        world.send(new int[1], 1, MPI.INT, 5, 0);
    }

    private static void check(boolean isRight, String what) {
        if (!isRight) {
            throw new IllegalStateException(what);
        }
    }
}
