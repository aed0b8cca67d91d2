package org.sluice.bench.kernels;

/**
 * MG's four operators. Each adds up rows around a row first, then what lies beside in the row. For that a row is copied
 * one place to either side, so that the loop that adds has one index alone and becomes vector instructions.
 */
final class Stencils {
    /** Rows of each layer that are worked on together, so that three layers of them stay in a core's cache. */
    private static final int BLOCK = 32;

    /** Of the residual: the point itself, its edges, its corners; its faces have none. */
    private static final double CENTRE = -8.0 / 3;

    private static final double EDGES = 1.0 / 6;
    private static final double CORNERS = 1.0 / 12;

    /** Of the smoother: the point itself, its faces, its edges; its corners have none. */
    private final double[] smoother;

    /** Sums of the rows that share a side with the row, and of those that share an edge; each as copied to the left. */
    private final double[] faces;

    private final double[] edges;
    private final double[] before;
    private final double[] after;
    private final double[] edgesBefore;
    private final double[] edgesAfter;

    Stencils(double[] smoother, int side) {
        this.smoother = smoother;
        faces = new double[side + 2];
        edges = new double[side + 2];
        before = new double[side + 2];
        after = new double[side + 2];
        edgesBefore = new double[side + 2];
        edgesAfter = new double[side + 2];
    }

    /** What is left of a right side, v, for which u is the solution so far; may take the place of v. */
    void residual(Grid u, Grid v, Grid result) {
        int width = u.side() + 2;
        for (int block = 1; block <= u.side(); block += BLOCK) {
            int end = Math.min(block + BLOCK, u.side() + 1);
            for (int z = 1; z <= u.layers(); z++) {
                for (int y = block; y < end; y++) {
                    addAround(u, z, y);
                    shift(faces, before, after, width);
                    shift(edges, edgesBefore, edgesAfter, width);
                    subtract(v.row(z, y), u.row(z, y), result.row(z, y), width);
                }
            }
        }
        result.fillSides();
    }

    private void subtract(double[] v, double[] u, double[] result, int width) {
        double[] besideFaces = before;
        double[] otherFaces = after;
        double[] ownEdges = edges;
        double[] besideEdges = edgesBefore;
        double[] otherEdges = edgesAfter;
        for (int x = 0; x < width; x++) {
            result[x] = v[x]
                    - CENTRE * u[x]
                    - EDGES * (ownEdges[x] + besideFaces[x] + otherFaces[x])
                    - CORNERS * (besideEdges[x] + otherEdges[x]);
        }
    }

    /** Adds to u what removes most of a residual. */
    void smooth(Grid residual, Grid u) {
        int width = u.side() + 2;
        for (int block = 1; block <= u.side(); block += BLOCK) {
            int end = Math.min(block + BLOCK, u.side() + 1);
            for (int z = 1; z <= u.layers(); z++) {
                for (int y = block; y < end; y++) {
                    addAround(residual, z, y);
                    shift(residual.row(z, y), before, after, width);
                    shift(faces, edgesBefore, edgesAfter, width);
                    correct(residual.row(z, y), u.row(z, y), width);
                }
            }
        }
        u.fillSides();
    }

    private void correct(double[] residual, double[] u, int width) {
        double own = smoother[0];
        double face = smoother[1];
        double edge = smoother[2];
        double[] beside = before;
        double[] other = after;
        double[] ownFaces = faces;
        double[] ownEdges = edges;
        double[] besideFaces = edgesBefore;
        double[] otherFaces = edgesAfter;
        for (int x = 0; x < width; x++) {
            u[x] += own * residual[x]
                    + face * (beside[x] + other[x] + ownFaces[x])
                    + edge * (ownEdges[x] + besideFaces[x] + otherFaces[x]);
        }
    }

    /** A residual on half as many points, each with a part of the 26 around it; leaves the sides open. */
    void restrict(Grid fine, Grid coarse, int firstLayer) {
        int width = fine.side() + 2;
        for (int z = 1; z <= fine.layers() / 2; z++) {
            for (int y = 1; y <= coarse.side(); y++) {
                addAround(fine, 2 * z, 2 * y);
                weigh(fine.row(2 * z, 2 * y), width);
                double[] row = coarse.row(firstLayer + z, y);
                for (int x = 1; x <= coarse.side(); x++) {
                    row[x] = before[2 * x] + 0.5 * (before[2 * x - 1] + before[2 * x + 1]);
                }
            }
        }
    }

    private void weigh(double[] row, int width) {
        double[] sum = before;
        double[] ownFaces = faces;
        double[] ownEdges = edges;
        for (int x = 0; x < width; x++) {
            sum[x] = 0.5 * row[x] + 0.25 * ownFaces[x] + 0.125 * ownEdges[x];
        }
    }

    /** Adds to a fine grid, sides and all, what the coarse one has there and between its points. */
    void prolong(Grid coarse, Grid fine, int firstLayer) {
        int width = coarse.side() + 2;
        for (int z = 0; z <= fine.layers() / 2; z++) {
            for (int y = 0; y <= coarse.side(); y++) {
                double[] row = coarse.row(firstLayer + z, y);
                double[] nextY = coarse.row(firstLayer + z, y + 1);
                double[] nextZ = coarse.row(firstLayer + z + 1, y);
                double[] nextBoth = coarse.row(firstLayer + z + 1, y + 1);
                spread(row, coarse.side(), fine.row(2 * z, 2 * y));
                average(row, nextY, before, width);
                spread(before, coarse.side(), fine.row(2 * z, 2 * y + 1));
                average(row, nextZ, after, width);
                spread(after, coarse.side(), fine.row(2 * z + 1, 2 * y));
                average(nextY, nextBoth, edges, width);
                average(after, edges, faces, width);
                spread(faces, coarse.side(), fine.row(2 * z + 1, 2 * y + 1));
            }
        }
    }

    private static void average(double[] a, double[] b, double[] result, int width) {
        for (int x = 0; x < width; x++) {
            result[x] = 0.5 * (a[x] + b[x]);
        }
    }

    private static void spread(double[] coarse, int side, double[] fine) {
        for (int x = 0; x <= side; x++) {
            fine[2 * x] += coarse[x];
            fine[2 * x + 1] += 0.5 * (coarse[x] + coarse[x + 1]);
        }
    }

    private void addAround(Grid grid, int z, int y) {
        int width = grid.side() + 2;
        add(grid.row(z, y - 1), grid.row(z, y + 1), grid.row(z - 1, y), grid.row(z + 1, y), faces, width);
        add(
                grid.row(z - 1, y - 1),
                grid.row(z - 1, y + 1),
                grid.row(z + 1, y - 1),
                grid.row(z + 1, y + 1),
                edges,
                width);
    }

    private static void add(double[] a, double[] b, double[] c, double[] d, double[] sum, int width) {
        for (int x = 0; x < width; x++) {
            sum[x] = a[x] + b[x] + c[x] + d[x];
        }
    }

    /** The points around have no neighbours on one side. What comes of that is replaced by {@link Grid#fillSides}. */
    private static void shift(double[] row, double[] before, double[] after, int width) {
        System.arraycopy(row, 0, before, 1, width - 1);
        System.arraycopy(row, 1, after, 0, width - 1);
    }
}
