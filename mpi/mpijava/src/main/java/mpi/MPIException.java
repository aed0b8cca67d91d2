package mpi;

import mpjdev.MPJDevException;

/** What calls throw; unchecked. The cause, if any, is what Sluice has thrown. */
public class MPIException extends MPJDevException {
    private static final long serialVersionUID = 1;

    public MPIException() {}

    public MPIException(String message) {
        super(message);
    }

    public MPIException(Throwable cause) {
        super(cause);
    }

    /** In the cause's words; what is one already stays as it is. */
    static MPIException of(Exception cause) {
        if (cause instanceof MPIException) {
            return (MPIException) cause;
        }
        String words = cause.getMessage();
        MPIException exception = words == null ? new MPIException(cause) : new MPIException(words);
        if (exception.getCause() == null) {
            exception.initCause(cause);
        }
        return exception;
    }
}
