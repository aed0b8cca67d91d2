package mpi;

/** What {@link Cartcomm#Get} tells: the program's own copy. */
public class CartParms {
    /** The size of each dimension. */
    public int[] dims;
    /** Whether each dimension is periodic. */
    public boolean[] periods;
    /** Of this rank. */
    public int[] coords;

    CartParms() {}
}
