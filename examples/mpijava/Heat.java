import java.util.Arrays;
import java.util.Locale;
import mpi.Cartcomm;
import mpi.Datatype;
import mpi.MPI;
import mpi.Request;
import mpi.ShiftParms;

/**
 * Heat spreads over a plate, which a grid of ranks shares: each has a block of its cells with one row or column of its
 * neighbours' on each side.
 */
public class Heat {
    private static final int SIZE = 24; // rows and columns of the plate
    private static final int STEPS = 400;
    private static final double HOT = 100; // above the plate; the other edges are at 0

    private static Cartcomm grid;
    private static int rows; // of this rank's block
    private static int columns;
    private static int width; // of a row, with the neighbours' cells

    public static void main(String[] args) {
        MPI.Init(args);
        int[] dims = new int[2];
        Cartcomm.Dims_create(MPI.COMM_WORLD.Size(), dims);
        if (SIZE % dims[0] != 0 || SIZE % dims[1] != 0) {
            throw new IllegalArgumentException(
                    SIZE + " x " + SIZE + " cells can't be shared evenly by " + dims[0] + " x " + dims[1] + " ranks");
        }
        grid = MPI.COMM_WORLD.Create_cart(dims, new boolean[2], false);
        rows = SIZE / dims[0];
        columns = SIZE / dims[1];
        width = columns + 2;

        double[] old = new double[(rows + 2) * width];
        if (grid.Coords(grid.Rank())[0] == 0) {
            Arrays.fill(old, 0, width, HOT);
        }
        double[] now = old.clone();
        Datatype column = Datatype.Vector(rows, 1, width, MPI.DOUBLE);
        column.Commit();
        for (int step = 0; step < STEPS; step++) {
            exchange(old, column);
            for (int row = 1; row <= rows; row++) {
                for (int at = row * width + 1; at <= row * width + columns; at++) {
                    now[at] = (old[at - 1] + old[at + 1] + old[at - width] + old[at + width]) / 4;
                }
            }
            double[] swapped = old;
            old = now;
            now = swapped;
        }
        report(old, dims);
        MPI.Finalize();
    }

    /** The outermost rows and columns go to the neighbours, and theirs come. */
    private static void exchange(double[] cells, Datatype column) {
        ShiftParms down = grid.Shift(0, 1);
        ShiftParms right = grid.Shift(1, 1);
        Request[] requests = new Request[8];
        int count = 0;
        if (down.rank_source >= 0) { // there is somebody above
            requests[count++] = grid.Irecv(cells, 1, columns, MPI.DOUBLE, down.rank_source, 0);
            requests[count++] = grid.Isend(cells, width + 1, columns, MPI.DOUBLE, down.rank_source, 1);
        }
        if (down.rank_dest >= 0) {
            requests[count++] = grid.Irecv(cells, (rows + 1) * width + 1, columns, MPI.DOUBLE, down.rank_dest, 1);
            requests[count++] = grid.Isend(cells, rows * width + 1, columns, MPI.DOUBLE, down.rank_dest, 0);
        }
        if (right.rank_source >= 0) {
            requests[count++] = grid.Irecv(cells, width, 1, column, right.rank_source, 2);
            requests[count++] = grid.Isend(cells, width + 1, 1, column, right.rank_source, 3);
        }
        if (right.rank_dest >= 0) {
            requests[count++] = grid.Irecv(cells, width + columns + 1, 1, column, right.rank_dest, 3);
            requests[count++] = grid.Isend(cells, width + columns, 1, column, right.rank_dest, 2);
        }
        Request.Waitall(Arrays.copyOf(requests, count));
    }

    /** Rank 0 gets all blocks, puts them in their places, and prints every fourth cell. */
    private static void report(double[] cells, int[] dims) {
        double[] block = new double[rows * columns];
        for (int row = 0; row < rows; row++) {
            System.arraycopy(cells, (row + 1) * width + 1, block, row * columns, columns);
        }
        double[] blocks = new double[SIZE * SIZE];
        grid.Gather(block, 0, block.length, MPI.DOUBLE, blocks, 0, block.length, MPI.DOUBLE, 0);
        if (grid.Rank() != 0) {
            return;
        }
        System.out.println("a plate of " + SIZE + " x " + SIZE + " cells after " + STEPS + " steps");
        for (int row = 0; row < SIZE; row += 4) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < SIZE; column += 4) {
                int rank = grid.Rank(new int[] {row / rows, column / columns});
                double cell = blocks[rank * block.length + row % rows * columns + column % columns];
                line.append(String.format(Locale.ROOT, "%6.1f", cell));
            }
            System.out.println(line);
        }
    }
}
