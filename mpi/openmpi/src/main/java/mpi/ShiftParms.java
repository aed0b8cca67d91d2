package mpi;

/** Whom a shift along a dimension exchanges with. */
public final class ShiftParms {
    private final int source;
    private final int destination;

    ShiftParms(int source, int destination) {
        this.source = source;
        this.destination = destination;
    }

    /** The rank to receive from, or {@link MPI#PROC_NULL}. */
    public int getRankSource() {
        return source;
    }

    /** The rank to send to, or {@link MPI#PROC_NULL}. */
    public int getRankDest() {
        return destination;
    }
}
