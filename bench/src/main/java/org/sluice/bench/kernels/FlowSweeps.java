package org.sluice.bench.kernels;

import org.sluice.mpi.CartesianCommunicator;
import org.sluice.mpi.CartesianCommunicator.Shift;

/**
 * LU's two sweeps: a block lower triangular system is solved from one corner of the cube to the opposite one, then an
 * upper one back. Layer by layer in z a rank waits for what its neighbours before it have at their edges, and hands its
 * own on, so that a front goes through all ranks. No block is ever stored: what one does to a vector follows from the
 * five numbers of its point.
 */
final class FlowSweeps {
    private static final int PARTS = FlowBlock.PARTS;
    private static final int TAG = 3;
    private static final int AXES = 3;

    private final FlowBlock block;
    private final CartesianCommunicator grid;
    private final Shift alongY;
    private final Shift alongX;
    /** An edge of one layer on its way. */
    private final double[] edgeX;

    private final double[] edgeY;
    /** A time step, by distance: halves of its reciprocal, squares of it. */
    private final double flow;

    private final double[] second = new double[AXES];
    private final double timeStep;
    /** Of the diagonal: what it has without viscosity, the momenta's viscosity, heat. */
    private final double diagonal;

    private final double viscosity;
    private final double heat;
    /** What a neighbour's viscosity and conducted heat are multiplied by. */
    private final double viscous;
    /** What the blocks beside the diagonal add up to at a point, and then its solution. */
    private final double[] sum = new double[PARTS];

    FlowSweeps(FlowBlock block, CartesianCommunicator grid, double timeStep) {
        this.block = block;
        this.grid = grid;
        this.timeStep = timeStep;
        alongY = grid.shift(0, 1);
        alongX = grid.shift(1, 1);
        edgeX = new double[(block.innerEndX() - block.innerX()) * PARTS];
        edgeY = new double[(block.innerEndY() - block.innerY()) * PARTS];
        flow = timeStep * 0.5 * (block.side - 1);
        double square = timeStep * (block.side - 1.0) * (block.side - 1.0);
        double diffusion = 0;
        for (int axis = 0; axis < AXES; axis++) {
            second[axis] = square * FlowConstants.DIFFUSION[axis];
            diffusion += second[axis];
        }
        diagonal = 1 + 2 * diffusion;
        viscosity = 2 * square * FlowConstants.C34 * (AXES - 1 + FlowConstants.OWN_AXIS);
        heat = 2 * square * FlowConstants.C1345 * AXES;
        viscous = square;
    }

    /** From the lowest corner up: each point takes the step that is left when those before it have taken theirs. */
    void lower(double[] u, double[] v) {
        for (int z = 1; z < block.side - 1; z++) {
            receive(v, z, alongX.source(), alongY.source(), -1);
            for (int y = block.innerY(); y < block.innerEndY(); y++) {
                for (int x = block.innerX(); x < block.innerEndX(); x++) {
                    int point = block.point(x, y, z);
                    addNeighbours(u, v, point, -1);
                    int at = point * PARTS;
                    for (int part = 0; part < PARTS; part++) {
                        sum[part] = timeStep * v[at + part] - FlowConstants.OMEGA * sum[part];
                    }
                    divide(u, at);
                    System.arraycopy(sum, 0, v, at, PARTS);
                }
            }
            send(v, z, alongX.destination(), alongY.destination(), block.countX - 1, block.countY - 1);
        }
    }

    /** From the highest corner down. */
    void upper(double[] u, double[] v) {
        for (int z = block.side - 2; z > 0; z--) {
            receive(v, z, alongX.destination(), alongY.destination(), 1);
            for (int y = block.innerEndY() - 1; y >= block.innerY(); y--) {
                for (int x = block.innerEndX() - 1; x >= block.innerX(); x--) {
                    int point = block.point(x, y, z);
                    addNeighbours(u, v, point, 1);
                    int at = point * PARTS;
                    for (int part = 0; part < PARTS; part++) {
                        sum[part] *= FlowConstants.OMEGA;
                    }
                    divide(u, at);
                    for (int part = 0; part < PARTS; part++) {
                        v[at + part] -= sum[part];
                    }
                }
            }
            send(v, z, alongX.source(), alongY.source(), 0, 0);
        }
    }

    /** What the blocks of three neighbours make of their vectors: those before a point, -1, or after it, 1. */
    private void addNeighbours(double[] u, double[] v, int point, int side) {
        for (int part = 0; part < PARTS; part++) {
            sum[part] = 0;
        }
        for (int axis = 0; axis < AXES; axis++) {
            addNeighbour(u, v, (point + side * block.step[axis]) * PARTS, axis, side * flow);
        }
    }

