package example.openmpi;

import mpi.MPI;
import org.sluice.mpi.cases.MpiCase;

/**
 * A program that goes through the table of MPI's rules, and prints what it has found: with collectives that block, or
 * with those that don't if an argument says so.
 */
public final class Cases {
    private Cases() {}

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        boolean starts = args.length > 0 && args[0].equals("started");
        MpiCase.printAll(new OpenMpiUnderTest(starts), !starts);
        MPI.Finalize();
    }
}
