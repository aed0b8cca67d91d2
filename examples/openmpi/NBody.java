import java.util.Locale;
import mpi.MPI;
import mpi.MPIException;

/**
 * Bodies that attract each other. Each rank moves some of them, not all ranks as many, and needs where all are: after
 * each step everybody gets everybody's.
 */
public class NBody {
    private static final int BODIES = 10;
    private static final int STEPS = 1000;
    private static final double STEP = 0.01;
    private static final double SOFTENING = 0.05; // squared; bodies that meet are not thrown out

    private static final double[] places = new double[3 * BODIES]; // x, y, z of one after the other
    private static final double[] speeds = new double[3 * BODIES];

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        int ranks = MPI.COMM_WORLD.getSize();
        int[] counts = new int[ranks]; // numbers of each rank in places
        int[] starts = new int[ranks];
        for (int i = 0; i < ranks; i++) {
            starts[i] = 3 * (BODIES * i / ranks);
            counts[i] = 3 * (BODIES * (i + 1) / ranks) - starts[i];
        }
        int first = starts[rank] / 3;
        int end = first + counts[rank] / 3;

        begin();
        double before = energy(first, end);
        for (int step = 0; step < STEPS; step++) {
            accelerate(first, end);
            for (int i = 3 * first; i < 3 * end; i++) {
                places[i] += STEP * speeds[i];
            }
            // In place: what is this rank's lies in the array already.
            MPI.COMM_WORLD.allGatherv(places, counts, starts, MPI.DOUBLE);
        }
        double after = energy(first, end);

        if (rank == 0) {
            for (int body = 0; body < BODIES; body++) {
                System.out.printf(
                        Locale.ROOT,
                        "body %d is at %7.3f %7.3f %7.3f%n",
                        body,
                        places[3 * body],
                        places[3 * body + 1],
                        places[3 * body + 2]);
            }
            System.out.printf(Locale.ROOT, "energy %.2f, then %.2f%n", before, after);
        }
        MPI.Finalize();
    }

    /** On a spiral, at rest. */
    private static void begin() {
        for (int body = 0; body < BODIES; body++) {
            places[3 * body] = body % 2 == 0 ? body : -body;
            places[3 * body + 1] = body % 4 < 2 ? body : -body;
            places[3 * body + 2] = body / 2.0;
        }
    }

    /** Those of this rank, by all. */
    private static void accelerate(int first, int end) {
        for (int body = first; body < end; body++) {
            for (int other = 0; other < BODIES; other++) {
                double squared = squaredDistance(body, other);
                double strength = STEP / (squared * Math.sqrt(squared));
                for (int axis = 0; axis < 3; axis++) {
                    speeds[3 * body + axis] += strength * (places[3 * other + axis] - places[3 * body + axis]);
                }
            }
        }
    }

    /** Of all bodies; each rank adds up its own. */
    private static double energy(int first, int end) throws MPIException {
        double[] sum = new double[1];
        for (int body = first; body < end; body++) {
            for (int axis = 0; axis < 3; axis++) {
                sum[0] += speeds[3 * body + axis] * speeds[3 * body + axis] / 2;
            }
            for (int other = 0; other < body; other++) {
                sum[0] -= 1 / Math.sqrt(squaredDistance(body, other));
            }
        }
        MPI.COMM_WORLD.allReduce(sum, 1, MPI.DOUBLE, MPI.SUM);
        return sum[0];
    }

    private static double squaredDistance(int body, int other) {
        double sum = SOFTENING;
        for (int axis = 0; axis < 3; axis++) {
            double distance = places[3 * other + axis] - places[3 * body + axis];
            sum += distance * distance;
        }
        return sum;
    }
}
