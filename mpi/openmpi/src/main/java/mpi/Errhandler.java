package mpi;

/** What becomes of an error: one of {@link MPI#ERRORS_RETURN} and its like. */
public final class Errhandler {
    private static final int HIGHEST_STATUS = 255;

    private final boolean isFatal;

    Errhandler(boolean isFatal) {
        this.isFatal = isFatal;
    }

    /** The exception for the caller, unless the error is fatal: then the job ends here. */
    MPIException told(MPIException error) {
        if (isFatal) {
            error.printStackTrace();
            abort(error.getErrorClass());
        }
        return error;
    }

    /** Ends this JVM with a status that isn't 0, so that its launcher ends the others. */
    static void abort(int errorCode) {
        int status = errorCode & HIGHEST_STATUS;
        System.exit(status == 0 ? 1 : status);
    }
}
