package org.sluice.mpi;

/**
 * Ranks of a communicator don't make the same calls in the same order: another rank was in another collective than this
 * one, or in the same with another root, count, type or reduction.
 */
public final class MismatchedCallException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int rank;

    MismatchedCallException(int rank, String message) {
        super(message, null);
        this.rank = rank;
    }

    /** The rank of the communicator that made another call. */
    public int rank() {
        return rank;
    }
}
