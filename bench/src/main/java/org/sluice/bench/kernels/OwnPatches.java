package org.sluice.bench.kernels;

/** A rank's patches, and what they hear of each other without messages. */
final class OwnPatches {
    private final PatchGrid grid;
    private final int rank;
    private final int first;
    private final Patch[] patches;
    private final FeltBodies felt;
    private final int room;

    /** @param room of each patch */
    OwnPatches(PatchGrid grid, int rank, int room) {
        this.grid = grid;
        this.rank = rank;
        this.room = room;
        first = grid.first(rank);
        patches = new Patch[grid.first(rank + 1) - first];
        for (int i = 0; i < patches.length; i++) {
            patches[i] = new Patch(room);
        }
        felt = new FeltBodies(PatchGrid.DIRECTIONS * room);
    }

    PatchGrid grid() {
        return grid;
    }

    int count() {
        return patches.length;
    }

    Patch get(int index) {
        return patches[index];
    }

    /** Which of all. */
    int number(int index) {
        return first + index;
    }

    /** Of a patch by its number among all; less than 0, or too much, for another rank's. */
    int index(int number) {
        return number - first;
    }

    boolean isOwn(int number) {
        return number >= first && number < first + patches.length;
    }

    int rank() {
        return rank;
    }

    /** For what another rank's patch shows. */
    double[] slot() {
        return new double[Patch.shownMost(room)];
    }

    void move(int index) {
        patches[index].move(felt);
    }

    /** A neighbour's number among all. */
    int neighbour(int index, int direction) {
        return grid.neighbour(first + index, direction);
    }
}
