package mpi;

/** What is to become of errors. As in MPJ Express, each is thrown as an {@link MPIException} whichever is set. */
public class Errhandler {
    Errhandler() {}
}
