package org.sluice.mpi.cases;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.sluice.mpi.cases.MpiUnderTest.Part;
import org.sluice.mpi.cases.MpiUnderTest.Type;

/** What moves blocks between all ranks. */
final class CollectiveRules {
    private CollectiveRules() {}

    static List<MpiCase> all() {
        List<MpiCase> cases = new ArrayList<>(OF_ONE_SIZE);
        cases.addAll(OF_ANY_SIZE);
        cases.addAll(IN_PLACE);
        return cases;
    }

    private static int[] filled(int count, java.util.function.IntUnaryOperator value) {
        int[] values = new int[count];
        Arrays.setAll(values, value);
        return values;
    }

    private static final List<MpiCase> OF_ONE_SIZE = List.of(
            MpiCase.of(
                    "broadcast from each root",
                    (mpi, comm) -> {
                        int[] told = new int[comm.size()];
                        for (int root = 0; root < comm.size(); root++) {
                            told[root] = comm.rank() == root ? 5 + root : 0;
                            comm.broadcast(new Part(told, root, 1, mpi.type("INT")), root);
                        }
                        return told;
                    },
                    (rank, size) -> filled(size, root -> 5 + root)),
            MpiCase.of(
                    "broadcast of each type",
                    (mpi, comm) -> {
                        boolean isRoot = comm.rank() == 1;
                        Object[] all = {
                            new byte[] {(byte) (isRoot ? 1 : 0)}, new char[] {isRoot ? 'a' : 'b'},
                            new short[] {(short) (isRoot ? 2 : 0)}, new long[] {isRoot ? 3 : 0},
                            new float[] {isRoot ? 4 : 0}, new double[] {isRoot ? 5 : 0},
                            new boolean[] {isRoot}
                        };
                        String[] names = {"BYTE", "CHAR", "SHORT", "LONG", "FLOAT", "DOUBLE", "BOOLEAN"};
                        for (int i = 0; i < all.length; i++) {
                            comm.broadcast(mpi.part(all[i], 1, mpi.type(names[i])), 1);
                        }
                        return all;
                    },
                    (rank, size) -> new Object[] {
                        new byte[] {1},
                        new char[] {'a'},
                        new short[] {2},
                        new long[] {3},
                        new float[] {4},
                        new double[] {5},
                        new boolean[] {true}
                    }),
            MpiCase.of(
                    "broadcast of a column",
                    (mpi, comm) -> {
                        boolean isRoot = comm.rank() == 0;
                        int[] matrix = filled(12, i -> isRoot ? i : -1);
                        comm.broadcast(new Part(matrix, 1, 1, mpi.vector(3, 1, 4, mpi.type("INT"))), 0);
                        return List.of(matrix[0], matrix[1], matrix[5], matrix[9]);
                    },
                    (rank, size) -> List.of(rank == 0 ? 0 : -1, 1, 5, 9)),
            MpiCase.of(
                    "broadcast of much",
                    (mpi, comm) -> {
                        double[] much = new double[50_000];
                        Arrays.fill(much, comm.rank() == 0 ? 1 : 0);
                        comm.broadcast(mpi.part(much, much.length, mpi.type("DOUBLE")), 0);
                        return Arrays.stream(much).sum();
                    },
                    (rank, size) -> 50_000.0),
            MpiCase.of(
                    "gather at each root",
                    (mpi, comm) -> {
                        List<String> all = new ArrayList<>();
                        for (int root = 0; root < comm.size(); root++) {
                            int[] got = new int[2 * comm.size()];
                            Part from = mpi.ints(comm.rank(), 10 + comm.rank());
                            comm.gather(from, mpi.part(got, 2, mpi.type("INT")), root);
                            all.add(Arrays.toString(got));
                        }
                        return all.get(comm.rank());
                    },
                    (rank, size) -> Arrays.toString(filled(2 * size, i -> i / 2 + i % 2 * 10))),
            MpiCase.of(
                    "scatter from each root",
                    (mpi, comm) -> {
                        int[] got = new int[comm.size()];
                        for (int root = 0; root < comm.size(); root++) {
                            int by = root;
                            int[] all = filled(comm.size(), i -> 10 * by + i);
                            comm.scatter(
                                    mpi.part(all, 1, mpi.type("INT")), new Part(got, root, 1, mpi.type("INT")), root);
                        }
                        return got;
                    },
                    (rank, size) -> filled(size, root -> 10 * root + rank)),
            MpiCase.of(
                    "all gather",
                    (mpi, comm) -> {
                        int[] got = new int[2 * comm.size() + 1];
                        comm.allGather(mpi.ints(comm.rank(), -1), new Part(got, 1, 2, mpi.type("INT")));
                        return got;
                    },
                    (rank, size) -> filled(2 * size + 1, i -> i == 0 ? 0 : i % 2 == 0 ? -1 : i / 2)),
            MpiCase.of(
                    "all to all",
                    (mpi, comm) -> {
                        int[] out = filled(2 * comm.size(), i -> 0);
                        for (int i = 0; i < out.length; i++) {
                            out[i] = 100 * comm.rank() + i;
                        }
                        int[] got = new int[2 * comm.size()];
                        comm.allToAll(mpi.part(out, 2, mpi.type("INT")), mpi.part(got, 2, mpi.type("INT")));
                        return got;
                    },
                    (rank, size) -> filled(2 * size, i -> 100 * (i / 2) + 2 * rank + i % 2)),
            MpiCase.of(
                    "a matrix is turned by columns",
                    (mpi, comm) -> {
                        int size = comm.size();
                        int rank = comm.rank();
                        Type column = mpi.vector(size, 1, size, mpi.type("INT"));
                        int[] matrix = new int[size * size];
                        comm.gather(
                                mpi.ints(filled(size, i -> 10 * rank + i)), mpi.part(matrix, size, mpi.type("INT")), 0);
                        int[] got = new int[size];
                        for (int to = size - 1; to >= 0; to--) {
                            if (rank == 0 && to > 0) {
                                comm.send(MpiUnderTest.Mode.STANDARD, new Part(matrix, to, 1, column), to, 3);
                            } else if (rank == to && to > 0) {
                                comm.receive(mpi.ints(got), 0, 3);
                            } else if (rank == 0) {
                                comm.exchange(new Part(matrix, 0, 1, column), 0, 4, mpi.ints(got), 0, 4);
                            }
                        }
                        return got;
                    },
                    (rank, size) -> filled(size, i -> 10 * i + rank)),
            MpiCase.of(
                    "nobody leaves a barrier before all have come",
                    (mpi, comm) -> {
                        int[] in = new int[1];
                        MpiUnderTest.Pending got = null;
                        if (comm.rank() == 0) {
                            got = comm.startReceive(mpi.ints(in), 1, 0);
                        }
                        if (comm.rank() == 1) {
                            comm.send(MpiUnderTest.Mode.SYNCHRONOUS, mpi.ints(4), 0, 0);
                        }
                        comm.barrier();
                        return got == null ? 4 : got.await().count(mpi.type("INT")) + in[0] - 1;
                    },
                    (rank, size) -> 4));

