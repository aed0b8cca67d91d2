package mpi;

/** What a program gives back when it needs it no more. */
public interface Freeable {
    /** Gives it back: from now on it is null, as MPI's handles are. */
    void free() throws MPIException;
}