    /** The block of a neighbour on one axis, times its vector. The other two axes are those after it, in a circle. */
    private void addNeighbour(double[] u, double[] v, int at, int axis, double signedFlow) {
        int own = 1 + axis;
        int next = own == AXES ? 1 : own + 1;
        int last = next == AXES ? 1 : next + 1;
        double reciprocal = 1 / u[at];
        double speed = u[at + own] * reciprocal;
        double speedNext = u[at + next] * reciprocal;
        double speedLast = u[at + last] * reciprocal;
        double energy = u[at + 4] * reciprocal;
        double kinetic = 0.5 * (speed * speed + speedNext * speedNext + speedLast * speedLast);
        double v0 = v[at];
        double vOwn = v[at + own];
        double vNext = v[at + next];
        double vLast = v[at + last];
        double v4 = v[at + 4];
        // What differs from a vector that only has more of the same fluid.
        double moreOwn = vOwn - speed * v0;
        double moreNext = vNext - speedNext * v0;
        double moreLast = vLast - speedLast * v0;
        double diffusion = second[axis];
        double viscosityOwn = FlowConstants.OWN_AXIS * FlowConstants.C34;
        double factor = viscous * reciprocal;
        double pressure = FlowConstants.C2 * (kinetic * v0 - speed * vOwn - speedNext * vNext - speedLast * vLast + v4);
        sum[0] += signedFlow * vOwn - diffusion * v0;
        sum[own] += signedFlow * (speed * vOwn + speed * moreOwn + pressure)
                - factor * viscosityOwn * moreOwn
                - diffusion * vOwn;
        sum[next] += signedFlow * (speedNext * vOwn + speed * moreNext)
                - factor * FlowConstants.C34 * moreNext
                - diffusion * vNext;
        sum[last] += signedFlow * (speedLast * vOwn + speed * moreLast)
                - factor * FlowConstants.C34 * moreLast
                - diffusion * vLast;
        double enthalpy = FlowConstants.C1 * energy - FlowConstants.C2 * kinetic;
        sum[4] += signedFlow * (enthalpy * moreOwn + speed * (v4 + pressure))
                - factor
                        * ((viscosityOwn - FlowConstants.C1345) * speed * moreOwn
                                + (FlowConstants.C34 - FlowConstants.C1345)
                                        * (speedNext * moreNext + speedLast * moreLast)
                                + FlowConstants.C1345 * (v4 - energy * v0))
                - diffusion * v4;
    }

    /** The sum by the diagonal's block, which has nothing above its own diagonal. */
    private void divide(double[] u, int at) {
        double reciprocal = 1 / u[at];
        double v0 = sum[0] / diagonal;
        sum[0] = v0;
        double rest = sum[4];
        double conducted = heat * reciprocal;
        double viscosityHere = viscosity * reciprocal;
        for (int axis = 0; axis < AXES; axis++) {
            double speed = u[at + 1 + axis] * reciprocal;
            double solved = (sum[1 + axis] + viscosityHere * speed * v0) / (diagonal + viscosityHere);
            sum[1 + axis] = solved;
            rest -= (viscosityHere - conducted) * speed * (solved - speed * v0);
        }
        sum[4] = (rest + conducted * u[at + 4] * reciprocal * v0) / (diagonal + conducted);
    }

    /** @param side where those lie that come first: -1 or 1 */
    private void receive(double[] v, int z, int fromX, int fromY, int side) {
        if (fromX >= 0) {
            grid.recv(edgeY, fromX, TAG);
            int x = side < 0 ? -1 : block.countX;
            for (int y = block.innerY(); y < block.innerEndY(); y++) {
                System.arraycopy(edgeY, (y - block.innerY()) * PARTS, v, block.point(x, y, z) * PARTS, PARTS);
            }
        }
        if (fromY >= 0) {
            grid.recv(edgeX, fromY, TAG);
            int y = side < 0 ? -1 : block.countY;
            System.arraycopy(edgeX, 0, v, block.point(block.innerX(), y, z) * PARTS, edgeX.length);
        }
    }

    private void send(double[] v, int z, int toX, int toY, int x, int y) {
        if (toX >= 0) {
            for (int i = block.innerY(); i < block.innerEndY(); i++) {
                System.arraycopy(v, block.point(x, i, z) * PARTS, edgeY, (i - block.innerY()) * PARTS, PARTS);
            }
            grid.send(edgeY, toX, TAG);
        }
        if (toY >= 0) {
            System.arraycopy(v, block.point(block.innerX(), y, z) * PARTS, edgeX, 0, edgeX.length);
            grid.send(edgeX, toY, TAG);
        }
    }
}
