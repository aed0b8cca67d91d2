import java.util.Arrays;
import java.util.Locale;
import org.sluice.device.Device;
import org.sluice.device.Request;

/** Heat spreads along a rod that is cut into one piece for each rank. */
public final class HaloExchange {
    private static final int CELLS = 240; // of the whole rod; the number of ranks has to divide it
    private static final int STEPS = 2_000;
    private static final int TO_THE_LEFT = 1;
    private static final int TO_THE_RIGHT = 2;
    private static final int RESULT = 3;

    public static void main(String[] args) {
        try (Device device = Device.open()) {
            int mine = CELLS / device.size();
            double[] rod = new double[mine + 2]; // with a ghost cell at each end
            if (device.rank() == 0) {
                rod[1] = 1000; // all heat is in the first cell
            }
            for (int step = 0; step < STEPS; step++) {
                exchange(device, rod, mine);
                rod = spread(rod, mine);
            }
            report(device, rod, mine);
        }
    }

    /** Each rank's outermost cells become its neighbours' ghost cells. */
    private static void exchange(Device device, double[] rod, int mine) {
        int left = device.rank() - 1;
        int right = device.rank() + 1;
        Request[] requests = new Request[4];
        int count = 0;
        if (left >= 0) {
            requests[count++] = device.irecv(rod, 0, 1, left, TO_THE_RIGHT, 0);
            requests[count++] = device.isend(rod, 1, 1, left, TO_THE_LEFT, 0);
        } else {
            rod[0] = rod[1]; // no heat leaves the rod at its end
        }
        if (right < device.size()) {
            requests[count++] = device.irecv(rod, mine + 1, 1, right, TO_THE_LEFT, 0);
            requests[count++] = device.isend(rod, mine, 1, right, TO_THE_RIGHT, 0);
        } else {
            rod[mine + 1] = rod[mine];
        }
        device.waitAll(Arrays.copyOf(requests, count));
    }

    private static double[] spread(double[] rod, int mine) {
        double[] next = new double[rod.length];
        for (int i = 1; i <= mine; i++) {
            next[i] = rod[i] + 0.4 * (rod[i - 1] - 2 * rod[i] + rod[i + 1]);
        }
        return next;
    }

    /** Rank 0 gets all pieces and prints every fortieth cell. */
    private static void report(Device device, double[] rod, int mine) {
        if (device.rank() != 0) {
            device.send(rod, 1, mine, 0, RESULT);
            return;
        }
        double[] whole = new double[mine * device.size()];
        System.arraycopy(rod, 1, whole, 0, mine);
        for (int rank = 1; rank < device.size(); rank++) {
            device.recv(whole, rank * mine, mine, rank, RESULT);
        }
        double sum = 0;
        for (double heat : whole) {
            sum += heat;
        }
        System.out.printf(Locale.ROOT, "heat in all: %.3f%n", sum);
        for (int i = 0; i < whole.length; i += 40) {
            System.out.printf(Locale.ROOT, "cell %3d: %.3f%n", i, whole[i]);
        }
    }
}