    /** Blocks of 1, 2 and so on, the last rank's first, with a gap of one behind each. */
    private static int[] counts(int size) {
        return filled(size, i -> i + 1);
    }

    private static int[] places(int size) {
        int[] places = new int[size];
        for (int i = size - 2; i >= 0; i--) {
            places[i] = places[i + 1] + i + 3;
        }
        return places;
    }

    private static int[] blocks(int size) {
        int[] all = filled(places(size)[0] + 2, i -> -1);
        for (int rank = 0; rank < size; rank++) {
            Arrays.fill(all, places(size)[rank], places(size)[rank] + rank + 1, 7 * rank);
        }
        return all;
    }

    private static int[] own(int rank) {
        return filled(rank + 1, i -> 7 * rank);
    }

    private static final List<MpiCase> OF_ANY_SIZE = List.of(
            MpiCase.of(
                    "gather of blocks with gaps",
                    (mpi, comm) -> {
                        int size = comm.size();
                        int[] got = filled(blocks(size).length, i -> -1);
                        int root = size - 1;
                        comm.gather(mpi.ints(own(comm.rank())), mpi.ints(got), counts(size), places(size), root);
                        return got;
                    },
                    (rank, size) -> rank == size - 1 ? blocks(size) : filled(blocks(size).length, i -> -1)),
            MpiCase.of(
                    "scatter of blocks with gaps",
                    (mpi, comm) -> {
                        int size = comm.size();
                        int[] got = new int[comm.rank() + 1];
                        comm.scatter(mpi.ints(blocks(size)), counts(size), places(size), mpi.ints(got), 1);
                        return got;
                    },
                    (rank, size) -> own(rank)),
            MpiCase.of(
                    "all gather of blocks with gaps",
                    (mpi, comm) -> {
                        int size = comm.size();
                        int[] got = filled(blocks(size).length, i -> -1);
                        comm.allGather(mpi.ints(own(comm.rank())), mpi.ints(got), counts(size), places(size));
                        return got;
                    },
                    (rank, size) -> blocks(size)),
            MpiCase.of(
                    "all to all of blocks in another order",
                    (mpi, comm) -> {
                        int size = comm.size();
                        int[] ones = filled(size, i -> 1);
                        int[] turned = filled(size, i -> size - 1 - i);
                        int[] out = new int[size];
                        for (int i = 0; i < size; i++) {
                            out[i] = 10 * comm.rank() + i;
                        }
                        int[] got = new int[size];
                        comm.allToAll(mpi.ints(out), ones, turned, mpi.ints(got), ones, filled(size, i -> i));
                        return got;
                    },
                    (rank, size) -> filled(size, i -> 10 * i + size - 1 - rank)),
            MpiCase.of(
                    "blocks of no size",
                    (mpi, comm) -> {
                        int size = comm.size();
                        int[] counts = filled(size, i -> i == 1 ? 2 : 0);
                        int[] got = new int[2];
                        int[] mine = comm.rank() == 1 ? new int[] {8, 9} : new int[0];
                        comm.allGather(mpi.ints(mine), mpi.ints(got), counts, new int[size]);
                        return got;
                    },
                    (rank, size) -> new int[] {8, 9}));

