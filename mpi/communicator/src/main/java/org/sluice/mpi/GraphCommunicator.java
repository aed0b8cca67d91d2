package org.sluice.mpi;

import java.util.Arrays;
import org.sluice.device.layer.Layer;
import org.sluice.mpi.algorithm.Neighbours;

/**
 * A communicator whose ranks are the nodes of a graph that all of them know (MPI 4.1, section 8.5). An edge may be
 * there several times, and may lead to the node that it comes from.
 *
 * <p>A graph may have an edge in one direction only. Neighbourhood collectives need each edge as often in the other
 * direction, and throw IllegalStateException at all ranks where that isn't so.
 */
public final class GraphCommunicator extends TopologyCommunicator {
    private final int[] index;
    private final int[] edges;
    private final Neighbours neighbours;

    private GraphCommunicator(
            Layer layer, Spaces spaces, int[] members, int number, String name, int[] index, int[] edges) {
        super(layer, spaces, members, number, name);
        this.index = index;
        this.edges = edges;
        int[] own = neighbours(rank());
        this.neighbours = isSymmetric(index, edges) ? Neighbours.ofGraph(rank(), own, own) : null;
    }

    static GraphCommunicator make(Communicator parent, int[] index, int[] edges) {
        check(parent, index, edges);
        int[] ownIndex = index.clone();
        int[] ownEdges = edges.clone();
        parent.checkAlike(31L * Arrays.hashCode(ownIndex) + Arrays.hashCode(ownEdges), "graphs");
        int[] members = Arrays.copyOf(parent.members(), ownIndex.length);
        return parent.make(
                members,
                number -> new GraphCommunicator(
                        parent.layer, parent.spaces, members, number, parent.name() + ".graph", ownIndex, ownEdges));
    }

    /** As {@link Communicator#graphRank}. */
    static int map(Communicator parent, int[] index, int[] edges) {
        parent.checkUsable();
        check(parent, index, edges);
        return parent.rank() < index.length ? parent.rank() : Group.NO_RANK;
    }

    private static void check(Communicator parent, int[] index, int[] edges) {
        if (index == null || edges == null) {
            throw new IllegalArgumentException((index == null ? "index" : "edges") + " is null");
        }
        if (index.length > parent.size()) {
            throw new IllegalArgumentException(
                    "a graph of " + index.length + " nodes, and " + parent + " has fewer ranks");
        }
        int before = 0;
        for (int i = 0; i < index.length; i++) {
            if (index[i] < before) {
                throw new IllegalArgumentException("index " + i + " is " + index[i] + ", less than " + before
                        + ": each says how many edges the nodes up to this one have together");
            }
            before = index[i];
        }
        if (before != edges.length) {
            throw new IllegalArgumentException(
                    edges.length + " edges were given, and by the index all nodes have " + before);
        }
        for (int i = 0; i < edges.length; i++) {
            if (edges[i] < 0 || edges[i] >= index.length) {
                throw new IllegalArgumentException("edge " + i + " leads to node " + edges[i]
                        + ": the graph has nodes 0 to " + (index.length - 1));
            }
        }
    }

    private static boolean isSymmetric(int[] index, int[] edges) {
        long[] there = new long[edges.length];
        long[] back = new long[edges.length];
        int from = 0;
        for (int i = 0; i < edges.length; i++) {
            while (i >= index[from]) {
                from++;
            }
            there[i] = (long) from * index.length + edges[i];
            back[i] = (long) edges[i] * index.length + from;
        }
        Arrays.sort(there);
        Arrays.sort(back);
        return Arrays.equals(there, back);
    }

    @Override
    Communicator sameAs(int number, String name) {
        return new GraphCommunicator(layer, spaces, members(), number, name, index, edges);
    }

    @Override
    public GraphCommunicator duplicate() {
        return (GraphCommunicator) super.duplicate();
    }

    @Override
    Neighbours neighbours() {
        if (neighbours == null) {
            throw new IllegalStateException("the graph of " + this + " has an edge without the one in the other"
                    + " direction: neighbourhood collectives need both, or a DistributedGraphCommunicator");
        }
        return neighbours;
    }

    @Override
    public int[] sources() {
        return neighbours(rank());
    }

    @Override
    public int[] destinations() {
        return neighbours(rank());
    }

    /** How many edges the nodes up to each one have together. */
    public int[] index() {
        return index.clone();
    }

    /** Where edges lead to, those of one node after those of another. */
    public int[] edges() {
        return edges.clone();
    }

    public int neighbourCount(int rank) {
        return end(rank) - begin(rank);
    }

    /** Where a node's edges lead to, in the order in which they were given. */
    public int[] neighbours(int rank) {
        return Arrays.copyOfRange(edges, begin(rank), end(rank));
    }

    private int begin(int rank) {
        return rank == 0 ? 0 : end(rank - 1);
    }

    private int end(int rank) {
        if (rank < 0 || rank >= index.length) {
            throw new IllegalArgumentException(
                    "rank " + rank + " is out of range: the graph has nodes 0 to " + (index.length - 1));
        }
        return index[rank];
    }
}
