package example.mpijava;

import mpi.MPI;
import org.sluice.mpi.cases.MpiCase;

/** A program that goes through the table of MPI's rules, and prints what it has found. */
public final class Cases {
    private Cases() {}

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        // MPJ Express is left out of some, and doesn't tell of mistakes as Sluice does.
        MpiCase.printAll(new MpijavaUnderTest(), System.getProperty("sluice.test.left.out") == null);
        MPI.Finalize();
    }
}
