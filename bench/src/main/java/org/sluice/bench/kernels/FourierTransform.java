package org.sluice.bench.kernels;

import java.util.Locale;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.Reduction;

/**
 * FT: a differential equation in three dimensions, solved in the space of frequencies. Ranks have layers of z, and
 * after a transposition, in which all send to all, layers of y.
 */
final class FourierTransform implements Kernel {
    private static final double ALPHA = 1e-6;
    private static final double NEAR = 1e-12;
    private static final int SAMPLES = 1024;
    /** A sample's place is its number times this, in each dimension. */
    private static final int[] STRIDE = {1, 3, 5};

    private static final int X = 0;
    private static final int Y = 1;
    private static final int Z = 2;
    /** By class: lengths in x, y and z. */
    private static final int[][] LENGTHS = {{64, 64, 64}, {128, 128, 32}, {256, 256, 128}, {512, 256, 256}};

    private Communicator world;
    private int nx;
    private int ny;
    private int nz;
    /** Layers of this rank. */
    private int layersY;

    private int layersZ;
    /** Of frequencies: [own y][z][x]. */
    private double[] frequencies;
    /** How much of each is left after a step, in the same order. */
    private double[] decay;
    /** Blocks of the transposition as they are sent, and as they come. */
    private double[] out;

    private double[] in;
    /** Of space: [own z][y][x]. */
    private double[] space;

    private Fourier alongX;
    private Fourier alongY;
    private Fourier alongZ;

    @Override
    public Outcome run(Communicator communicator, Problem problem, WarmUp warmUp) {
        world = communicator;
        double[][] official = FourierSums.OFFICIAL[problem.size().ordinal()];
        allocate(LENGTHS[problem.size().ordinal()]);
        warmUp.repeat(() -> {
            begin();
            evolve();
            toSpace();
            sample();
        });
        long start = System.nanoTime();
        begin();
        boolean isVerified = true;
        double[] sum = new double[2];
        for (double[] expected : official) {
            evolve();
            toSpace();
            sum = sample();
            isVerified &= Outcome.isNear(sum[0], expected[0], NEAR) && Outcome.isNear(sum[1], expected[1], NEAR);
        }
        double seconds = Outcome.secondsSince(start, world);
        double[] last = official[official.length - 1];
        return new Outcome(
                operations(official.length),
                seconds,
                isVerified,
                String.format(
                        Locale.ROOT,
                        "the last of %d sums %.12e %.12ei, official %.12e %.12ei; all have to agree",
                        official.length,
                        sum[0],
                        sum[1],
                        last[0],
                        last[1]));
    }

    private double operations(int iterations) {
        double numbers = (double) nx * ny * nz;
        return numbers * (14.8157 + 7.19641 * Math.log(numbers) + (5.23518 + 7.21113 * Math.log(numbers)) * iterations);
    }

    private void allocate(int[] lengths) {
        nx = lengths[X];
        ny = lengths[Y];
        nz = lengths[Z];
        layersY = ny / world.size();
        layersZ = nz / world.size();
        int numbers = 2 * nx * ny * layersZ;
        frequencies = new double[numbers];
        decay = new double[numbers / 2];
        out = new double[numbers];
        in = new double[numbers];
        space = new double[numbers];
        alongX = new Fourier(nx, 1);
        alongY = new Fourier(ny, nx);
        alongZ = new Fourier(nz, nx);
    }

    private void begin() {
        makeDecay();
        int first = layersZ * world.rank();
        NasRandom random = new NasRandom(NasRandom.SEED).skip(2L * nx * ny * first);
        for (int i = 0; i < space.length; i++) {
            space[i] = random.next();
        }
        for (int z = 0; z < layersZ; z++) {
            transformX(space, z * ny, ny, 1);
            transformRows(alongY, space, z * ny, 1);
        }
        toLayersOfY();
        for (int y = 0; y < layersY; y++) {
            transformRows(alongZ, frequencies, y * nz, 1);
        }
    }

