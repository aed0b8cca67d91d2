package mpi;

/** What {@link Graphcomm#Get} tells: the program's own copy. */
public class GraphParms {
    /** How many edges the nodes up to each one have together. */
    public int[] index;
    /** Where edges lead to, those of node 0 first. */
    public int[] edges;

    public GraphParms() {}
}
