package org.sluice.mpi.cases;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.sluice.mpi.cases.MpiUnderTest.Comm;
import org.sluice.mpi.cases.MpiUnderTest.Mode;
import org.sluice.mpi.cases.MpiUnderTest.Part;
import org.sluice.mpi.cases.MpiUnderTest.Pending;
import org.sluice.mpi.cases.MpiUnderTest.Type;

/** What programs do wrong: an exception of MPI says what was given, and what to give instead. */
final class MistakeRules {
    /** How their names begin. */
    static final String NAMES = "mistakes: ";

    private MistakeRules() {}

    static List<MpiCase> all() {
        List<MpiCase> cases = new ArrayList<>(BUFFERS);
        cases.addAll(RANKS_AND_TAGS);
        cases.addAll(WHAT_IS_GONE);
        cases.addAll(OF_ALL_RANKS);
        cases.addAll(OBJECTS);
        return cases;
    }

    /** What is wrong. */
    @FunctionalInterface
    private interface Wrong {
        void call(MpiUnderTest mpi, Comm comm) throws Exception;
    }

    /** True, or what is missing. */
    private static Object refused(MpiUnderTest mpi, Comm comm, String errorClass, Wrong wrong, String... words) {
        try {
            wrong.call(mpi, comm);
            return "nothing was thrown";
        } catch (Exception e) {
            String told = mpi.errorClass(e);
            boolean isRight = told == null || told.equals(errorClass);
            for (String word : words) {
                isRight &= String.valueOf(e.getMessage()).contains(word);
            }
            isRight &= e.getClass().getName().equals("mpi.MPIException");
            return isRight ? (Object) true : e + " of class " + told;
        }
    }

    private static MpiCase mistake(String name, String errorClass, Wrong wrong, String... words) {
        return MpiCase.of(
                NAMES + name, (mpi, comm) -> refused(mpi, comm, errorClass, wrong, words), (rank, size) -> true);
    }

    private static void send(MpiUnderTest mpi, Comm comm, Object buffer, int count, String type) throws Exception {
        comm.send(Mode.STANDARD, mpi.part(buffer, count, type == null ? null : mpi.type(type)), 0, 0);
    }

    private static final List<MpiCase> BUFFERS = List.of(
            mistake(
                    "boxed numbers",
                    "ERR_ARG",
                    (mpi, comm) -> send(mpi, comm, new Integer[2], 1, "INT"),
                    "Integer[]",
                    "int[]"),
            mistake(
                    "an array of rows",
                    "ERR_ARG",
                    (mpi, comm) -> send(mpi, comm, new double[2][2], 2, "DOUBLE"),
                    "double[][]",
                    "row"),
            mistake("no array", "ERR_ARG", (mpi, comm) -> send(mpi, comm, 5, 1, "INT"), "Integer", "int[]"),
            mistake("null", "ERR_BUFFER", (mpi, comm) -> send(mpi, comm, null, 1, "INT"), "buffer is null"),
            mistake(
                    "a count beyond the array",
                    "ERR_BUFFER",
                    (mpi, comm) -> send(mpi, comm, new int[2], 3, "INT"),
                    "3",
                    "2"),
            mistake(
                    "a receive beyond the array",
                    "ERR_BUFFER",
                    (mpi, comm) -> comm.startReceive(mpi.part(new int[2], 3, mpi.type("INT")), 0, 0),
                    "3",
                    "2"),
            mistake(
                    "a column beyond the array",
                    "ERR_BUFFER",
                    (mpi, comm) -> comm.send(
                            Mode.STANDARD, mpi.part(new int[8], 1, mpi.vector(3, 1, 4, mpi.type("INT"))), 0, 0),
                    "outside"),
            mistake("a negative count", "ERR_COUNT", (mpi, comm) -> send(mpi, comm, new int[2], -1, "INT"), "-1"),
            mistake(
                    "the type of another array",
                    "ERR_TYPE",
                    (mpi, comm) -> send(mpi, comm, new int[2], 1, "DOUBLE"),
                    "int[]",
                    "DOUBLE"),
            mistake("no type", "ERR_TYPE", (mpi, comm) -> send(mpi, comm, new int[2], 1, null), "null"),
            mistake(
                    "a receive that is too small",
                    "ERR_TRUNCATE",
                    (mpi, comm) -> {
                        Pending send = comm.start(Mode.STANDARD, mpi.ints(1, 2, 3), MessageRules.next(comm), 1);
                        try {
                            comm.receive(mpi.ints(0, 0), MessageRules.before(comm), 1);
                        } finally {
                            send.await();
                        }
                    },
                    "12",
                    "8"));