    private void makeDecay() {
        int at = 0;
        double factor = -4 * ALPHA * Math.PI * Math.PI;
        for (int y = 0; y < layersY; y++) {
            double ySquare = square(y + layersY * world.rank(), ny);
            for (int z = 0; z < nz; z++) {
                double yzSquare = ySquare + square(z, nz);
                for (int x = 0; x < nx; x++) {
                    decay[at++] = Math.exp(factor * (square(x, nx) + yzSquare));
                }
            }
        }
    }

    /** Of a frequency, the second half of which are negative. */
    private static double square(int index, int length) {
        int frequency = index < length / 2 ? index : index - length;
        return (double) frequency * frequency;
    }

    private void evolve() {
        for (int i = 0; i < decay.length; i++) {
            frequencies[2 * i] *= decay[i];
            frequencies[2 * i + 1] *= decay[i];
        }
    }

    private void toSpace() {
        // Block [rank of z][own y][its z][x], so that each rank's is in one piece.
        int row = 2 * nx;
        for (int y = 0; y < layersY; y++) {
            System.arraycopy(frequencies, y * nz * row, alongZ.numbers(), 0, nz * row);
            alongZ.transform(-1);
            double[] numbers = alongZ.numbers();
            for (int rank = 0; rank < world.size(); rank++) {
                System.arraycopy(
                        numbers, rank * layersZ * row, out, (rank * layersY + y) * layersZ * row, layersZ * row);
            }
        }
        world.allToAll(out, in);
        for (int y = 0; y < ny; y++) {
            for (int z = 0; z < layersZ; z++) {
                System.arraycopy(in, (y * layersZ + z) * row, space, (z * ny + y) * row, row);
            }
        }
        for (int z = 0; z < layersZ; z++) {
            transformRows(alongY, space, z * ny, -1);
            transformX(space, z * ny, ny, -1);
        }
    }

    private void toLayersOfY() {
        // Block [rank of y][own z][its y][x].
        int row = 2 * nx;
        for (int z = 0; z < layersZ; z++) {
            for (int rank = 0; rank < world.size(); rank++) {
                System.arraycopy(
                        space,
                        (z * ny + rank * layersY) * row,
                        out,
                        (rank * layersZ + z) * layersY * row,
                        layersY * row);
            }
        }
        world.allToAll(out, in);
        for (int z = 0; z < nz; z++) {
            for (int y = 0; y < layersY; y++) {
                System.arraycopy(in, (z * layersY + y) * row, frequencies, (y * nz + z) * row, row);
            }
        }
    }

    /** Each of these rows by itself. */
    private void transformX(double[] numbers, int firstRow, int rows, int sign) {
        for (int row = firstRow; row < firstRow + rows; row++) {
            transformRows(alongX, numbers, row, sign);
        }
    }

    /** From row to row, or along the one row. */
    private void transformRows(Fourier fourier, double[] numbers, int firstRow, int sign) {
        double[] before = fourier.numbers();
        System.arraycopy(numbers, firstRow * 2 * nx, before, 0, before.length);
        fourier.transform(sign);
        System.arraycopy(fourier.numbers(), 0, numbers, firstRow * 2 * nx, before.length);
    }

    private double[] sample() {
        double[] own = new double[2];
        for (int i = 1; i <= SAMPLES; i++) {
            int z = STRIDE[Z] * i % nz - layersZ * world.rank();
            if (z >= 0 && z < layersZ) {
                int at = 2 * ((z * ny + STRIDE[Y] * i % ny) * nx + STRIDE[X] * i % nx);
                own[0] += space[at];
                own[1] += space[at + 1];
            }
        }
        double[] all = new double[2];
        world.allReduce(own, all, Reduction.SUM);
        double numbers = (double) nx * ny * nz;
        all[0] /= numbers;
        all[1] /= numbers;
        return all;
    }
}
