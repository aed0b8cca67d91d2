package org.sluice.mpi;

import org.sluice.device.layer.Layer;
import org.sluice.mpi.algorithm.Neighbours;

/**
 * A communicator with a directed graph of its ranks, of which each rank knows its own edges (MPI 4.1, section 8.5). An
 * edge may be there several times, and may lead to the rank that it comes from.
 *
 * <p>{@link #sources} and {@link #destinations} are in the order in which they were given, where each rank gave its
 * own; else in the order of the ranks that gave them, and of each of those in the order in which it did.
 */
public final class DistributedGraphCommunicator extends TopologyCommunicator {
    private final DistributedEdges edges;
    private final Neighbours neighbours;

    private DistributedGraphCommunicator(
            Layer layer, Spaces spaces, int[] members, int number, String name, DistributedEdges edges) {
        super(layer, spaces, members, number, name);
        this.edges = edges;
        this.neighbours = Neighbours.ofGraph(rank(), edges.sources(), edges.destinations());
    }

    static DistributedGraphCommunicator make(Communicator parent, DistributedEdges edges) {
        int[] members = parent.members();
        return parent.make(
                members,
                number -> new DistributedGraphCommunicator(
                        parent.layer, parent.spaces, members, number, parent.name() + ".distributedGraph", edges));
    }

    @Override
    Communicator sameAs(int number, String name) {
        return new DistributedGraphCommunicator(layer, spaces, members(), number, name, edges);
    }

    @Override
    public DistributedGraphCommunicator duplicate() {
        return (DistributedGraphCommunicator) super.duplicate();
    }

    @Override
    Neighbours neighbours() {
        return neighbours;
    }

    /** Whether edges have weights. */
    public boolean isWeighted() {
        return edges.sourceWeights() != null;
    }

    /** How many edges lead to this rank. */
    public int inDegree() {
        return neighbours.inDegree();
    }

    /** How many edges lead away from this rank. */
    public int outDegree() {
        return neighbours.outDegree();
    }

    /** Of the edges from each of {@link #sources}; null for a graph without weights. */
    public int[] sourceWeights() {
        return isWeighted() ? edges.sourceWeights().clone() : null;
    }

    /** Of the edges to each of {@link #destinations}; null for a graph without weights. */
    public int[] destinationWeights() {
        return isWeighted() ? edges.destinationWeights().clone() : null;
    }
}
