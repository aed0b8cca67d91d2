package org.sluice.bench.kernels;

/**
 * Fourier transforms of a power of two of complex numbers, several at the same time: number i of transform k is at
 * {@code 2 * (i * count + k)}, the real part first.
 */
final class Fourier {
    private final int length;
    private final int count;
    /** Cosines and sines of the first half of a circle, in turns. */
    private final double[] circle;

    private double[] from;
    private double[] to;

    Fourier(int length, int count) {
        this.length = length;
        this.count = count;
        circle = new double[length];
        for (int i = 0; i < length; i += 2) {
            circle[i] = Math.cos(Math.PI * i / length);
            circle[i + 1] = Math.sin(Math.PI * i / length);
        }
        from = new double[2 * length * count];
        to = new double[2 * length * count];
    }

    /** Where numbers are put before, and found after {@link #transform}; another array after that. */
    double[] numbers() {
        return from;
    }

    /** @param sign of the exponent: 1 or -1; nothing is divided by the length */
    void transform(int sign) {
        // Stockham's way: each pass halves the length of transforms and doubles how many there are.
        int groups = count;
        for (int half = length / 2; half > 0; half /= 2) {
            for (int j = 0; j < half; j++) {
                int turn = 2 * j * (length / 2 / half);
                pass(2 * groups, j, half, circle[turn], sign * circle[turn + 1]);
            }
            groups *= 2;
            double[] swapped = from;
            from = to;
            to = swapped;
        }
    }

    private void pass(int width, int j, int half, double cos, double sin) {
        double[] in = from;
        double[] out = to;
        int low = j * width;
        int high = (j + half) * width;
        int sums = 2 * j * width;
        int rest = sums + width;
        for (int i = 0; i < width; i += 2) {
            double aReal = in[low + i];
            double aImaginary = in[low + i + 1];
            double bReal = in[high + i];
            double bImaginary = in[high + i + 1];
            out[sums + i] = aReal + bReal;
            out[sums + i + 1] = aImaginary + bImaginary;
            double real = aReal - bReal;
            double imaginary = aImaginary - bImaginary;
            out[rest + i] = real * cos - imaginary * sin;
            out[rest + i + 1] = real * sin + imaginary * cos;
        }
    }
}
