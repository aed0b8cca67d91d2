package mpi;

/** An MPI call has failed. The message says why, and what to do. */
public final class MPIException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int errorCode;
    private final int errorClass;

    /** An error of the program's own, of no class. */
    public MPIException(String message) {
        super(message);
        errorCode = MPI.SUCCESS;
        errorClass = MPI.SUCCESS;
    }

    /** As {@link #MPIException(String)}, with the stack of what has caused it. */
    public MPIException(Throwable cause) {
        super(cause);
        errorCode = MPI.SUCCESS;
        errorClass = MPI.SUCCESS;
        setStackTrace(cause.getStackTrace());
    }

    MPIException(int errorClass, String message, Throwable cause) {
        super(message, cause);
        this.errorCode = errorClass;
        this.errorClass = errorClass;
    }

    /** The class again: no class has several codes. */
    public int getErrorCode() {
        return errorCode;
    }

    /** One of {@link MPI}'s {@code ERR_...} constants. */
    public int getErrorClass() {
        return errorClass;
    }
}
