import java.nio.DoubleBuffer;
import mpi.Datatype;
import mpi.MPI;
import mpi.MPIException;

/**
 * A matrix whose rows are dealt to the ranks becomes its transpose, dealt in the same way. Derived types say where the
 * numbers lie: nobody copies any before or after the one call that moves them.
 */
public class Transpose {
    private static final int SIZE = 8;

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        int ranks = MPI.COMM_WORLD.getSize();
        if (SIZE % ranks != 0) {
            throw new IllegalArgumentException(SIZE + " rows can't be dealt evenly to " + ranks + " ranks");
        }
        int rows = SIZE / ranks; // of each rank
        DoubleBuffer matrix = MPI.newDoubleBuffer(rows * SIZE);
        DoubleBuffer transpose = MPI.newDoubleBuffer(rows * SIZE);
        for (int i = 0; i < rows * SIZE; i++) {
            matrix.put(i, 10 * (rank * rows + i / SIZE) + i % SIZE);
        }

        // What goes: a column of this rank's rows, and the next one begins one number further.
        Datatype tall = Datatype.createVector(rows, 1, SIZE, MPI.DOUBLE);
        Datatype column = Datatype.createResized(tall, 0, Double.BYTES);
        // What comes: a square of some columns of all of this rank's rows, and the next one begins to its right.
        Datatype square = Datatype.createVector(rows, rows, SIZE, MPI.DOUBLE);
        Datatype tile = Datatype.createResized(square, 0, rows * Double.BYTES);
        column.commit();
        tile.commit();
        MPI.COMM_WORLD.allToAll(matrix, rows, column, transpose, 1, tile);

        print("matrix", matrix, rows, rank);
        print("transpose", transpose, rows, rank);
        for (Datatype type : new Datatype[] {tile, square, column, tall}) {
            type.free();
        }
        MPI.Finalize();
    }

    private static void print(String name, DoubleBuffer mine, int rows, int rank) throws MPIException {
        DoubleBuffer all = MPI.newDoubleBuffer(SIZE * SIZE);
        MPI.COMM_WORLD.gather(mine, rows * SIZE, MPI.DOUBLE, all, rows * SIZE, MPI.DOUBLE, 0);
        if (rank != 0) {
            return;
        }
        System.out.println(name);
        for (int row = 0; row < SIZE; row++) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < SIZE; column++) {
                line.append(String.format("%4d", (long) all.get(row * SIZE + column)));
            }
            System.out.println(line);
        }
    }
}
