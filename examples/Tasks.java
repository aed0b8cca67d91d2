import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.sluice.device.Device;
import org.sluice.device.Request;
import org.sluice.mpi.CartesianCommunicator;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.Data;
import org.sluice.mpi.PersistentRequest;
import org.sluice.mpi.Reduction;

/** What programs do with communicators, a method for each; any number of ranks. */
public final class Tasks {
    /** Objects are sent by Java's serialization. */
    private record Station(String name, double value) implements Serializable {}

    public static void main(String[] args) {
        try (Device device = Device.open()) {
            Communicator world = Communicator.world(device);
            CartesianCommunicator grid = grid(world);
            rowsAndColumns(grid);
            halo(grid);
            overlap(world);
            steps(world);
            largest(world);
            objects(world);
            errors(world);
            grid.free();
        }
    }

    private static void say(Communicator communicator, String line) {
        if (communicator.rank() == 0) {
            System.out.println(line);
        }
    }

    private static CartesianCommunicator grid(Communicator world) {
        int[] dims = CartesianCommunicator.balancedDims(world.size(), 0, 0);
        boolean[] periodic = {true, true};
        CartesianCommunicator grid = world.createCartesian(dims, periodic, true);
        say(world, "a grid of " + dims[0] + " by " + dims[1]);
        return grid;
    }

    private static void rowsAndColumns(CartesianCommunicator grid) {
        Communicator row = grid.sub(false, true); // the ranks with this rank's first coordinate
        Communicator column = grid.sub(true, false);
        long[] inRow = new long[1];
        long[] inColumn = new long[1];
        row.allReduce(new long[] {grid.rank()}, inRow, Reduction.SUM);
        column.allReduce(new long[] {grid.rank()}, inColumn, Reduction.SUM);
        say(grid, "the first row has " + inRow[0] + ", the first column " + inColumn[0]);
        column.free();
        row.free();
    }

    private static void halo(CartesianCommunicator grid) {
        int edge = 3;
        double[] out = new double[4 * edge]; // up, down, left, right, as the grid has its neighbours
        double[] in = new double[4 * edge];
        Arrays.fill(out, grid.rank());
        grid.neighbourAllToAll(out, in);
        int above = grid.shift(0, 1).source();
        if (in[0] != above) {
            throw new IllegalStateException("from above came " + in[0] + ", and there is rank " + above);
        }
        say(grid, "all have their neighbours' edges");
    }

    private static void overlap(Communicator world) {
        double[] own = {1.5};
        double[] all = new double[1];
        Request sum = world.iallReduce(own, all, Reduction.SUM);
        double other = 0;
        for (int i = 1; i < 1_000; i++) { // neither reads the buffers nor writes to them
            other += 1.0 / i;
        }
        sum.waitFor();
        say(world, "the sum is " + all[0] + (other > 7 ? ", and the rest is computed" : ""));
    }

    private static void steps(Communicator world) {
        long[] count = new long[1];
        PersistentRequest sum = world.allReduceInit(Data.IN_PLACE, count, Reduction.SUM);
        for (int step = 0; step < 3; step++) {
            count[0] = step;
            sum.start();
            sum.waitFor();
        }
        say(world, "the last step's sum is " + count[0]);
    }

    private static void largest(Communicator world) {
        double[] own = {Math.abs(world.rank() - 1.25), world.rank()}; // a value, and where it is
        double[] all = new double[2];
        world.allReduce(own, all, Reduction.MIN_LOCATION);
        say(world, "the smallest is " + all[0] + ", at rank " + (int) all[1]);
    }

    private static void objects(Communicator world) {
        List<Object> stations = world.objects().allGather(new Station("north " + world.rank(), 1.5));
        say(world, "the last station is " + ((Station) stations.get(world.size() - 1)).name());
    }

    private static void errors(Communicator world) {
        Communicator careful = world.duplicate();
        RuntimeException[] failed = new RuntimeException[1];
        careful.setErrorHandler((communicator, error) -> failed[0] = error);
        careful.allReduce(new int[1], new int[1], Reduction.SUM);
        say(world, failed[0] == null ? "nothing has failed" : "it failed: " + failed[0].getMessage());
        careful.free();
    }
}
