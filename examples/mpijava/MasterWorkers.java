import java.util.Arrays;
import mpi.MPI;
import mpi.Status;

/**
 * Rank 0 hands out pieces of work, one at a time, to whoever is free. A result's length isn't known beforehand: a probe
 * tells it, and whose it is.
 */
public class MasterWorkers {
    private static final int PIECES = 12;
    private static final int LENGTH = 500; // numbers that a piece is about
    private static final int STOP = PIECES; // a tag behind those of the pieces

    public static void main(String[] args) {
        MPI.Init(args);
        if (MPI.COMM_WORLD.Size() < 2) {
            throw new IllegalArgumentException("one rank has nobody to work for it; start at least 2");
        }
        if (MPI.COMM_WORLD.Rank() == 0) {
            master();
        } else {
            worker();
        }
        MPI.Finalize();
    }

    private static void master() {
        int workers = MPI.COMM_WORLD.Size() - 1;
        int given = 0;
        for (int worker = 1; worker <= workers; worker++) {
            give(given++, worker);
        }
        int[][] results = new int[PIECES][];
        for (int come = 0; come < PIECES; come++) {
            Status status = MPI.COMM_WORLD.Probe(MPI.ANY_SOURCE, MPI.ANY_TAG);
            int[] result = new int[status.Get_count(MPI.INT)];
            MPI.COMM_WORLD.Recv(result, 0, result.length, MPI.INT, status.source, status.tag);
            results[status.tag] = result;
            give(given++, status.source);
        }
        int sum = 0;
        for (int piece = 0; piece < PIECES; piece++) {
            int[] twins = results[piece];
            System.out.println("from " + piece * LENGTH + ": " + twins.length + " pairs of twin primes, the last is "
                    + twins[twins.length - 1] + " and " + (twins[twins.length - 1] + 2));
            sum += twins.length;
        }
        System.out.println(sum + " below " + PIECES * LENGTH);
    }

    /** The piece's number is the tag. When all are given, the worker hears that there is no more. */
    private static void give(int piece, int worker) {
        int[] first = {piece * LENGTH};
        MPI.COMM_WORLD.Send(first, 0, 1, MPI.INT, worker, Math.min(piece, STOP));
    }

    private static void worker() {
        int[] first = new int[1];
        while (true) {
            Status status = MPI.COMM_WORLD.Recv(first, 0, 1, MPI.INT, 0, MPI.ANY_TAG);
            if (status.tag == STOP) {
                return;
            }
            int[] twins = twinsFrom(first[0]);
            MPI.COMM_WORLD.Send(twins, 0, twins.length, MPI.INT, 0, status.tag);
        }
    }

    /** The smaller primes of all pairs that begin in a piece. */
    private static int[] twinsFrom(int first) {
        int[] found = new int[LENGTH];
        int count = 0;
        for (int number = first; number < first + LENGTH; number++) {
            if (isPrime(number) && isPrime(number + 2)) {
                found[count++] = number;
            }
        }
        return Arrays.copyOf(found, count);
    }

    private static boolean isPrime(int number) {
        for (int divisor = 2; divisor * divisor <= number; divisor++) {
            if (number % divisor == 0) {
                return false;
            }
        }
        return number > 1;
    }
}
