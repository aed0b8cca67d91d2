package org.sluice.bench.kernels;

import java.util.Arrays;
import org.sluice.mpi.Communicator;

/**
 * One level of MG: a cube with periodic sides, of which a rank has some layers of z, or all of it. Around them is one
 * more point on each side, the neighbour's. Each row is an array of its own, as loops over several rows become vector
 * instructions only if all have the same index.
 */
final class Grid {
    private static final int UP = 1;
    private static final int DOWN = 2;

    private final Communicator world;
    private final boolean isWhole;
    private final int side;
    private final int layers;
    private final double[][] rows;
    /** Layers on their way to a neighbour, and from one. */
    private final double[] out;

    private final double[] in;

    /** @param isWhole whether each rank has all of it */
    Grid(Communicator world, int side, boolean isWhole) {
        this.world = world;
        this.isWhole = isWhole;
        this.side = side;
        layers = isWhole ? side : side / world.size();
        int width = side + 2;
        rows = new double[(layers + 2) * width][width];
        out = new double[isWhole ? 0 : width * width];
        in = new double[out.length];
    }

    /** Points in a row, without those around. */
    int side() {
        return side;
    }

    /** Of this rank, without those around. */
    int layers() {
        return layers;
    }

    boolean isWhole() {
        return isWhole;
    }

    /** Layers of lower ranks. */
    int firstLayer() {
        return isWhole ? 0 : layers * world.rank();
    }

    /** Indices begin with the point around: 0 is a neighbour's. */
    double[] row(int z, int y) {
        return rows[z * (side + 2) + y];
    }

    void clear() {
        for (double[] row : rows) {
            Arrays.fill(row, 0);
        }
    }

    /** Brings what neighbours have to the points around. */
    void fillSides() {
        for (int z = 1; z <= layers; z++) {
            for (int y = 1; y <= side; y++) {
                double[] row = row(z, y);
                row[0] = row[side];
                row[side + 1] = row[1];
            }
            copy(row(z, side), row(z, 0));
            copy(row(z, 1), row(z, side + 1));
        }
        if (isWhole) {
            for (int y = 0; y < side + 2; y++) {
                copy(row(layers, y), row(0, y));
                copy(row(1, y), row(layers + 1, y));
            }
        } else {
            int next = (world.rank() + 1) % world.size();
            int previous = (world.rank() + world.size() - 1) % world.size();
            exchange(layers, next, 0, previous, UP);
            exchange(1, previous, layers + 1, next, DOWN);
        }
    }

    private void copy(double[] from, double[] to) {
        System.arraycopy(from, 0, to, 0, side + 2);
    }

    private void exchange(int sent, int dest, int received, int source, int tag) {
        int width = side + 2;
        for (int y = 0; y < width; y++) {
            System.arraycopy(row(sent, y), 0, out, y * width, width);
        }
        world.sendRecv(out, dest, tag, in, source, tag);
        for (int y = 0; y < width; y++) {
            System.arraycopy(in, y * width, row(received, y), 0, width);
        }
    }

    /** The sum of the squares of this rank's points. */
    double ownSquares() {
        double sum = 0;
        for (int z = 1; z <= layers; z++) {
            for (int y = 1; y <= side; y++) {
                double[] row = row(z, y);
                for (int x = 1; x <= side; x++) {
                    sum += row[x] * row[x];
                }
            }
        }
        return sum;
    }
}
