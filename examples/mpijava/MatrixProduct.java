import java.util.Arrays;
import mpi.MPI;

/** C = A B: each rank gets some rows of A and all of B, and computes the same rows of C. */
public class MatrixProduct {
    private static final int SIZE = 8;

    public static void main(String[] args) {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.Rank();
        int ranks = MPI.COMM_WORLD.Size();
        if (SIZE % ranks != 0) {
            throw new IllegalArgumentException(SIZE + " rows can't be dealt evenly to " + ranks + " ranks");
        }
        int mine = SIZE / ranks * SIZE; // elements of this rank's rows

        double[] a = new double[SIZE * SIZE];
        double[] b = new double[SIZE * SIZE];
        double[] c = new double[SIZE * SIZE];
        if (rank == 0) {
            for (int i = 0; i < SIZE; i++) {
                for (int j = 0; j < SIZE; j++) {
                    a[i * SIZE + j] = i + j;
                    b[i * SIZE + j] = i == j ? 2 : i - j;
                }
            }
        }

        double[] rowsOfA = new double[mine];
        MPI.COMM_WORLD.Scatter(a, 0, mine, MPI.DOUBLE, rowsOfA, 0, mine, MPI.DOUBLE, 0);
        MPI.COMM_WORLD.Bcast(b, 0, SIZE * SIZE, MPI.DOUBLE, 0);
        double[] rowsOfC = product(rowsOfA, b);
        MPI.COMM_WORLD.Gather(rowsOfC, 0, mine, MPI.DOUBLE, c, 0, mine, MPI.DOUBLE, 0);

        if (rank == 0) {
            print(c);
            System.out.println(Arrays.equals(c, product(a, b)) ? "as one rank computes it" : "wrong");
        }
        MPI.Finalize();
    }

    private static double[] product(double[] rows, double[] b) {
        double[] result = new double[rows.length];
        for (int row = 0; row < rows.length; row += SIZE) {
            for (int column = 0; column < SIZE; column++) {
                for (int k = 0; k < SIZE; k++) {
                    result[row + column] += rows[row + k] * b[k * SIZE + column];
                }
            }
        }
        return result;
    }

    private static void print(double[] matrix) {
        for (int row = 0; row < SIZE; row++) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < SIZE; column++) {
                line.append(String.format("%6d", (long) matrix[row * SIZE + column]));
            }
            System.out.println(line);
        }
    }
}
