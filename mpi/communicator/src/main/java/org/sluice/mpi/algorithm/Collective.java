package org.sluice.mpi.algorithm;

/** The collectives, in an order that ranks tell each other: new ones go to the end. */
public enum Collective {
    BARRIER("barrier"),
    BROADCAST("broadcast"),
    GATHER("gather"),
    GATHER_BLOCKS("gatherBlocks"),
    SCATTER("scatter"),
    SCATTER_BLOCKS("scatterBlocks"),
    ALL_GATHER("allGather"),
    ALL_GATHER_BLOCKS("allGatherBlocks"),
    ALL_TO_ALL("allToAll"),
    ALL_TO_ALL_BLOCKS("allToAllBlocks"),
    REDUCE("reduce"),
    ALL_REDUCE("allReduce"),
    REDUCE_SCATTER("reduceScatter"),
    REDUCE_SCATTER_BLOCK("reduceScatterBlock"),
    SCAN("scan"),
    EXCLUSIVE_SCAN("exclusiveScan"),
    AGREEMENT("the making of a communicator"),
    NEIGHBOUR_ALL_GATHER("neighbourAllGather"),
    NEIGHBOUR_ALL_GATHER_BLOCKS("neighbourAllGatherBlocks"),
    NEIGHBOUR_ALL_TO_ALL("neighbourAllToAll"),
    NEIGHBOUR_ALL_TO_ALL_BLOCKS("neighbourAllToAllBlocks"),
    FINISH("MPI.Finalize");

    private final String words;

    Collective(String words) {
        this.words = words;
    }

    /** Whether it computes with what ranks contribute. */
    public boolean isReduction() {
        return compareTo(REDUCE) >= 0 && compareTo(AGREEMENT) <= 0;
    }

    /** Whether it is among neighbours in a topology. */
    public boolean isOfNeighbours() {
        return compareTo(NEIGHBOUR_ALL_GATHER) >= 0 && compareTo(NEIGHBOUR_ALL_TO_ALL_BLOCKS) <= 0;
    }

    /** As its call is named. */
    public String words() {
        return words;
    }
}
