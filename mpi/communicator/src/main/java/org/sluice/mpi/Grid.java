package org.sluice.mpi;

import java.util.Arrays;

/** Where ranks are in a Cartesian grid: the last dimension counts fastest. Immutable. */
final class Grid {
    private final int[] dims;
    private final boolean[] periodic;
    private final int size;

    Grid(int[] dims, boolean[] periodic) {
        if (dims == null || periodic == null) {
            throw new IllegalArgumentException(
                    (dims == null ? "dims" : "periodic") + " is null: give an entry for each dimension");
        }
        if (dims.length != periodic.length) {
            throw new IllegalArgumentException(dims.length + " dims and " + periodic.length
                    + " entries that say whether they are periodic: one of each for every dimension");
        }
        this.dims = dims.clone();
        this.periodic = periodic.clone();
        this.size = size(this.dims);
    }

    private static int size(int[] dims) {
        long size = 1;
        for (int i = 0; i < dims.length; i++) {
            if (dims[i] < 1) {
                throw new IllegalArgumentException("dimension " + i + " has size " + dims[i]
                        + ": 1 or more; CartesianCommunicator.balancedDims chooses sizes");
            }
            size *= dims[i];
            if (size > Integer.MAX_VALUE) {
                throw new IllegalArgumentException(
                        "a grid of " + Arrays.toString(dims) + " has more than " + Integer.MAX_VALUE + " places");
            }
        }
        return (int) size;
    }

    int[] dims() {
        return dims.clone();
    }

    boolean[] periodic() {
        return periodic.clone();
    }

    int dimensions() {
        return dims.length;
    }

    /** Places. */
    int size() {
        return size;
    }

    int[] coordinates(int rank) {
        if (rank < 0 || rank >= size) {
            throw new IllegalArgumentException(
                    "rank " + rank + " is out of range: the grid has ranks 0 to " + (size - 1));
        }
        int[] coordinates = new int[dims.length];
        int rest = rank;
        for (int i = dims.length - 1; i >= 0; i--) {
            coordinates[i] = rest % dims[i];
            rest /= dims[i];
        }
        return coordinates;
    }

    int rankOf(int[] coordinates) {
        if (coordinates == null || coordinates.length != dims.length) {
            throw new IllegalArgumentException((coordinates == null ? "no" : coordinates.length)
                    + " coordinates were given, and the grid has " + dims.length + " dimension(s): one for each");
        }
        int rank = 0;
        for (int i = 0; i < dims.length; i++) {
            int at = periodic[i] ? Math.floorMod(coordinates[i], dims[i]) : coordinates[i];
            if (at < 0 || at >= dims[i]) {
                throw new IllegalArgumentException("coordinate " + i + " is " + coordinates[i] + ": 0 to "
                        + (dims[i] - 1) + " in this dimension, which isn't periodic");
            }
            rank = rank * dims[i] + at;
        }
        return rank;
    }

    /** @return PROC_NULL where that is outside of the grid */
    int neighbour(int rank, int dimension, long displacement) {
        if (dimension < 0 || dimension >= dims.length) {
            throw new IllegalArgumentException("dimension " + dimension + " is out of range: the grid has "
                    + dims.length + " dimension(s), from 0 on");
        }
        int[] coordinates = coordinates(rank);
        long at = coordinates[dimension] + displacement;
        if (periodic[dimension]) {
            at = Math.floorMod(at, dims[dimension]);
        }
        if (at < 0 || at >= dims[dimension]) {
            return MessageSpace.PROC_NULL;
        }
        coordinates[dimension] = (int) at;
        return rankOf(coordinates);
    }

    /** For each dimension the neighbour in the negative direction, then in the positive one. */
    int[] neighbours(int rank) {
        int[] both = new int[2 * dims.length];
        for (int i = 0; i < dims.length; i++) {
            both[2 * i] = neighbour(rank, i, -1);
            both[2 * i + 1] = neighbour(rank, i, 1);
        }
        return both;
    }

    /** The grid of the dimensions that are kept. */
    Grid sub(boolean[] keep) {
        if (keep == null || keep.length != dims.length) {
            throw new IllegalArgumentException((keep == null ? "no" : keep.length) + " entries say what is kept, and"
                    + " the grid has " + dims.length + " dimension(s): one for each");
        }
        int[] keptDims = new int[dims.length];
        boolean[] keptPeriodic = new boolean[dims.length];
        int kept = 0;
        for (int i = 0; i < dims.length; i++) {
            if (keep[i]) {
                keptDims[kept] = dims[i];
                keptPeriodic[kept++] = periodic[i];
            }
        }
        return new Grid(Arrays.copyOf(keptDims, kept), Arrays.copyOf(keptPeriodic, kept));
    }

    /** Ranks of this grid that have all other coordinates in common with one of them, in their order. */
    int[] ranksOfSub(boolean[] keep, int rank) {
        int[] own = coordinates(rank);
        int[] ranks = new int[size];
        int count = 0;
        for (int i = 0; i < size; i++) {
            int[] others = coordinates(i);
            boolean isIn = true;
            for (int j = 0; j < own.length; j++) {
                isIn &= keep[j] || own[j] == others[j];
            }
            if (isIn) {
                ranks[count++] = i;
            }
        }
        return Arrays.copyOf(ranks, count);
    }
}
