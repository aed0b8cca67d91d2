package example.mpijava;

import mpi.MPI;
import org.sluice.mpi.cases.MpiCase;

/** A program that goes through the table of MPI's rules, and prints what it has found. */
public final class Cases {
    private Cases() {}

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        MpiCase.printAll(new MpijavaUnderTest());
        MPI.Finalize();
    }
}
