package org.sluice.mpi.cases;

import java.util.Arrays;
import java.util.List;
import org.sluice.mpi.cases.MpiUnderTest.Comm;
import org.sluice.mpi.cases.MpiUnderTest.Got;
import org.sluice.mpi.cases.MpiUnderTest.Mode;
import org.sluice.mpi.cases.MpiUnderTest.Part;
import org.sluice.mpi.cases.MpiUnderTest.Pending;
import org.sluice.mpi.cases.MpiUnderTest.Type;

/** Datatypes that are made of others. */
final class TypeRules {
    private TypeRules() {}

    private static String measures(Type... types) throws Exception {
        StringBuilder all = new StringBuilder();
        for (Type each : types) {
            all.append(each.extent())
                    .append(' ')
                    .append(each.size())
                    .append(' ')
                    .append(each.lower());
            all.append("; ");
        }
        return all.toString();
    }

    private static int[] upTo(int count) {
        int[] values = new int[count];
        Arrays.setAll(values, i -> i);
        return values;
    }

    /** What comes of items of a type, and where those lie when as many elements come. */
    private static Object thereAndBack(MpiUnderTest mpi, Comm comm, Type type, int items) throws Exception {
        int elements = items * type.size();
        int[] plain = new int[elements];
        Pending send = comm.start(Mode.STANDARD, new Part(upTo(16), 0, items, type), MessageRules.next(comm), 1);
        Got got = comm.receive(mpi.ints(plain), MessageRules.before(comm), 1);
        send.await();
        int[] placed = new int[16];
        send = comm.start(Mode.STANDARD, mpi.ints(plain), MessageRules.next(comm), 2);
        Got back = comm.receive(new Part(placed, 0, items, type), MessageRules.before(comm), 2);
        send.await();
        return List.of(
                Arrays.toString(plain),
                Arrays.toString(placed),
                got.count(mpi.type("INT")),
                back.count(type),
                back.elements(type));
    }

    private static Object expected(int[] plain, int items) {
        int[] placed = new int[16];
        for (int at : plain) {
            placed[at] = at;
        }
        return List.of(Arrays.toString(plain), Arrays.toString(placed), plain.length, items, plain.length);
    }

    private static MpiCase type(String name, Made made, int items, int... plain) {
        return MpiCase.of(
                "a type there and back: " + name,
                (mpi, comm) -> thereAndBack(mpi, comm, made.by(mpi), items),
                (rank, size) -> expected(plain, items));
    }

    /** A type. */
    @FunctionalInterface
    private interface Made {
        Type by(MpiUnderTest mpi) throws Exception;
    }

    private static final List<MpiCase> ALL = List.of(
            MpiCase.of(
                    "extents, sizes and lower bounds",
                    (mpi, comm) -> {
                        Type one = mpi.type("INT");
                        return measures(
                                one,
                                mpi.contiguous(3, one),
                                mpi.vector(3, 2, 4, one),
                                mpi.elementVector(2, 1, 5, mpi.contiguous(2, one)),
                                mpi.indexed(new int[] {1, 2}, new int[] {5, 1}, one),
                                mpi.elementIndexed(new int[] {1, 1}, new int[] {0, 3}, mpi.contiguous(2, one)));
                    },
                    (rank, size) -> "1 1 0; 3 3 0; 10 6 0; 7 4 0; 5 3 1; 5 4 0; "),
            type("contiguous", mpi -> mpi.contiguous(3, mpi.type("INT")), 2, 0, 1, 2, 3, 4, 5),
            type("a column", mpi -> mpi.vector(3, 1, 4, mpi.type("INT")), 1, 0, 4, 8),
            type("blocks in a row", mpi -> mpi.vector(2, 2, 3, mpi.type("INT")), 2, 0, 1, 3, 4, 5, 6, 8, 9),
            type(
                    "a stride in elements",
                    mpi -> mpi.elementVector(2, 1, 5, mpi.contiguous(2, mpi.type("INT"))),
                    1,
                    0,
                    1,
                    5,
                    6),
            type("indexed", mpi -> mpi.indexed(new int[] {1, 2}, new int[] {5, 1}, mpi.type("INT")), 1, 5, 1, 2),
            type(
                    "indexed by elements",
                    mpi -> mpi.elementIndexed(new int[] {1, 1}, new int[] {0, 3}, mpi.contiguous(2, mpi.type("INT"))),
                    2,
                    0,
                    1,
                    3,
                    4,
                    5,
                    6,
                    8,
                    9),
            MpiCase.ofMpijava(
                    "a type there and back: a struct",
                    (mpi, comm) -> {
                        Type two = mpi.contiguous(2, mpi.type("INT"));
                        Type made = mpi.struct(new int[] {2, 1}, new int[] {0, 4}, mpi.type("INT"), two);
                        return thereAndBack(mpi, comm, made, 1);
                    },
                    (rank, size) -> expected(new int[] {0, 1, 4, 5}, 1)),
            type(
                    "a vector of vectors",
                    mpi -> mpi.elementVector(2, 1, 8, mpi.vector(2, 1, 3, mpi.type("INT"))),
                    1,
                    0,
                    3,
                    8,
                    11),
            MpiCase.of(
                    "what was made of a type stays when that is freed",
                    (mpi, comm) -> {
                        Type inner = mpi.contiguous(2, mpi.type("INT"));
                        Type outer = mpi.vector(2, 1, 2, inner);
                        mpi.free(inner);
                        return thereAndBack(mpi, comm, outer, 1);
                    },
                    (rank, size) -> expected(new int[] {0, 1, 4, 5}, 1)),
            MpiCase.of(
                    "packed and unpacked",
                    (mpi, comm) -> {
                        Object packed = mpi.packBuffer(200);
                        int at = comm.pack(mpi.ints(comm.rank(), 2), packed, 0);
                        at = comm.pack(mpi.part(new double[] {1.5}, 1, mpi.type("DOUBLE")), packed, at);
                        at = comm.pack(new Part(upTo(9), 0, 1, mpi.vector(3, 1, 4, mpi.type("INT"))), packed, at);
                        Pending send = comm.start(
                                Mode.STANDARD, mpi.part(packed, at, mpi.type("PACKED")), MessageRules.next(comm), 1);
                        Object came = mpi.packBuffer(200);
                        comm.receive(mpi.part(came, 200, mpi.type("PACKED")), MessageRules.before(comm), 1);
                        send.await();
                        int[] two = new int[2];
                        double[] real = new double[1];
                        int[] column = new int[3];
                        int from = comm.unpack(came, 0, mpi.ints(two));
                        from = comm.unpack(came, from, mpi.part(real, 1, mpi.type("DOUBLE")));
                        comm.unpack(came, from, mpi.ints(column));
                        return List.of(Arrays.toString(two), real[0], Arrays.toString(column));
                    },
                    (rank, size) -> List.of("[" + MessageRules.before(rank, size) + ", 2]", 1.5, "[0, 4, 8]")));

    static List<MpiCase> all() {
        return ALL;
    }
}
