package org.sluice.bench.kernels;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;

/** The numbers are those of the definition, counted in integers of any length. */
final class NasRandomTest {
    private static final BigInteger MODULUS = BigInteger.ONE.shiftLeft(46);

    @Test
    void numbersAreThoseOfTheDefinition() {
        NasRandom random = new NasRandom(NasRandom.SEED);
        BigInteger state = BigInteger.valueOf(NasRandom.SEED);
        for (int i = 0; i < 1000; i++) {
            state = state.multiply(BigInteger.valueOf(5).pow(13)).mod(MODULUS);
            assertEquals(state.doubleValue() / MODULUS.doubleValue(), random.next());
        }
    }

    @Test
    void skippingIsDrawing() {
        for (int count : new int[] {0, 1, 2, 63, 64, 1000}) {
            NasRandom random = new NasRandom(NasRandom.SEED);
            for (int i = 0; i < count; i++) {
                random.next();
            }
            assertEquals(
                    random.next(), new NasRandom(NasRandom.SEED).skip(count).next(), "after " + count);
        }
    }
}
