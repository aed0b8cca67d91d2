package org.sluice.bench.kernels;

import java.util.Locale;
import org.sluice.mpi.CartesianCommunicator;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.Reduction;

/**
 * LU: a steady flow of a compressible fluid in a cube, by symmetric successive over-relaxation. Ranks have columns
 * along z; in each sweep a front of layers goes from rank to rank, with a small message to each neighbour and layer.
 */
final class LowerUpper implements Kernel {
    private static final double NEAR = 1e-8;
    /** By class: points a side. */
    private static final int[] SIDE = {12, 33, 64, 102};

    private static final int[] STEPS = {50, 300, 250, 250};
    private static final double[] TIME_STEP = {0.5, 1.5e-3, 2, 2};

    private FlowBlock block;
    private FlowEdges edges;
    private FlowResidual residual;
    private FlowSweeps sweeps;
    private double[] u;
    /** What keeps the exact solution as it is. */
    private double[] forces;
    /** The residual, then the step that is taken. */
    private double[] change;

    @Override
    public Outcome run(Communicator world, Problem problem, WarmUp warmUp) {
        int size = problem.size().ordinal();
        // Rows are long if there are more blocks in y than in x.
        CartesianCommunicator grid =
                world.createCartesian(CartesianCommunicator.balancedDims(world.size(), 0, 0), new boolean[2], false);
        prepare(grid, SIDE[size], TIME_STEP[size]);
        begin();
        warmUp.repeat(this::step);
        begin();
        grid.barrier();
        long start = System.nanoTime();
        for (int i = 0; i < STEPS[size]; i++) {
            step();
        }
        FlowNorms norms = new FlowNorms(block);
        double[] sums = new double[FlowNorms.COUNT];
        grid.allReduce(norms.own(u, change), sums, Reduction.SUM);
        double seconds = Outcome.secondsSince(start, grid);
        return outcome(norms.ofAll(sums), size, seconds);
    }

    private void prepare(CartesianCommunicator grid, int side, double timeStep) {
        block = new FlowBlock(grid, side);
        edges = new FlowEdges(block, grid);
        residual = new FlowResidual(block);
        sweeps = new FlowSweeps(block, grid, timeStep);
        u = block.field();
        forces = new double[u.length];
        change = new double[u.length];
        block.setExact(u);
        residual.compute(u, new double[u.length], change);
        System.arraycopy(change, 0, forces, 0, forces.length);
    }

    private void begin() {
        block.setFirst(u);
        edges.exchange(u);
        residual.compute(u, forces, change);
    }

    private void step() {
        sweeps.lower(u, change);
        sweeps.upper(u, change);
        double factor = 1 / (FlowConstants.OMEGA * (2 - FlowConstants.OMEGA));
        int width = (block.innerEndX() - block.innerX()) * FlowBlock.PARTS;
        for (int z = 1; z < block.side - 1; z++) {
            for (int y = block.innerY(); y < block.innerEndY(); y++) {
                int first = block.point(block.innerX(), y, z) * FlowBlock.PARTS;
                for (int i = first; i < first + width; i++) {
                    u[i] += factor * change[i];
                }
            }
        }
        edges.exchange(u);
        residual.compute(u, forces, change);
    }

    private Outcome outcome(double[] norms, int size, double seconds) {
        double[] official = FlowNorms.OFFICIAL[size];
        int worst = 0;
        boolean isVerified = true;
        for (int i = 0; i < official.length; i++) {
            isVerified &= Outcome.isNear(norms[i], official[i], NEAR);
            if (off(norms, official, i) > off(norms, official, worst)) {
                worst = i;
            }
        }
        double side = SIDE[size];
        double operations = ((1984.77 * side - 10923.3) * side + 27770.9) * side - 144010;
        return new Outcome(
                STEPS[size] * operations,
                seconds,
                isVerified,
                String.format(
                        Locale.ROOT,
                        "of %d norms number %d differs most: %.13e, official %.13e",
                        official.length,
                        worst + 1,
                        norms[worst],
                        official[worst]));
    }

    private static double off(double[] norms, double[] official, int which) {
        double off = Math.abs(norms[which] / official[which] - 1);
        return Double.isNaN(off) ? Double.POSITIVE_INFINITY : off;
    }
}
