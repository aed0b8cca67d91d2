package org.sluice.bench.kernels;

import java.util.Arrays;
import java.util.Locale;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.Reduction;

/**
 * CG: the smallest eigenvalue of a sparse matrix, by inverse iteration with conjugate gradients. Each rank has some
 * rows, and before each product all ranks get the whole vector.
 */
final class ConjugateGradient implements Kernel {
    private static final int STEPS = 25;
    private static final double NEAR = 1e-10;
    /** By class: rows. */
    private static final int[] ROWS = {1400, 7000, 14000, 75000};
    /** By class: elements of each random vector. */
    private static final int[] ELEMENTS = {7, 8, 11, 13};

    private static final int[] ITERATIONS = {15, 15, 15, 75};
    private static final double[] SHIFT = {10, 12, 20, 60};
    private static final double[] ZETA = {8.5971775078648, 10.362595087124, 17.130235054029, 22.712745482631};

    private final double[] one = new double[1];
    private final double[] sum = new double[1];
    private Communicator world;
    private SparseMatrix matrix;
    private int rows;
    /** The own parts of vectors; where rows don't divide the last has zeros at its end. */
    private double[] x;

    private double[] z;
    private double[] p;
    private double[] q;
    private double[] r;
    private double[] whole;

    @Override
    public Outcome run(Communicator communicator, Problem problem, WarmUp warmUp) {
        world = communicator;
        int size = problem.size().ordinal();
        int all = ROWS[size];
        int part = (all + world.size() - 1) / world.size();
        int first = Math.min(all, part * world.rank());
        rows = Math.min(all, first + part) - first;
        matrix = SparseMatrix.make(all, ELEMENTS[size], SHIFT[size], first, rows);
        x = new double[part];
        z = new double[part];
        p = new double[part];
        q = new double[part];
        r = new double[part];
        whole = new double[part * world.size()];
        warmUp.repeat(() -> iterate(SHIFT[size], 1));
        long start = System.nanoTime();
        double zeta = iterate(SHIFT[size], ITERATIONS[size]);
        double seconds = Outcome.secondsSince(start, world);
        double ofVector = ELEMENTS[size] * (ELEMENTS[size] + 1.0);
        return new Outcome(
                2.0 * ITERATIONS[size] * all * (3 + ofVector + STEPS * (5 + ofVector) + 3),
                seconds,
                Outcome.isNear(zeta, ZETA[size], NEAR),
                String.format(Locale.ROOT, "zeta %.13f, official %.13f", zeta, ZETA[size]));
    }

    private double iterate(double shift, int iterations) {
        Arrays.fill(x, 0, rows, 1);
        double zeta = 0;
        for (int i = 0; i < iterations; i++) {
            solve();
            zeta = shift + 1 / dot(x, z);
            double scale = 1 / Math.sqrt(dot(z, z));
            for (int j = 0; j < rows; j++) {
                x[j] = scale * z[j];
            }
        }
        return zeta;
    }

    /** z, for which the matrix times z is nearly x. */
    private void solve() {
        Arrays.fill(z, 0);
        System.arraycopy(x, 0, r, 0, rows);
        System.arraycopy(x, 0, p, 0, rows);
        double rho = dot(r, r);
        for (int step = 0; step < STEPS; step++) {
            multiply(p);
            double alpha = rho / dot(p, q);
            for (int i = 0; i < rows; i++) {
                z[i] += alpha * p[i];
                r[i] -= alpha * q[i];
            }
            double before = rho;
            rho = dot(r, r);
            double beta = rho / before;
            for (int i = 0; i < rows; i++) {
                p[i] = r[i] + beta * p[i];
            }
        }
        residual();
    }

    /** How far off z is. Nobody asks for the figure, but it belongs to what is timed. */
    private double residual() {
        multiply(z);
        for (int i = 0; i < rows; i++) {
            r[i] = x[i] - q[i];
        }
        return Math.sqrt(dot(r, r));
    }

    /** Into q. */
    private void multiply(double[] vector) {
        world.allGather(vector, whole);
        matrix.multiply(whole, q);
    }

    private double dot(double[] a, double[] b) {
        double own = 0;
        for (int i = 0; i < rows; i++) {
            own += a[i] * b[i];
        }
        one[0] = own;
        world.allReduce(one, sum, Reduction.SUM);
        return sum[0];
    }
}
