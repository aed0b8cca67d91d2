import java.nio.ByteBuffer;
import mpi.CartComm;
import mpi.Datatype;
import mpi.MPI;
import mpi.MPIException;
import mpi.ShiftParms;

/**
 * Conway's game of life on a torus, which a grid of ranks shares: each has a block of its cells, with one row or column
 * of its neighbours' on each side.
 */
public class Life {
    private static final int SIZE = 12; // rows and columns of the torus
    private static final int GENERATIONS = 42;
    private static final String[] GLIDER = {".#.", "..#", "###"};

    private static CartComm grid;
    private static int rows; // of this rank's block
    private static int columns;
    private static int width; // of a row, with the neighbours' cells
    private static Datatype row;
    private static Datatype column;

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        int[] dims = new int[2];
        CartComm.createDims(MPI.COMM_WORLD.getSize(), dims);
        if (SIZE % dims[0] != 0 || SIZE % dims[1] != 0) {
            throw new IllegalArgumentException(
                    SIZE + " x " + SIZE + " cells can't be shared evenly by " + dims[0] + " x " + dims[1] + " ranks");
        }
        grid = MPI.COMM_WORLD.createCart(dims, new boolean[] {true, true}, false);
        rows = SIZE / dims[0];
        columns = SIZE / dims[1];
        width = columns + 2;
        row = Datatype.createContiguous(width, MPI.BYTE);
        column = Datatype.createVector(rows + 2, 1, width, MPI.BYTE);
        row.commit();
        column.commit();

        ByteBuffer cells = MPI.newByteBuffer((rows + 2) * width);
        int[] at = grid.getCoords(grid.getRank());
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                int y = at[0] * rows + i;
                int x = at[1] * columns + j;
                boolean alive = y < 3 && x < 3 && GLIDER[y].charAt(x) == '#';
                cells.put((i + 1) * width + j + 1, (byte) (alive ? 1 : 0));
            }
        }
        print(0, cells, dims);
        for (int generation = 0; generation < GENERATIONS; generation++) {
            exchange(cells);
            step(cells);
        }
        print(GENERATIONS, cells, dims);
        row.free();
        column.free();
        MPI.Finalize();
    }

    /** Columns first, then rows with what has come at their ends: so the corners come, too. */
    private static void exchange(ByteBuffer cells) throws MPIException {
        shift(1, 1, cells, columns, 0, column);
        shift(1, -1, cells, 1, columns + 1, column);
        shift(0, 1, cells, rows * width, 0, row);
        shift(0, -1, cells, width, (rows + 1) * width, row);
    }

    /** The cells at one place go to a neighbour; those of the opposite one come to another place. */
    private static void shift(int direction, int by, ByteBuffer cells, int from, int to, Datatype type)
            throws MPIException {
        ShiftParms ranks = grid.shift(direction, by);
        ByteBuffer out = MPI.slice(cells, from);
        ByteBuffer in = MPI.slice(cells, to);
        grid.sendRecv(out, 1, type, ranks.getRankDest(), 0, in, 1, type, ranks.getRankSource(), 0);
    }

    private static void step(ByteBuffer cells) {
        byte[] next = new byte[cells.capacity()];
        for (int i = 1; i <= rows; i++) {
            for (int j = 1; j <= columns; j++) {
                int at = i * width + j;
                int neighbours = -cells.get(at);
                for (int above = at - width - 1; above <= at + width - 1; above += width) {
                    neighbours += cells.get(above) + cells.get(above + 1) + cells.get(above + 2);
                }
                next[at] = (byte) (neighbours == 3 || neighbours == 2 && cells.get(at) == 1 ? 1 : 0);
            }
        }
        cells.clear();
        cells.put(next);
    }

    /** Rank 0 gets all blocks, without the neighbours' cells, and puts them in their places. */
    private static void print(int generation, ByteBuffer cells, int[] dims) throws MPIException {
        byte[] block = new byte[rows * columns];
        for (int i = 0; i < block.length; i++) {
            block[i] = cells.get((i / columns + 1) * width + i % columns + 1);
        }
        byte[] blocks = new byte[SIZE * SIZE];
        grid.gather(block, block.length, MPI.BYTE, blocks, block.length, MPI.BYTE, 0);
        if (grid.getRank() == 0) {
            System.out.println("generation " + generation);
            for (int y = 0; y < SIZE; y++) {
                StringBuilder line = new StringBuilder();
                for (int x = 0; x < SIZE; x++) {
                    int rank = grid.getRank(new int[] {y / rows, x / columns});
                    byte cell = blocks[rank * block.length + y % rows * columns + x % columns];
                    line.append(cell == 1 ? '#' : '.');
                }
                System.out.println(line);
            }
        }
    }
}
