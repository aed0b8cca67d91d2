package org.sluice.mpi.cases;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntBinaryOperator;
import org.sluice.mpi.cases.MpiUnderTest.Comm;
import org.sluice.mpi.cases.MpiUnderTest.Operation;
import org.sluice.mpi.cases.MpiUnderTest.Part;
import org.sluice.mpi.cases.MpiUnderTest.Type;

/** What computes with the values of all ranks. */
final class ReductionRules {
    private static final Map<String, IntBinaryOperator> OPS = new TreeMap<>();

    static {
        OPS.put("SUM", Integer::sum);
        OPS.put("PROD", (a, b) -> a * b);
        OPS.put("MAX", Math::max);
        OPS.put("MIN", Math::min);
        OPS.put("BAND", (a, b) -> a & b);
        OPS.put("BOR", (a, b) -> a | b);
        OPS.put("BXOR", (a, b) -> a ^ b);
    }

    private ReductionRules() {}

    static List<MpiCase> all() {
        List<MpiCase> cases = new ArrayList<>(builtIn());
        cases.addAll(SHAPES);
        cases.addAll(OF_PROGRAMS);
        return cases;
    }

    private static int value(int rank, int index) {
        return 13 + 5 * rank * (index + 1);
    }

    private static int reduced(IntBinaryOperator op, int index, int ranks) {
        int result = value(0, index);
        for (int rank = 1; rank < ranks; rank++) {
            result = op.applyAsInt(result, value(rank, index));
        }
        return result;
    }

    private static int[] own(int rank) {
        return new int[] {value(rank, 0), value(rank, 1), value(rank, 2)};
    }

    private static List<MpiCase> builtIn() {
        List<MpiCase> cases = new ArrayList<>();
        OPS.forEach((name, op) -> cases.add(MpiCase.of(
                "reduction of ints: " + name,
                (mpi, comm) -> {
                    int[] got = new int[3];
                    comm.allReduce(mpi.ints(own(comm.rank())), mpi.ints(got), mpi.op(name));
                    return got;
                },
                (rank, size) -> new int[] {reduced(op, 0, size), reduced(op, 1, size), reduced(op, 2, size)})));
        for (String name : List.of("BYTE", "SHORT", "LONG", "FLOAT", "DOUBLE")) {
            cases.add(MpiCase.of(
                    "sum and highest of: " + name,
                    (mpi, comm) -> {
                        Object in = array(name, comm.rank() + 1, 2);
                        Object sum = array(name, 0, 0);
                        Object most = array(name, 0, 0);
                        comm.allReduce(
                                mpi.part(in, 2, mpi.type(name)), mpi.part(sum, 2, mpi.type(name)), mpi.op("SUM"));
                        comm.allReduce(
                                mpi.part(in, 2, mpi.type(name)), mpi.part(most, 2, mpi.type(name)), mpi.op("MAX"));
                        return new Object[] {sum, most};
                    },
                    (rank, size) -> new Object[] {array(name, size * (size + 1) / 2, 2 * size), array(name, size, 2)}));
        }
        cases.addAll(logical());
        return cases;
    }

    private static List<MpiCase> logical() {
        List<MpiCase> cases = new ArrayList<>();
        cases.add(MpiCase.of(
                "truth values: and, or, either",
                (mpi, comm) -> {
                    boolean[] in = {comm.rank() == 1, true, comm.rank() < 2};
                    Object[] all = new Object[3];
                    String[] names = {"LAND", "LOR", "LXOR"};
                    for (int i = 0; i < 3; i++) {
                        all[i] = new boolean[3];
                        comm.allReduce(
                                mpi.part(in, 3, mpi.type("BOOLEAN")),
                                mpi.part(all[i], 3, mpi.type("BOOLEAN")),
                                mpi.op(names[i]));
                    }
                    return all;
                },
                (rank, size) -> new Object[] {
                    new boolean[] {false, true, size == 2},
                    new boolean[] {true, true, true},
                    new boolean[] {true, size % 2 == 1, false}
                }));
        for (String name : List.of("MINLOC", "MAXLOC")) {
            boolean isMost = name.equals("MAXLOC");
            cases.add(MpiCase.of(
                    "where the value is, the lowest index of equal ones: " + name,
                    (mpi, comm) -> {
                        int rank = comm.rank();
                        int[] in = {rank % 2, rank, 5 - rank, 10 + rank, 4, 20 + rank};
                        int[] got = new int[6];
                        comm.allReduce(
                                mpi.part(in, 3, mpi.type("INT2")), mpi.part(got, 3, mpi.type("INT2")), mpi.op(name));
                        return got;
                    },
                    (rank, size) ->
                            isMost ? new int[] {1, 1, 5, 10, 4, 20} : new int[] {0, 0, 6 - size, 9 + size, 4, 20}));
        }
        return cases;
    }

    private static Object array(String name, int first, int second) {
        switch (name) {
            case "BYTE":
                return new byte[] {(byte) first, (byte) second};
            case "SHORT":
                return new short[] {(short) first, (short) second};
            case "LONG":
                return new long[] {first, second};
            case "FLOAT":
                return new float[] {first, second};
            default:
                return new double[] {first, second};
        }
    }

    private static int[] sums(int ranks) {
        IntBinaryOperator sum = Integer::sum;
        return new int[] {reduced(sum, 0, ranks), reduced(sum, 1, ranks), reduced(sum, 2, ranks)};
    }

