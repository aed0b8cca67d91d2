package mpi;

import org.sluice.mpi.GraphCommunicator;

/** A communicator whose ranks are the nodes of a graph. */
public class Graphcomm extends Intracomm {
    Graphcomm(GraphCommunicator graph) {
        super(graph);
    }

    private GraphCommunicator graph() {
        return (GraphCommunicator) space();
    }

    /** The same ranks and graph, with a message space of their own. All ranks call it. */
    @Override
    public Object clone() throws MPIException {
        GraphCommunicator known = graph();
        return new Graphcomm(made(known::duplicate));
    }

    public GraphParms Get() throws MPIException {
        GraphCommunicator known = graph();
        GraphParms parms = new GraphParms();
        parms.index = known.index();
        parms.edges = known.edges();
        return parms;
    }

    /** Where a node's edges lead to. */
    public int[] Neighbours(int rank) throws MPIException {
        GraphCommunicator known = graph();
        return made(() -> known.neighbours(rank));
    }

    /** The rank that this one would have in such a graph, its own; {@code MPI.UNDEFINED} if that has fewer nodes. */
    public int Map(int[] index, int[] edges) throws MPIException {
        return Rank() < index.length ? Rank() : MPI.UNDEFINED;
    }

    /** {@code MPI.GRAPH}. */
    @Override
    public int Topo_test() throws MPIException {
        return MPI.GRAPH;
    }
}
