package mpi;

/** What becomes of an error: one of {@link MPI#ERRORS_RETURN} and its like. */
public final class Errhandler {
    private final boolean isFatal;

    Errhandler(boolean isFatal) {
        this.isFatal = isFatal;
    }

    /** The exception for the caller, unless the error is fatal: then the job ends here. */
    MPIException told(MPIException error) {
        if (isFatal) {
            error.printStackTrace();
            MPI.abort(error.getErrorClass(), error.getMessage());
        }
        return error;
    }
}
