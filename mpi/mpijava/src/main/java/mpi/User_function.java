package mpi;

/** A reduction of the program's own, for an {@link Op}. */
public abstract class User_function {
    public User_function() {}

    /**
     * Computes {@code inoutvec[i] = invec[i] op inoutvec[i]} for {@code count} items.
     *
     * @param invec an array of the datatype's elements; not to be written
     * @param inoffset of the first item, in elements
     * @param inoutvec as {@code invec}, and the result
     */
    public abstract void Call(
            Object invec, int inoffset, Object inoutvec, int inoutoffset, int count, Datatype datatype)
            throws MPIException;
}
