package org.sluice.hybrid.launch;

/**
 * The threads of one rank among several in a JVM: the one that runs its main method, and those that it starts itself.
 */
final class RankGroup extends ThreadGroup {
    private final int rank;

    RankGroup(int rank) {
        super("rank-" + rank);
        this.rank = rank;
    }

    int rank() {
        return rank;
    }
}
