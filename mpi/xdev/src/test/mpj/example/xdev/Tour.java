package example.xdev;

import static example.xdev.Messages.check;

import java.util.Arrays;
import mpi.MPI;

/** A program for MPJ Express that goes through what its device does; prints one line a rank if all is right. */
public final class Tour {
    private Tour() {}

    public static void main(String[] args) throws Exception {
        String[] own = MPI.Init(args);
        int rank = MPI.COMM_WORLD.Rank();
        check(args[0].equals(Integer.toString(rank)) && args[2].equals("mxdev"), Arrays.toString(args));
        check(own.length == 1 && own[0].equals("its own"), Arrays.toString(own));
        check(mpjdev.MPJDev.dev.getClass().getName().equals("xdev.mxdev.MXDevice"), "another device");
        new Messages().run();
        new Collectives().run();
        MPI.Finalize();
        // MPJ Express can begin again.
        MPI.Init(args);
        new Collectives().run();
        int size = MPI.COMM_WORLD.Size();
        MPI.Finalize();
        System.out.println("rank " + rank + " of " + size + " is done");
    }
}