    private static final List<MpiCase> RANKS_AND_TAGS = List.of(
            mistake(
                    "a rank beyond the last",
                    "ERR_RANK",
                    (mpi, comm) -> comm.send(Mode.STANDARD, mpi.ints(1), comm.size(), 0),
                    "rank",
                    "out of range"),
            mistake(
                    "a negative rank",
                    "ERR_RANK",
                    (mpi, comm) -> comm.send(Mode.STANDARD, mpi.ints(1), -7, 0),
                    "rank -7",
                    "out of range"),
            mistake(
                    "a source beyond the last",
                    "ERR_RANK",
                    (mpi, comm) -> comm.receive(mpi.ints(1), 99, 0),
                    "rank 99",
                    "out of range"),
            mistake(
                    "a negative tag",
                    "ERR_TAG",
                    (mpi, comm) -> comm.send(Mode.STANDARD, mpi.ints(1), 0, -5),
                    "tag",
                    "-5",
                    "TAG_UB",
                    "2147483647"),
            mistake("a negative tag to receive", "ERR_TAG", (mpi, comm) -> comm.probeNow(0, -5), "tag", "-5", "TAG_UB"),
            mistake(
                    "a send to any rank",
                    "ERR_RANK",
                    (mpi, comm) -> comm.send(Mode.STANDARD, mpi.ints(1), MpiUnderTest.ANY, 0),
                    "MPI.ANY_SOURCE is for receives"),
            mistake(
                    "a send with any tag",
                    "ERR_TAG",
                    (mpi, comm) -> comm.send(Mode.STANDARD, mpi.ints(1), 0, MpiUnderTest.ANY),
                    "MPI.ANY_TAG is for receives"),
            mistake("a root beyond the last", "ERR_ROOT", (mpi, comm) -> comm.broadcast(mpi.ints(1), 99), "root", "99"),
            mistake(
                    "a rank that isn't in the group",
                    "ERR_RANK",
                    (mpi, comm) -> comm.group().including(99),
                    "99",
                    "group"));

    private static final List<MpiCase> WHAT_IS_GONE = List.of(
            mistake(
                    "a communicator that was freed",
                    "ERR_COMM",
                    (mpi, comm) -> {
                        Comm copy = comm.duplicate();
                        copy.free();
                        copy.barrier();
                    },
                    "freed"),
            mistake(
                    "a type that was freed",
                    "ERR_TYPE",
                    (mpi, comm) -> {
                        Type two = mpi.contiguous(2, mpi.type("INT"));
                        mpi.free(two);
                        comm.send(Mode.STANDARD, mpi.part(new int[2], 1, two), 0, 0);
                    },
                    "freed"),
            mistake(
                    "buffered without a buffer",
                    "ERR_BUFFER",
                    (mpi, comm) -> comm.send(Mode.BUFFERED, mpi.ints(1), 0, 0),
                    "no buffer is attached"),
            mistake(
                    "an operation that the type hasn't",
                    "ERR_OP",
                    (mpi, comm) -> comm.allReduce(
                            mpi.part(new double[1], 1, mpi.type("DOUBLE")),
                            mpi.part(new double[1], 1, mpi.type("DOUBLE")),
                            mpi.op("BAND")),
                    "BAND",
                    "DOUBLE"),
            mistake(
                    "a maximum and its place of what is no pair",
                    "ERR_ARG",
                    (mpi, comm) -> comm.allReduce(mpi.ints(1), mpi.ints(1), mpi.op("MAXLOC")),
                    "MAXLOC",
                    "pairs"));

