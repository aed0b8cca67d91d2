import java.io.Serializable;
import java.util.Locale;
import java.util.Random;
import mpi.Datatype;
import mpi.MPI;
import mpi.Op;
import mpi.User_function;

/**
 * Pi from random points in a square: how many of them are in the circle. An operation of the program's own puts
 * together what the ranks have seen.
 */
public class MonteCarlo {
    private static final int BATCHES = 40;
    private static final int POINTS = 25_000; // of a batch
    private static final int RADIUS = 1 << 20;

    /** What a rank has seen so far. */
    static final class Tally implements Serializable {
        private static final long serialVersionUID = 1;

        final long points;
        final long inside;
        final long fewest; // inside in a batch
        final long most;

        Tally(long points, long inside, long fewest, long most) {
            this.points = points;
            this.inside = inside;
            this.fewest = fewest;
            this.most = most;
        }

        Tally with(Tally other) {
            return new Tally(
                    points + other.points,
                    inside + other.inside,
                    Math.min(fewest, other.fewest),
                    Math.max(most, other.most));
        }
    }

    /** Puts tallies together. */
    static final class Together extends User_function {
        @Override
        public void Call(Object in, int inOffset, Object inOut, int inOutOffset, int count, Datatype type) {
            Object[] from = (Object[]) in;
            Object[] to = (Object[]) inOut;
            for (int i = 0; i < count; i++) {
                to[inOutOffset + i] = ((Tally) from[inOffset + i]).with((Tally) to[inOutOffset + i]);
            }
        }
    }

    public static void main(String[] args) {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.Rank();
        Tally[] mine = {new Tally(0, 0, Long.MAX_VALUE, 0)};
        for (int number = rank; number < BATCHES; number += MPI.COMM_WORLD.Size()) {
            mine[0] = mine[0].with(batch(number));
        }
        Tally[] all = new Tally[1];
        Op together = new Op(new Together(), true);
        MPI.COMM_WORLD.Reduce(mine, 0, all, 0, 1, MPI.OBJECT, together, 0);
        if (rank == 0) {
            System.out.println(all[0].inside + " of " + all[0].points + " points are in the circle");
            print("pi is about", all[0].inside, all[0].points);
            print("the lowest of a batch:", all[0].fewest, POINTS);
            print("the highest:", all[0].most, POINTS);
        }
        MPI.Finalize();
    }

    /** Has the same points whichever rank draws them. */
    private static Tally batch(int number) {
        Random random = new Random(number);
        long inside = 0;
        for (int i = 0; i < POINTS; i++) {
            long x = random.nextInt(RADIUS);
            long y = random.nextInt(RADIUS);
            if (x * x + y * y < (long) RADIUS * RADIUS) {
                inside++;
            }
        }
        return new Tally(POINTS, inside, inside, inside);
    }

    private static void print(String what, long inside, long points) {
        System.out.println(what + String.format(Locale.ROOT, " %.4f", 4.0 * inside / points));
    }
}