    private static final List<MpiCase> SHAPES = List.of(
            MpiCase.of(
                    "reduce at each root",
                    (mpi, comm) -> {
                        Object[] all = new Object[comm.size()];
                        for (int root = 0; root < comm.size(); root++) {
                            int[] got = new int[3];
                            comm.reduce(mpi.ints(own(comm.rank())), mpi.ints(got), mpi.op("SUM"), root);
                            all[root] = got;
                        }
                        return all[comm.rank()];
                    },
                    (rank, size) -> sums(size)),
            MpiCase.of(
                    "reduce in place",
                    (mpi, comm) -> {
                        int[] both = own(comm.rank());
                        comm.reduce(mpi.ints(both), mpi.ints(both), mpi.op("SUM"), 1);
                        return comm.rank() == 1 ? both : null;
                    },
                    (rank, size) -> rank == 1 ? sums(size) : null),
            MpiCase.of(
                    "all reduce in place",
                    (mpi, comm) -> {
                        int[] both = own(comm.rank());
                        comm.allReduce(mpi.ints(both), mpi.ints(both), mpi.op("SUM"));
                        return both;
                    },
                    (rank, size) -> sums(size)),
            MpiCase.of(
                    "scan",
                    (mpi, comm) -> {
                        int[] got = new int[3];
                        comm.scan(mpi.ints(own(comm.rank())), mpi.ints(got), mpi.op("SUM"));
                        return got;
                    },
                    (rank, size) -> sums(rank + 1)),
            MpiCase.of(
                    "scan in place",
                    (mpi, comm) -> {
                        int[] both = own(comm.rank());
                        comm.scan(mpi.ints(both), mpi.ints(both), mpi.op("MAX"));
                        return both;
                    },
                    (rank, size) -> own(rank)),
            MpiCase.of(
                    "reduce and scatter blocks of 1, 2 and so on",
                    (mpi, comm) -> {
                        int[] counts = new int[comm.size()];
                        Arrays.setAll(counts, i -> i + 1);
                        int[] in = new int[comm.size() * (comm.size() + 1) / 2];
                        Arrays.setAll(in, i -> i);
                        int[] got = new int[comm.rank() + 1];
                        comm.reduceScatter(mpi.ints(in), mpi.ints(got), counts, mpi.op("SUM"));
                        return got;
                    },
                    (rank, size) -> {
                        int[] got = new int[rank + 1];
                        Arrays.setAll(got, i -> size * (rank * (rank + 1) / 2 + i));
                        return got;
                    }),
            MpiCase.of(
                    "a sum of much",
                    (mpi, comm) -> {
                        double[] much = new double[20_000];
                        Arrays.fill(much, comm.rank());
                        double[] got = new double[20_000];
                        comm.allReduce(
                                mpi.part(much, much.length, mpi.type("DOUBLE")),
                                mpi.part(got, got.length, mpi.type("DOUBLE")),
                                mpi.op("SUM"));
                        return List.of(got[0], got[9_999], got[19_999]);
                    },
                    (rank, size) -> {
                        double sum = size * (size - 1) / 2.0;
                        return List.of(sum, sum, sum);
                    }));

    /** x to a x + b, two to an item: which comes first makes a difference. */
    private static void compose(Object lower, int lowerAt, Object higher, int higherAt, int items) {
        int[] first = (int[]) lower;
        int[] second = (int[]) higher;
        for (int i = 0; i < 2 * items; i += 2) {
            int factor = first[lowerAt + i] * second[higherAt + i];
            second[higherAt + i + 1] = first[lowerAt + i] * second[higherAt + i + 1] + first[lowerAt + i + 1];
            second[higherAt + i] = factor;
        }
    }

    private static int[] composed(int ranks) {
        int[] all = {2, ranks - 1};
        for (int rank = ranks - 2; rank >= 0; rank--) {
            compose(new int[] {2, rank}, 0, all, 0, 1);
        }
        return all;
    }

    /** How one of these is called. */
    @FunctionalInterface
    private interface Reducing {
        void with(Comm comm, Part from, Part to, Operation op) throws Exception;
    }

    private static MpiCase inOrder(String name, Reducing reducing, MpiCase.Expected expected) {
        return MpiCase.of(
                "in the order of ranks: " + name,
                (mpi, comm) -> {
                    Type two = mpi.contiguous(2, mpi.type("INT"));
                    Operation op = mpi.op(ReductionRules::compose, false);
                    int[] got = new int[2];
                    Part from = mpi.part(new int[] {2, comm.rank()}, 1, two);
                    reducing.with(comm, from, mpi.part(got, 1, two), op);
                    op.free();
                    return got;
                },
                expected);
    }

    private static final List<MpiCase> OF_PROGRAMS = List.of(
            inOrder("all reduce", Comm::allReduce, (rank, size) -> composed(size)),
            inOrder(
                    "reduce at the last",
                    (comm, from, to, op) -> comm.reduce(from, to, op, comm.size() - 1),
                    (rank, size) -> rank == size - 1 ? composed(size) : new int[2]),
            inOrder("scan", Comm::scan, (rank, size) -> composed(rank + 1)),
            MpiCase.of(
                    "an operation in any order",
                    (mpi, comm) -> {
                        Operation longest = mpi.op(
                                (lower, lowerAt, higher, higherAt, items) -> {
                                    double[] from = (double[]) lower;
                                    double[] to = (double[]) higher;
                                    for (int i = 0; i < items; i++) {
                                        to[higherAt + i] = Math.hypot(from[lowerAt + i], to[higherAt + i]);
                                    }
                                },
                                true);
                        double[] got = new double[2];
                        comm.allReduce(
                                mpi.part(
                                        new double[] {comm.rank() < 2 ? 3 + comm.rank() : 0, 0}, 2, mpi.type("DOUBLE")),
                                mpi.part(got, 2, mpi.type("DOUBLE")),
                                longest);
                        return got;
                    },
                    (rank, size) -> new double[] {5, 0}));
}