    /** Whether any rank was told, and none waits for ever. */
    private static Object anyIsTold(MpiUnderTest mpi, Comm comm, Wrong wrong, String... words) throws Exception {
        Object found = refused(mpi, comm.duplicate(), "ERR_OTHER", wrong, words);
        int[] most = new int[1];
        comm.allReduce(mpi.ints(Boolean.TRUE.equals(found) ? 1 : 0), mpi.ints(most), mpi.op("MAX"));
        return most[0] > 0 ? (Object) true : found;
    }

    /** As programs have called it. */
    private static String name(MpiUnderTest mpi, String inMpijava, String inOpenMpi) {
        return " calls " + (mpi.isMpijava() ? inMpijava : inOpenMpi);
    }

    private static final List<MpiCase> OF_ALL_RANKS = List.of(
            MpiCase.of(
                    NAMES + "a gather to all that only some call",
                    (mpi, comm) -> anyIsTold(
                            mpi,
                            comm,
                            (any, broken) -> {
                                if (broken.rank() == 0) {
                                    Part all = any.part(new int[broken.size()], 1, any.type("INT"));
                                    broken.allGather(any.ints(1), all);
                                }
                                broken.barrier();
                            },
                            name(mpi, "Allgather", "allGather"),
                            name(mpi, "Barrier", "barrier")),
                    (rank, size) -> true),
            MpiCase.of(
                    NAMES + "a split that only some call",
                    (mpi, comm) -> anyIsTold(
                            mpi,
                            comm,
                            (any, broken) -> {
                                if (broken.rank() == 0) {
                                    broken.split(0, 0);
                                }
                                broken.barrier();
                            },
                            mpi.isMpijava() ? "(Split, " : "(split, ",
                            name(mpi, "Barrier", "barrier")),
                    (rank, size) -> true),
            MpiCase.of(
                    NAMES + "a root that ranks don't agree on",
                    (mpi, comm) -> anyIsTold(
                            mpi,
                            comm,
                            (any, broken) -> {
                                broken.broadcast(any.ints(1), broken.rank() == 0 ? 1 : 0);
                                broken.barrier();
                            },
                            name(mpi, "Bcast", "bcast")),
                    (rank, size) -> true),
            MpiCase.of(
                    NAMES + "a broadcast that only the root calls",
                    (mpi, comm) -> anyIsTold(
                            mpi,
                            comm,
                            (any, broken) -> {
                                if (broken.rank() == 0) {
                                    broken.broadcast(any.ints(1), 0);
                                }
                                broken.barrier();
                            },
                            name(mpi, "Bcast", "bcast")),
                    (rank, size) -> true));

    private static Part one(MpiUnderTest mpi, Object value) throws Exception {
        return mpi.part(new Object[] {value}, 1, mpi.type("OBJECT"));
    }

    private static final List<MpiCase> OBJECTS = List.of(
            MpiCase.ofMpijava(
                    NAMES + "an object that isn't serializable",
                    (mpi, comm) -> refused(
                            mpi,
                            comm,
                            null,
                            (any, own) -> own.send(Mode.STANDARD, one(any, new ThreadLocal<>()), 0, 0),
                            "java.lang.ThreadLocal",
                            "Serializable"),
                    (rank, size) -> true),
            MpiCase.ofMpijava(
                    NAMES + "an object of a class that the filter refuses",
                    (mpi, comm) -> refused(
                            mpi,
                            comm,
                            null,
                            (any, own) -> {
                                Pending send = own.start(Mode.STANDARD, one(any, new ReentrantLock()), own.rank(), 0);
                                try {
                                    own.receive(one(any, null), own.rank(), 0);
                                } finally {
                                    send.await();
                                }
                            },
                            "java.util.concurrent.locks.ReentrantLock",
                            "sluice.mpi.objects"),
                    (rank, size) -> true));
}
