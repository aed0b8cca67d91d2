package org.sluice.bench.kernels;

import java.util.Arrays;
import org.sluice.mpi.CartesianCommunicator;

/**
 * A rank's part of LU's cube: columns along z, side by side in x and y. Each point has five numbers: density, three
 * momenta and energy. Two more points on each side are neighbours', or nobody's.
 */
final class FlowBlock {
    static final int PARTS = 5;
    /** Points around. */
    private static final int AROUND = 2;
    /** Of the exact solution, a polynomial, by part: of 1, then of x, y and z, of their squares, cubes and so on. */
    private static final double[][] EXACT = {
        {2, 0, 0, 4, 5, 3, 0.5, 0.02, 0.01, 0.03, 0.5, 0.4, 0.3},
        {1, 0, 0, 0, 1, 2, 3, 0.01, 0.03, 0.02, 0.4, 0.3, 0.5},
        {2, 2, 0, 0, 0, 2, 3, 0.04, 0.03, 0.05, 0.3, 0.5, 0.4},
        {2, 2, 0, 0, 0, 2, 3, 0.03, 0.05, 0.04, 0.2, 0.1, 0.3},
        {5, 4, 3, 2, 0.1, 0.4, 0.3, 0.05, 0.04, 0.03, 0.1, 0.3, 0.2}
    };

    /** Points a side of the cube. */
    final int side;
    /** Points of this rank, and how many others have before. */
    final int countX;

    final int countY;
    final int firstX;
    final int firstY;
    /** From a point to the next one in x, y and z. */
    final int[] step;

    private final int width;
    private final int depth;

    FlowBlock(CartesianCommunicator grid, int side) {
        this.side = side;
        int[] dims = grid.dims();
        int[] place = grid.coordinates();
        firstY = side * place[0] / dims[0];
        countY = side * (place[0] + 1) / dims[0] - firstY;
        firstX = side * place[1] / dims[1];
        countX = side * (place[1] + 1) / dims[1] - firstX;
        width = countX + 2 * AROUND;
        depth = countY + 2 * AROUND;
        step = new int[] {1, width, width * depth};
    }

    /** With those around. */
    int points() {
        return width * depth * (side + 2 * AROUND);
    }

    /** Numbers of all points. Those of nobody are never 0, as they are divided by before they are multiplied by 0. */
    double[] field() {
        double[] field = new double[points() * PARTS];
        Arrays.fill(field, 1);
        return field;
    }

    /** The number of a point. */
    int point(int x, int y, int z) {
        return ((z + AROUND) * depth + y + AROUND) * width + x + AROUND;
    }

    /** Of points that aren't on the cube's surface, the first in x, and so on. */
    int innerX() {
        return firstX == 0 ? 1 : 0;
    }

    int innerY() {
        return firstY == 0 ? 1 : 0;
    }

    /** The end of those, which is after the last. */
    int innerEndX() {
        return firstX + countX == side ? countX - 1 : countX;
    }

    int innerEndY() {
        return firstY + countY == side ? countY - 1 : countY;
    }

    int innerPoints() {
        return (side - 2) * (side - 2) * (side - 2);
    }

    /** A number of the exact solution, at a place in the whole cube. */
    double exact(int part, int globalX, int globalY, int z) {
        double[] coefficients = EXACT[part];
        double[] place = {globalX / (side - 1.0), globalY / (side - 1.0), z / (side - 1.0)};
        double sum = coefficients[0];
        for (int axis = 0; axis < place.length; axis++) {
            double power = 1;
            for (int i = 1 + axis; i < coefficients.length; i += place.length) {
                power *= place[axis];
                sum += coefficients[i] * power;
            }
        }
        return sum;
    }

    /** The exact solution, also around as far as the cube goes. */
    void setExact(double[] field) {
        for (int z = 0; z < side; z++) {
            for (int y = Math.max(-AROUND, -firstY); y < Math.min(countY + AROUND, side - firstY); y++) {
                for (int x = Math.max(-AROUND, -firstX); x < Math.min(countX + AROUND, side - firstX); x++) {
                    for (int part = 0; part < PARTS; part++) {
                        field[point(x, y, z) * PARTS + part] = exact(part, firstX + x, firstY + y, z);
                    }
                }
            }
        }
    }

    /** What a run begins with: the exact solution on the surface, and what lies between it inside. */
    void setFirst(double[] field) {
        setExact(field);
        for (int z = 1; z < side - 1; z++) {
            for (int y = innerY(); y < innerEndY(); y++) {
                for (int x = innerX(); x < innerEndX(); x++) {
                    for (int part = 0; part < PARTS; part++) {
                        field[point(x, y, z) * PARTS + part] = between(part, firstX + x, firstY + y, z);
                    }
                }
            }
        }
    }

    private double between(int part, int x, int y, int z) {
        int end = side - 1;
        double alongX = mix(exact(part, 0, y, z), exact(part, end, y, z), x);
        double alongY = mix(exact(part, x, 0, z), exact(part, x, end, z), y);
        double alongZ = mix(exact(part, x, y, 0), exact(part, x, y, end), z);
        return alongX
                + alongY
                + alongZ
                - alongX * alongY
                - alongY * alongZ
                - alongZ * alongX
                + alongX * alongY * alongZ;
    }

    private double mix(double first, double last, int at) {
        double share = at / (side - 1.0);
        return (1 - share) * first + share * last;
    }
}
