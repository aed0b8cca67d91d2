package mpi;

/** What can be freed. */
interface Freeable {
    void free() throws MPIException;
}
