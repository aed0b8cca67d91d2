package org.sluice.bench.kernels;

/** NPB's random numbers: x becomes a * x modulo 2^46, and the number is x / 2^46. */
final class NasRandom {
    /** 5^13. */
    static final long MULTIPLIER = 1_220_703_125L;
    /** Of all kernels except EP. */
    static final long SEED = 314_159_265L;

    private static final long MASK = (1L << 46) - 1;
    private static final double UNIT = 1.0 / (1L << 46);

    private long state;

    NasRandom(long seed) {
        state = seed;
    }

    /** Between 0 and 1. */
    double next() {
        // A product loses what is above 2^64, and the modulus has none of that.
        state = state * MULTIPLIER & MASK;
        return state * UNIT;
    }

    /** As if {@link #next} had been called so often. */
    NasRandom skip(long count) {
        long power = MULTIPLIER;
        for (long rest = count; rest > 0; rest >>= 1) {
            if ((rest & 1) == 1) {
                state = state * power & MASK;
            }
            power = power * power & MASK;
        }
        return this;
    }
}
