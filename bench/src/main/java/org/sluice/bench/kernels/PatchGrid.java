package org.sluice.bench.kernels;

/**
 * Space without edges, cut into patches: cubes, each with 26 neighbours, of which no two are the same. Ranks have
 * patches that follow each other in layers.
 *
 * @param side patches in a row
 * @param layers of {@code side * side} patches
 * @param ranks who share them
 */
record PatchGrid(int side, int layers, int ranks) {
    /** In each row and column; with fewer a patch would be its own neighbour's neighbour on both sides. */
    static final int LEAST = 3;

    /** A body goes no further in a step, so that one which has just left its patch is still seen where it is felt. */
    static final double MARGIN = 0.1;
    /** Of a patch. */
    static final double LENGTH = PairForce.CUT_OFF + MARGIN;

    /** Ways to go from a patch, to itself among them. */
    static final int DIRECTIONS = 27;
    /** To itself. */
    static final int HERE = DIRECTIONS / 2;

    PatchGrid {
        if (side < LEAST || layers < LEAST) {
            throw new IllegalArgumentException("patches " + side + " * " + side + " * " + layers + ": at least " + LEAST
                    + " are in a row, so that all neighbours are different");
        }
    }

    int count() {
        return side * side * layers;
    }

    /** A rank's patches are from here up to before the next rank's. */
    int first(int rank) {
        return (int) ((long) count() * rank / ranks);
    }

    int owner(int patch) {
        int rank = (int) ((long) patch * ranks / count());
        while (first(rank + 1) <= patch) {
            rank++;
        }
        return rank;
    }

    /** Along an axis. */
    int patches(int axis) {
        return axis == 2 ? layers : side;
    }

    /** Of all space along an axis, behind which it begins again. */
    double length(int axis) {
        return patches(axis) * LENGTH;
    }

    /** The same place, within the space. */
    double within(double place, int axis) {
        return place - length(axis) * Math.floor(place / length(axis));
    }

    /** The shortest way between two places that differ by so much. */
    double way(double difference, int axis) {
        return difference - length(axis) * Math.rint(difference / length(axis));
    }

    /** Where a patch stands along an axis. */
    int place(int patch, int axis) {
        return switch (axis) {
            case 0 -> patch % side;
            case 1 -> patch / side % side;
            default -> patch / (side * side);
        };
    }

    /** The patch that such a point is in, from 0 on along each axis and within the space. */
    int at(double x, double y, double z) {
        return at((int) (x / LENGTH), (int) (y / LENGTH), (int) (z / LENGTH));
    }

    private int at(int x, int y, int z) {
        return (Math.floorMod(z, layers) * side + Math.floorMod(y, side)) * side + Math.floorMod(x, side);
    }

    int neighbour(int patch, int direction) {
        return at(
                place(patch, 0) + offset(direction, 0),
                place(patch, 1) + offset(direction, 1),
                place(patch, 2) + offset(direction, 2));
    }

    /** -1, 0 or 1. */
    static int offset(int direction, int axis) {
        return switch (axis) {
                    case 0 -> direction % 3;
                    case 1 -> direction / 3 % 3;
                    default -> direction / 9;
                }
                - 1;
    }

    static int direction(int x, int y, int z) {
        return ((z + 1) * 3 + y + 1) * 3 + x + 1;
    }

    static int opposite(int direction) {
        return DIRECTIONS - 1 - direction;
    }
}
