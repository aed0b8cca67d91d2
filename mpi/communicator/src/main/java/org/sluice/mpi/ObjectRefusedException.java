package org.sluice.mpi;

/**
 * An object came that this rank doesn't take: a class isn't allowed, or its bytes are none of an object. The message is
 * consumed, and the communicator goes on.
 */
public final class ObjectRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int rank;

    ObjectRefusedException(int rank, String message, Throwable cause) {
        super(message, cause);
        this.rank = rank;
    }

    /** The rank of the communicator that sent it. */
    public int rank() {
        return rank;
    }
}
