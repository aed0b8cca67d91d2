package org.sluice.mpi.algorithm;

/**
 * Who a rank sends to, and who it receives from, in neighbourhood collectives. A negative rank is nobody. Immutable.
 *
 * <p>Where two ranks have several edges, what is sent along them is paired in the order in which the sender has its
 * destinations and the receiver takes its sources. In a grid that is not the order of its blocks: what goes in one
 * direction of a dimension comes from the other (MPI 4.1, section 8.6).
 */
public final class Neighbours {
    private static final int TO_OTHERS = -1;

    private final int[] sources;
    private final int[] destinations;
    private final boolean isGrid;
    /** By destination: the block of this rank's own result that it is, or {@link #TO_OTHERS}. */
    private final int[] own;

    private Neighbours(int rank, int[] sources, int[] destinations, boolean isGrid) {
        this.sources = sources;
        this.destinations = destinations;
        this.isGrid = isGrid;
        this.own = new int[destinations.length];
        int turn = 0;
        for (int i = 0; i < own.length; i++) {
            own[i] = TO_OTHERS;
            if (destinations[i] == rank) {
                while (sources[taken(turn)] != rank) {
                    turn++;
                }
                own[i] = taken(turn++);
            }
        }
    }

    /** Edges from and to this rank itself are as many on both sides. */
    public static Neighbours ofGraph(int rank, int[] sources, int[] destinations) {
        return new Neighbours(rank, sources.clone(), destinations.clone(), false);
    }

    /** @param both for each dimension the neighbour in the negative direction, then in the positive one */
    public static Neighbours ofGrid(int rank, int[] both) {
        int[] copy = both.clone();
        return new Neighbours(rank, copy, copy, true);
    }

    public int inDegree() {
        return sources.length;
    }

    public int outDegree() {
        return destinations.length;
    }

    public int[] sources() {
        return sources.clone();
    }

    public int[] destinations() {
        return destinations.clone();
    }

    int source(int block) {
        return sources[block];
    }

    int destination(int block) {
        return destinations[block];
    }

    /** The block of the result that is taken in this turn. */
    int taken(int turn) {
        return isGrid ? turn ^ 1 : turn;
    }

    /** Whether a block goes to this rank itself. */
    public boolean isToItself(int destination) {
        return own[destination] != TO_OTHERS;
    }

    /** The block of its own result that such a one is. */
    public int ownBlock(int destination) {
        return own[destination];
    }
}
