package mpi;

import org.sluice.mpi.DistributedGraphCommunicator;

/** A rank's edges in a distributed graph. */
public final class DistGraphNeighbors {
    private final int[] sources;
    private final int[] sourceWeights;
    private final int[] destinations;
    private final int[] destinationWeights;
    private final boolean isWeighted;

    DistGraphNeighbors(DistributedGraphCommunicator graph) {
        isWeighted = graph.isWeighted();
        sources = graph.sources();
        destinations = graph.destinations();
        sourceWeights = isWeighted ? graph.sourceWeights() : new int[sources.length];
        destinationWeights = isWeighted ? graph.destinationWeights() : new int[destinations.length];
    }

    public int getInDegree() {
        return sources.length;
    }

    public int getOutDegree() {
        return destinations.length;
    }

    public boolean isWeighted() {
        return isWeighted;
    }

    public int getSource(int i) {
        return sources[i];
    }

    /** 0 for a graph without weights. */
    public int getSourceWeight(int i) {
        return sourceWeights[i];
    }

    public int getDestination(int i) {
        return destinations[i];
    }

    /** 0 for a graph without weights. */
    public int getDestinationWeight(int i) {
        return destinationWeights[i];
    }
}
