package org.sluice.bench.kernels;

/**
 * How two bodies push each other away that are nearer than the cut-off, which is 1: as charges, but softened where they
 * are close, and less and less towards the cut-off. So a pair that rounding puts on either side of it feels the same.
 */
final class PairForce {
    static final double CUT_OFF = 1;

    private static final double STRENGTH = 0.05;
    private static final double SOFTENING = 0.1;

    private PairForce() {}

    /**
     * What the way between both is multiplied by.
     *
     * @param square of their distance, less than that of the cut-off
     */
    static double factor(double square) {
        double fading = 1 - square;
        double soft = square + SOFTENING * SOFTENING;
        return STRENGTH * fading * fading / (soft * Math.sqrt(soft));
    }
}
