import java.util.Arrays;
import java.util.Locale;
import org.sluice.device.Device;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.Data;
import org.sluice.mpi.MessageSpace;
import org.sluice.mpi.Reduction;

/** The temperature of a plate whose upper edge is hot, by Jacobi's iteration; each rank has a band of its rows. */
public final class Jacobi {
    private static final int SIZE = 64; // inner rows and columns of the plate
    private static final double HOT = 100;
    private static final double TOLERANCE = 0.01;
    private static final int UP = 1;
    private static final int DOWN = 2;

    private static final int WIDTH = SIZE + 2; // with the plate's edges

    public static void main(String[] args) {
        try (Device device = Device.open()) {
            Communicator world = Communicator.world(device);
            int[] rows = new int[world.size()]; // of each rank
            int[] first = new int[world.size()];
            for (int rank = 0; rank < rows.length; rank++) {
                first[rank] = SIZE * rank / rows.length;
                rows[rank] = SIZE * (rank + 1) / rows.length - first[rank];
            }
            solve(world, rows, first);
        }
    }

    private static void solve(Communicator world, int[] rows, int[] first) {
        int mine = rows[world.rank()];
        double[] plate = new double[(mine + 2) * WIDTH]; // with the neighbours' rows above and below
        if (first[world.rank()] == 0) {
            Arrays.fill(plate, 0, WIDTH, HOT);
        }
        double[] next = plate.clone();
        double[] norm = new double[1];
        int steps = 0;
        do {
            exchange(world, plate, mine);
            norm[0] = relax(plate, next, mine);
            world.allReduce(Data.IN_PLACE, norm, Reduction.SUM);
            double[] old = plate;
            plate = next;
            next = old;
            steps++;
        } while (Math.sqrt(norm[0]) > TOLERANCE);
        report(world, plate, rows, first, steps);
    }

    /** Each rank's outermost rows go to its neighbours; at the edges there is nobody. */
    private static void exchange(Communicator world, double[] plate, int mine) {
        int above = world.rank() == 0 ? MessageSpace.PROC_NULL : world.rank() - 1;
        int below = world.rank() == world.size() - 1 ? MessageSpace.PROC_NULL : world.rank() + 1;
        world.sendRecv(row(plate, 1), above, UP, row(plate, mine + 1), below, UP);
        world.sendRecv(row(plate, mine), below, DOWN, row(plate, 0), above, DOWN);
    }

    private static Data row(double[] plate, int row) {
        return Data.of(plate, row * WIDTH, WIDTH);
    }

    /** Each cell becomes the mean of its neighbours; what comes back is how much that was, squared and added up. */
    private static double relax(double[] plate, double[] next, int mine) {
        double sum = 0;
        for (int row = 1; row <= mine; row++) {
            for (int at = row * WIDTH + 1; at <= row * WIDTH + SIZE; at++) {
                next[at] = (plate[at - 1] + plate[at + 1] + plate[at - WIDTH] + plate[at + WIDTH]) / 4;
                sum += (next[at] - plate[at]) * (next[at] - plate[at]);
            }
        }
        return sum;
    }

    /** Rank 0 gets all bands and prints some cells of the column in the middle. */
    private static void report(Communicator world, double[] plate, int[] rows, int[] first, int steps) {
        int[] counts = new int[rows.length];
        int[] places = new int[rows.length];
        for (int rank = 0; rank < rows.length; rank++) {
            counts[rank] = rows[rank] * WIDTH;
            places[rank] = first[rank] * WIDTH;
        }
        boolean isRoot = world.rank() == 0;
        double[] whole = new double[isRoot ? SIZE * WIDTH : 0];
        Data band = Data.of(plate, WIDTH, counts[world.rank()]);
        world.gatherBlocks(band, isRoot ? Data.blocks(whole, counts, places) : null, 0);
        if (isRoot) {
            System.out.println(steps + " steps");
            for (int row = 0; row < SIZE; row += 16) {
                System.out.printf(Locale.ROOT, "row %2d: %.6f%n", row, whole[row * WIDTH + WIDTH / 2]);
            }
        }
    }
}
