package mpjdev;

import xdev.XDevException;

/** What {@code mpi.MPIException} extends; unchecked. */
public class MPJDevException extends XDevException {
    private static final long serialVersionUID = 1;

    public MPJDevException() {}

    public MPJDevException(String message) {
        super(message);
    }

    public MPJDevException(Throwable cause) {
        super(cause);
    }
}
