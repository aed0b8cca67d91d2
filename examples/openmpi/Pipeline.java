import java.nio.LongBuffer;
import mpi.MPI;
import mpi.MPIException;
import mpi.Prequest;

/**
 * A pipeline: each rank takes a block from the one before it, works on it, and hands it on. The messages are always the
 * same ones but for what is in them, so they are made once and started for each block.
 */
public class Pipeline {
    private static final int BLOCKS = 12;
    private static final int LENGTH = 1000;

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        int last = MPI.COMM_WORLD.getSize() - 1;
        int previous = rank == 0 ? MPI.PROC_NULL : rank - 1; // nothing comes from there
        int next = rank == last ? MPI.PROC_NULL : rank + 1;

        LongBuffer in = MPI.newLongBuffer(LENGTH);
        LongBuffer out = MPI.newLongBuffer(LENGTH);
        Prequest receive = MPI.COMM_WORLD.recvInit(in, LENGTH, MPI.LONG, previous, 0);
        Prequest send = MPI.COMM_WORLD.sendInit(out, LENGTH, MPI.LONG, next, 0);
        long[] sums = new long[BLOCKS];
        long[] block = new long[LENGTH];
        receive.start();
        for (int number = 0; number < BLOCKS; number++) {
            receive.waitFor();
            for (int i = 0; i < LENGTH; i++) {
                long value = rank == 0 ? (long) number * LENGTH + i : in.get(i);
                block[i] = work(value, rank);
            }
            if (number < BLOCKS - 1) {
                receive.start(); // the next block comes while this one goes
            }
            if (number > 0) {
                send.waitFor(); // until then its buffer may not be touched
            }
            for (int i = 0; i < LENGTH; i++) {
                out.put(i, block[i]);
                sums[number] += block[i];
            }
            send.start();
        }
        send.waitFor();
        receive.free();
        send.free();

        if (rank == last && last > 0) {
            MPI.COMM_WORLD.send(sums, BLOCKS, MPI.LONG, 0, 1);
        }
        if (rank == 0) {
            if (last > 0) {
                MPI.COMM_WORLD.recv(sums, BLOCKS, MPI.LONG, last, 1);
            }
            for (int number = 0; number < BLOCKS; number++) {
                System.out.println("block " + number + ": " + sums[number]);
            }
        }
        MPI.Finalize();
    }

    /** What a stage does to each number; each does something else. */
    private static long work(long value, int stage) {
        return stage % 2 == 0 ? value * (stage + 2) % 10_007 : value ^ stage;
    }
}
