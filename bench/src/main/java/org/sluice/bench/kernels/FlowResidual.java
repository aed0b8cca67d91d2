package org.sluice.bench.kernels;

/**
 * The right side of LU: how fast each inner point changes, by what flows to its neighbours along each axis, viscosity
 * and fourth differences.
 */
final class FlowResidual {
    private static final int PARTS = FlowBlock.PARTS;
    /** Of a point: velocities, energy by density, the sum of the velocities' squares. */
    private static final int VELOCITIES = 5;

    private static final int ENERGY = 3;
    private static final int SQUARES = 4;
    /** Coefficients of a fourth difference: those of two points before, the point, two after. */
    private static final int TAPS = 5;

    private final FlowBlock block;
    /** By distance: halves of its reciprocal, squares of it. */
    private final double flow;

    private final double second;
    private final double[] velocities;
    /** By place on an axis of the whole cube. Points on the surface and beyond it have no part in it. */
    private final double[] fourth;

    FlowResidual(FlowBlock block) {
        this.block = block;
        int side = block.side;
        flow = 0.5 * (side - 1);
        second = (side - 1.0) * (side - 1.0);
        velocities = new double[block.points() * VELOCITIES];
        fourth = new double[side * TAPS];
        for (int i = 1; i < side - 1; i++) {
            int at = i * TAPS;
            fourth[at] = i >= 3 ? 1 : 0;
            fourth[at + 1] = i >= 2 ? -4 : 0;
            fourth[at + 2] = i == 1 || i == side - 2 ? 5 : 6;
            fourth[at + 3] = i <= side - 3 ? -4 : 0;
            fourth[at + 4] = i <= side - 4 ? 1 : 0;
        }
    }

    /** Of each inner point, less the forces there. */
    void compute(double[] u, double[] forces, double[] result) {
        for (int z = 0; z < block.side; z++) {
            for (int y = -1; y <= block.countY; y++) {
                setVelocities(u, block.point(-1, y, z), block.point(block.countX + 1, y, z));
            }
        }
        int width = block.innerEndX() - block.innerX();
        for (int z = 1; z < block.side - 1; z++) {
            for (int y = block.innerY(); y < block.innerEndY(); y++) {
                int first = block.point(block.innerX(), y, z);
                for (int i = first * PARTS; i < (first + width) * PARTS; i++) {
                    result[i] = -forces[i];
                }
                int globalX = block.firstX + block.innerX();
                for (int x = 0; x < width; x++) {
                    addAxis(u, result, first + x, first + x + 1, 0, globalX + x);
                }
                addAxis(u, result, first, first + width, 1, block.firstY + y);
                addAxis(u, result, first, first + width, 2, z);
            }
        }
    }

    private void setVelocities(double[] u, int first, int end) {
        double[] v = velocities;
        for (int point = first; point < end; point++) {
            int from = point * PARTS;
            int to = point * VELOCITIES;
            double reciprocal = 1 / u[from];
            double x = u[from + 1] * reciprocal;
            double y = u[from + 2] * reciprocal;
            double z = u[from + 3] * reciprocal;
            v[to] = x;
            v[to + 1] = y;
            v[to + 2] = z;
            v[to + ENERGY] = u[from + 4] * reciprocal;
            v[to + SQUARES] = x * x + y * y + z * z;
        }
    }

    /** What goes on along one axis, on which all these points have the same place. */
    private void addAxis(double[] u, double[] result, int first, int end, int axis, int place) {
        double[] v = velocities;
        int step = block.step[axis];
        double diffusion = FlowConstants.DIFFUSION[axis] * second;
        double viscosity = FlowConstants.C34 * second;
        double before2 = FlowConstants.DISSIPATION * fourth[place * TAPS];
        double before1 = FlowConstants.DISSIPATION * fourth[place * TAPS + 1];
        double own = FlowConstants.DISSIPATION * fourth[place * TAPS + 2];
        double after1 = FlowConstants.DISSIPATION * fourth[place * TAPS + 3];
        double after2 = FlowConstants.DISSIPATION * fourth[place * TAPS + 4];
        int momentum = axis + 1;
        for (int point = first; point < end; point++) {
            int at = point * PARTS;
            int high = at + step * PARTS;
            int low = at - step * PARTS;
            int atV = point * VELOCITIES;
            int highV = atV + step * VELOCITIES;
            int lowV = atV - step * VELOCITIES;
            double speedHigh = v[highV + axis];
            double speedLow = v[lowV + axis];
            double squaresHigh = v[highV + SQUARES];
            double squaresLow = v[lowV + SQUARES];
            double kineticHigh = 0.5 * u[high] * squaresHigh;
            double kineticLow = 0.5 * u[low] * squaresLow;
            for (int part = 0; part < PARTS; part++) {
                result[at + part] += diffusion * (u[low + part] - 2 * u[at + part] + u[high + part])
                        - before2 * u[low - step * PARTS + part]
                        - before1 * u[low + part]
                        - own * u[at + part]
                        - after1 * u[high + part]
                        - after2 * u[high + step * PARTS + part];
            }
            result[at] -= flow * (u[high + momentum] - u[low + momentum]);
            for (int part = 1; part <= 3; part++) {
                result[at + part] += viscosity * (v[lowV + part - 1] - 2 * v[atV + part - 1] + v[highV + part - 1])
                        - flow * (u[high + part] * speedHigh - u[low + part] * speedLow);
            }
            double speed = v[atV + axis];
            result[at + momentum] += (FlowConstants.OWN_AXIS - 1) * viscosity * (speedLow - 2 * speed + speedHigh)
                    - flow * FlowConstants.C2 * (u[high + 4] - kineticHigh - u[low + 4] + kineticLow);
            double heat = 0.5 * (1 - FlowConstants.C15) * (squaresLow - 2 * v[atV + SQUARES] + squaresHigh)
                    + (speedLow * speedLow - 2 * speed * speed + speedHigh * speedHigh) / 6
                    + FlowConstants.C15 * (v[lowV + ENERGY] - 2 * v[atV + ENERGY] + v[highV + ENERGY]);
            result[at + 4] += viscosity * heat
                    - flow
                            * ((FlowConstants.C1 * u[high + 4] - FlowConstants.C2 * kineticHigh) * speedHigh
                                    - (FlowConstants.C1 * u[low + 4] - FlowConstants.C2 * kineticLow) * speedLow);
        }
    }
}
