package mpi;

/** What {@link Cartcomm#Shift} tells; -1 beyond an edge. */
public class ShiftParms {
    public int rank_source;
    public int rank_dest;

    ShiftParms() {}
}
