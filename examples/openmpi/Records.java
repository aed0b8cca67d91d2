import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import mpi.Datatype;
import mpi.File;
import mpi.MPI;
import mpi.MPIException;
import mpi.Status;

/**
 * All ranks write into one file: its records are dealt to them like cards, and each sees its own ones only. Then they
 * read it in another way, each a piece that lies together.
 */
public class Records {
    private static final int RECORDS = 24;
    private static final int LENGTH = 5; // ints of a record
    private static final int LONGEST_NAME = 4096;

    public static void main(String[] args) throws MPIException, IOException {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        int ranks = MPI.COMM_WORLD.getSize();
        if (RECORDS % ranks != 0) {
            throw new IllegalArgumentException(RECORDS + " records can't be dealt evenly to " + ranks + " ranks");
        }
        String name = agreeOnFile(rank);
        File file = new File(MPI.COMM_WORLD, name, MPI.MODE_CREATE | MPI.MODE_RDWR);
        write(file, rank, ranks);
        file.sync();
        long size = file.getSize();
        int[] sums = sums(file, rank, ranks);
        file.close();
        if (rank == 0) {
            System.out.println("the file has " + size + " bytes");
            for (int i = 0; i < RECORDS; i += 5) {
                System.out.println("record " + i + " adds up to " + sums[i]);
            }
            File.delete(name);
        }
        MPI.Finalize();
    }

    /** Rank 0 makes an empty file, and tells the others its name. */
    private static String agreeOnFile(int rank) throws MPIException, IOException {
        byte[] name = new byte[LONGEST_NAME];
        if (rank == 0) {
            Path made = Files.createTempFile("records", ".bin");
            byte[] bytes = made.toString().getBytes(StandardCharsets.UTF_8);
            System.arraycopy(bytes, 0, name, 0, bytes.length);
        }
        MPI.COMM_WORLD.bcast(name, name.length, MPI.BYTE, 0);
        return new String(name, StandardCharsets.UTF_8).trim(); // zeros go with the blanks
    }

    /** The view shows one record of each round, this rank's; what a rank writes at once goes to several places. */
    private static void write(File file, int rank, int ranks) throws MPIException {
        int bytes = LENGTH * Integer.BYTES;
        Datatype record = Datatype.createContiguous(LENGTH, MPI.INT);
        Datatype ofEachRound = Datatype.createResized(record, 0, ranks * bytes);
        ofEachRound.commit();
        file.setView((long) rank * bytes, MPI.INT, ofEachRound, "native");
        int[] mine = new int[RECORDS / ranks * LENGTH];
        for (int i = 0; i < mine.length; i++) {
            int number = i / LENGTH * ranks + rank; // of the record
            mine[i] = 1000 * number + i % LENGTH;
        }
        Status status = file.writeAll(mine, mine.length, MPI.INT);
        if (status.getCount(MPI.INT) != mine.length) {
            throw new IllegalStateException("written: " + status.getCount(MPI.INT) + " of " + mine.length + " ints");
        }
        ofEachRound.free();
        record.free();
    }

    /** Each rank reads a piece of the file as it is, and adds up what is in its records; rank 0 gets all sums. */
    private static int[] sums(File file, int rank, int ranks) throws MPIException {
        file.setView(0, MPI.INT, MPI.INT, "native");
        int count = RECORDS / ranks;
        int[] piece = new int[count * LENGTH];
        file.readAtAll((long) rank * piece.length, piece, piece.length, MPI.INT); // in ints, as the view has it
        int[] mine = new int[count];
        for (int i = 0; i < piece.length; i++) {
            mine[i / LENGTH] += piece[i];
        }
        int[] sums = new int[RECORDS];
        MPI.COMM_WORLD.gather(mine, count, MPI.INT, sums, count, MPI.INT, 0);
        return sums;
    }
}
