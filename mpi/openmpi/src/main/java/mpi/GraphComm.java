package mpi;

import org.sluice.mpi.Communicator;
import org.sluice.mpi.DistributedGraphCommunicator;
import org.sluice.mpi.GraphCommunicator;

/** A communicator whose ranks are the nodes of a graph: one that all ranks know, or a distributed one. */
public final class GraphComm extends Intracomm {
    GraphComm(Communicator communicator) {
        super(communicator);
    }

    @Override
    public GraphComm clone() {
        return (GraphComm) super.clone();
    }

    @Override
    public GraphComm dup() throws MPIException {
        return inheriting(new GraphComm((Communicator) duplicated()), null);
    }

    @Override
    public GraphComm iDup() throws MPIException {
        return duplicating(new GraphComm(null));
    }

    @Override
    public GraphComm dupWithInfo(Info hints) throws MPIException {
        return inheriting(new GraphComm((Communicator) duplicated()), hints);
    }

    private GraphCommunicator graph() throws MPIException {
        Communicator graph = intra();
        if (graph instanceof GraphCommunicator) {
            return (GraphCommunicator) graph;
        }
        throw Errors.of(MPI.ERR_TOPOLOGY, "this is a distributed graph: getDistGraphNeighbors() tells of it");
    }

    /** MPI_Graph_get and MPI_Graphdims_get. */
    public GraphParms getDims() throws MPIException {
        GraphCommunicator graph = graph();
        return new GraphParms(graph.index(), graph.edges());
    }

    /** MPI_Graph_neighbors. */
    public int[] getNeighbors(int rank) throws MPIException {
        try {
            return graph().neighbours(rank);
        } catch (IllegalArgumentException e) {
            throw failed(new MPIException(MPI.ERR_RANK, e.getMessage(), e));
        }
    }

    /** MPI_Dist_graph_neighbors. */
    public DistGraphNeighbors getDistGraphNeighbors() throws MPIException {
        Communicator graph = intra();
        if (graph instanceof DistributedGraphCommunicator) {
            return new DistGraphNeighbors((DistributedGraphCommunicator) graph);
        }
        throw Errors.of(MPI.ERR_TOPOLOGY, "this is no distributed graph: getDims() and getNeighbors() tell of it");
    }

    /** MPI_Graph_map: {@link MPI#UNDEFINED} for a rank that would be no node. */
    public int map(int[] index, int[] edges) throws MPIException {
        try {
            int rank = intra().graphRank(index, edges);
            return rank == org.sluice.mpi.Group.NO_RANK ? MPI.UNDEFINED : rank;
        } catch (RuntimeException e) {
            throw failed(e);
        }
    }
}
