package mpi;

/** A graph that all ranks know. */
public final class GraphParms {
    private final int[] index;
    private final int[] edges;

    GraphParms(int[] index, int[] edges) {
        this.index = index;
        this.edges = edges;
    }

    /** How many nodes there are. */
    public int getIndexCount() {
        return index.length;
    }

    /** How many edges the nodes up to this one have together. */
    public int getIndex(int i) {
        return index[i];
    }

    public int getEdgeCount() {
        return edges.length;
    }

    /** Where an edge leads to. */
    public int getEdge(int i) {
        return edges[i];
    }
}
