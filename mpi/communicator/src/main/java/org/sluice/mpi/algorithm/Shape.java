package org.sluice.mpi.algorithm;

/**
 * What the steps of a collective depend on, apart from what is in the buffers. Used again and again. <i>Thread</i>:
 * one.
 */
public final class Shape {
    private int rank;
    private int size;
    private int root;
    private boolean inPlace;
    private boolean commutative;
    private boolean isPairInMemory;
    private boolean isInMemory;
    private long unit = 1;
    private final Blocks send = new Blocks();
    private final Blocks receive = new Blocks();
    private Neighbours neighbours;

    /** The place of this rank among the others. */
    public void place(int newRank, int newSize, int newRoot) {
        rank = newRank;
        size = newSize;
        root = newRoot;
    }

    /**
     * How contributions are handled.
     *
     * @param newInPlace the contribution is where the result goes
     * @param newCommutative operands of the reduction may change places
     * @param newUnit bytes of an item, which is reduced as a whole
     */
    public void contribution(boolean newInPlace, boolean newCommutative, long newUnit) {
        inPlace = newInPlace;
        commutative = newCommutative;
        unit = newUnit;
    }

    /** Says that these are two processes whose messages go through memory that both share. */
    public void pairInMemory() {
        isPairInMemory = true;
    }

    boolean isPairInMemory() {
        return isPairInMemory;
    }

    /** Says that all these are processes that share memory, as all of them know. */
    public void inMemory() {
        isInMemory = true;
    }

    public boolean isInMemory() {
        return isInMemory;
    }

    public int rank() {
        return rank;
    }

    public int size() {
        return size;
    }

    public int root() {
        return root;
    }

    public boolean isInPlace() {
        return inPlace;
    }

    public boolean isCommutative() {
        return commutative;
    }

    public long unit() {
        return unit;
    }

    public Blocks send() {
        return send;
    }

    public Blocks receive() {
        return receive;
    }

    /** Of a neighbourhood collective, whose blocks are theirs. */
    public void neighbours(Neighbours newNeighbours) {
        if (neighbours != newNeighbours) {
            neighbours = newNeighbours;
        }
    }

    public Neighbours neighbours() {
        return neighbours;
    }

    /** This rank's own contribution, which all ranks have alike: of a broadcast, a reduction. */
    public long bytes() {
        return send.bytes(rank);
    }

    /** The rank that is {@code distance} ahead, in a circle. */
    int ahead(int distance) {
        return (int) (((long) rank + distance) % size);
    }

    int behind(int distance) {
        return Math.floorMod(rank - distance, size);
    }
}
