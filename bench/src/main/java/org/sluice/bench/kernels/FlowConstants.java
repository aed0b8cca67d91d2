package org.sluice.bench.kernels;

/** What is the same at each point of LU's flow, in the specification's numbers. */
final class FlowConstants {
    static final double C1 = 1.4;
    static final double C2 = 0.4;
    private static final double C3 = 0.1;
    private static final double C4 = 1;
    private static final double C5 = 1.4;
    /** Viscosity. */
    static final double C34 = C3 * C4;
    /** What heat is conducted by. */
    static final double C1345 = C1 * C3 * C4 * C5;

    static final double C15 = C1 * C5;
    /** A momentum's own viscosity along its axis, beside that along others. */
    static final double OWN_AXIS = 4.0 / 3;
    /** Diffusion along x, y and z. */
    static final double[] DIFFUSION = {0.75, 0.75, 1};
    /** Of the fourth differences. */
    static final double DISSIPATION = 0.25;
    /** Over-relaxation. */
    static final double OMEGA = 1.2;

    private FlowConstants() {}
}
