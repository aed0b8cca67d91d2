package org.sluice.bench.kernels;

import java.util.Locale;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.Reduction;

/**
 * MG: Poisson's equation on a cube with periodic sides, by V-cycles over grids of 2, 4, 8 ... points a side. Of the
 * fine ones each rank has some layers, of which the outermost go to its neighbours. Those of at most 16 points a side
 * are gathered at all ranks, and each does the same there: that takes less than messages between them would.
 */
final class Multigrid implements Kernel {
    private static final double NEAR = 1e-8;
    /** Points a side of the largest grid that all ranks have. */
    private static final int SHARED_SIDE = 16;
    /** So many points have a charge of 1, and as many of -1. */
    private static final int CHARGES = 10;
    /** NPB counts so many operations for a point and cycle. */
    private static final double OPERATIONS = 58;

    /** By class: points a side. */
    private static final int[] SIDE = {32, 128, 256, 256};

    private static final int[] CYCLES = {4, 4, 4, 20};
    /** By class: the norm of what is left. */
    private static final double[] NORM = {0.5307707005734e-4, 0.6467329375339e-5, 0.2433365309069e-5, 0.1800564401355e-5
    };
    /** By class. */
    private static final double[][] SMOOTHER = {
        {-3.0 / 8, 1.0 / 32, -1.0 / 64},
        {-3.0 / 8, 1.0 / 32, -1.0 / 64},
        {-3.0 / 8, 1.0 / 32, -1.0 / 64},
        {-3.0 / 17, 1.0 / 33, -1.0 / 61}
    };

    private Communicator world;
    private Stencils stencils;
    /** From the coarsest to the finest: solutions, residuals. */
    private Grid[] u;

    private Grid[] r;
    /** The right side. */
    private Grid v;
    /** This rank's layers of the largest grid that all have, and those of all. */
    private double[] own;

    private double[] all;

    @Override
    public Outcome run(Communicator communicator, Problem problem, WarmUp warmUp) {
        world = communicator;
        int size = problem.size().ordinal();
        int side = SIDE[size];
        stencils = new Stencils(SMOOTHER[size], side);
        allocate(side);
        Charges.put(world, v, CHARGES);
        stencils.residual(finest(u), v, finest(r));
        warmUp.repeat(this::cycle);
        finest(u).clear();
        world.barrier();
        long start = System.nanoTime();
        stencils.residual(finest(u), v, finest(r));
        norm();
        for (int i = 0; i < CYCLES[size]; i++) {
            cycle();
        }
        double norm = norm();
        double seconds = Outcome.secondsSince(start, world);
        return new Outcome(
                OPERATIONS * CYCLES[size] * side * side * side,
                seconds,
                Outcome.isNear(norm, NORM[size], NEAR),
                String.format(Locale.ROOT, "norm %.13e, official %.13e", norm, NORM[size]));
    }

    private void allocate(int side) {
        int levels = Integer.numberOfTrailingZeros(side);
        u = new Grid[levels];
        r = new Grid[levels];
        for (int level = 0; level < levels; level++) {
            int points = 2 << level;
            boolean isWhole = world.size() == 1 || points <= SHARED_SIDE;
            u[level] = new Grid(world, points, isWhole);
            r[level] = new Grid(world, points, isWhole);
        }
        v = new Grid(world, side, world.size() == 1);
        all = new double[SHARED_SIDE * SHARED_SIDE * SHARED_SIDE];
        own = new double[all.length / world.size()];
    }

    private static Grid finest(Grid[] grids) {
        return grids[grids.length - 1];
    }

    private void cycle() {
        int top = u.length - 1;
        for (int level = top; level > 0; level--) {
            restrict(r[level], r[level - 1]);
        }
        u[0].clear();
        stencils.smooth(r[0], u[0]);
        for (int level = 1; level <= top; level++) {
            Grid right = level == top ? v : r[level];
            if (level < top) {
                u[level].clear();
            }
            stencils.prolong(u[level - 1], u[level], layersBefore(u[level], u[level - 1]));
            stencils.residual(u[level], right, r[level]);
            stencils.smooth(r[level], u[level]);
        }
        stencils.residual(u[top], v, r[top]);
    }

    /** Of a coarse grid that all have, those that belong to lower ranks. */
    private static int layersBefore(Grid fine, Grid coarse) {
        return coarse.isWhole() ? fine.firstLayer() / 2 : 0;
    }

    private void restrict(Grid fine, Grid coarse) {
        stencils.restrict(fine, coarse, layersBefore(fine, coarse));
        if (coarse.isWhole() && !fine.isWhole()) {
            gather(coarse, fine.firstLayer() / 2, fine.layers() / 2);
        }
        coarse.fillSides();
    }

    /** All of a grid, of which each rank has made these layers. */
    private void gather(Grid grid, int firstLayer, int layers) {
        int side = grid.side();
        for (int i = 0; i < layers * side; i++) {
            System.arraycopy(grid.row(firstLayer + i / side + 1, i % side + 1), 1, own, i * side, side);
        }
        world.allGather(own, all);
        for (int i = 0; i < side * side; i++) {
            System.arraycopy(all, i * side, grid.row(i / side + 1, i % side + 1), 1, side);
        }
    }

    /** Of the finest residual. */
    private double norm() {
        Grid grid = finest(r);
        double[] sum = new double[1];
        world.allReduce(new double[] {grid.ownSquares()}, sum, Reduction.SUM);
        return Math.sqrt(sum[0] / Math.pow(grid.side(), 3));
    }
}