    private static final List<MpiCase> IN_PLACE = List.of(
            MpiCase.of(
                    "gather in place",
                    (mpi, comm) -> {
                        int[] all = filled(comm.size(), i -> -1);
                        all[comm.rank() == 1 ? 1 : 0] = comm.rank();
                        Part one = mpi.part(all, 1, mpi.type("INT"));
                        Part own = comm.rank() == 1 ? new Part(all, 1, 1, mpi.type("INT")) : one;
                        comm.gather(own, one, 1);
                        return comm.rank() == 1 ? Arrays.toString(all) : "" + all[0];
                    },
                    (rank, size) -> rank == 1 ? Arrays.toString(filled(size, i -> i)) : "" + rank),
            MpiCase.of(
                    "scatter in place",
                    (mpi, comm) -> {
                        int[] all = filled(comm.size(), i -> 20 + i);
                        Part one = mpi.part(all, 1, mpi.type("INT"));
                        comm.scatter(one, one, 0);
                        return all[0];
                    },
                    (rank, size) -> 20 + rank),
            MpiCase.of(
                    "all gather in place",
                    (mpi, comm) -> {
                        int[] all = new int[comm.size()];
                        all[comm.rank()] = 3 * comm.rank();
                        Type one = mpi.type("INT");
                        comm.allGather(new Part(all, comm.rank(), 1, one), mpi.part(all, 1, one));
                        return all;
                    },
                    (rank, size) -> filled(size, i -> 3 * i)),
            MpiCase.of(
                    "gather of blocks in place",
                    (mpi, comm) -> {
                        int size = comm.size();
                        int rank = comm.rank();
                        int[] all = filled(blocks(size).length, i -> -1);
                        Arrays.fill(all, places(size)[rank], places(size)[rank] + rank + 1, 7 * rank);
                        Part own = new Part(all, places(size)[rank], rank + 1, mpi.type("INT"));
                        comm.gather(own, mpi.ints(all), counts(size), places(size), 1);
                        return rank == 1 ? all : null;
                    },
                    (rank, size) -> rank == 1 ? blocks(size) : null),
            MpiCase.of(
                    "scatter of blocks in place",
                    (mpi, comm) -> {
                        int size = comm.size();
                        int rank = comm.rank();
                        int[] all = filled(blocks(size).length, i -> -1);
                        if (rank == 1) {
                            System.arraycopy(blocks(size), 0, all, 0, all.length);
                        }
                        int at = places(size)[rank];
                        Part own = new Part(all, at, rank + 1, mpi.type("INT"));
                        comm.scatter(mpi.ints(all), counts(size), places(size), own, 1);
                        return Arrays.copyOfRange(all, at, at + rank + 1);
                    },
                    (rank, size) -> own(rank)),
            MpiCase.of(
                    "all gather of blocks in place",
                    (mpi, comm) -> {
                        int size = comm.size();
                        int rank = comm.rank();
                        int[] all = filled(blocks(size).length, i -> -1);
                        int at = places(size)[rank];
                        Arrays.fill(all, at, at + rank + 1, 7 * rank);
                        Type one = mpi.type("INT");
                        comm.allGather(new Part(all, at, rank + 1, one), mpi.ints(all), counts(size), places(size));
                        return all;
                    },
                    (rank, size) -> blocks(size)));
}
