package org.sluice.mpi.schedule;

/** A message came that belongs to no call like this one. Internal: the communicator says it in words. */
public final class MismatchException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int peer;
    private final int tag;

    public MismatchException(int peer, int tag) {
        super("rank " + peer + " is in another call", null, false, false);
        this.peer = peer;
        this.tag = tag;
    }

    /** The rank of the communicator that sent it. */
    public int peer() {
        return peer;
    }

    /** What the peer says of its call. */
    public int tag() {
        return tag;
    }
}
