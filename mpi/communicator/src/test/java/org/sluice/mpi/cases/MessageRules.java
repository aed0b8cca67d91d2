package org.sluice.mpi.cases;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.sluice.mpi.cases.MpiUnderTest.Comm;
import org.sluice.mpi.cases.MpiUnderTest.Got;
import org.sluice.mpi.cases.MpiUnderTest.Mode;
import org.sluice.mpi.cases.MpiUnderTest.Part;
import org.sluice.mpi.cases.MpiUnderTest.Pending;

/** Messages between two ranks. */
final class MessageRules {
    private static final int ANY = MpiUnderTest.ANY;
    private static final int NOBODY = MpiUnderTest.NOBODY;

    private MessageRules() {}

    static List<MpiCase> all() {
        List<MpiCase> cases = new ArrayList<>(MATCHING);
        cases.addAll(kindsOfSends());
        cases.addAll(STATUSES);
        return cases;
    }

    static int next(Comm comm) throws Exception {
        return (comm.rank() + 1) % comm.size();
    }

    static int before(Comm comm) throws Exception {
        return (comm.rank() + comm.size() - 1) % comm.size();
    }

    static int before(int rank, int size) {
        return (rank + size - 1) % size;
    }

    private static Object inOrder(MpiUnderTest mpi, Comm comm, int... tagsAsked) throws Exception {
        Pending[] sends = new Pending[3];
        for (int i = 0; i < 3; i++) {
            sends[i] = comm.start(Mode.STANDARD, mpi.ints(10 * comm.rank() + i), next(comm), i + 1);
        }
        int[] found = new int[3];
        for (int i = 0; i < 3; i++) {
            int[] one = new int[1];
            comm.receive(mpi.ints(one), before(comm), tagsAsked[i]);
            found[i] = one[0];
        }
        mpi.awaitAll(sends);
        return found;
    }

    private static final List<MpiCase> MATCHING = List.of(
            MpiCase.of(
                    "messages of one sender come in their order",
                    (mpi, comm) -> inOrder(mpi, comm, ANY, ANY, ANY),
                    (rank, size) -> {
                        int from = 10 * before(rank, size);
                        return new int[] {from, from + 1, from + 2};
                    }),
            MpiCase.of("a tag picks its message out", (mpi, comm) -> inOrder(mpi, comm, 3, 1, 2), (rank, size) -> {
                int from = 10 * before(rank, size);
                return new int[] {from + 2, from, from + 1};
            }),
            MpiCase.of(
                    "any source takes a message of each",
                    (mpi, comm) -> {
                        if (comm.rank() > 0) {
                            comm.send(Mode.STANDARD, mpi.ints(comm.rank()), 0, 5);
                            return null;
                        }
                        int[] sources = new int[comm.size() - 1];
                        for (int i = 0; i < sources.length; i++) {
                            int[] one = new int[1];
                            Got got = comm.receive(mpi.ints(one), ANY, ANY);
                            sources[i] = got.source() == one[0] && got.tag() == 5 ? one[0] : -1;
                        }
                        Arrays.sort(sources);
                        return sources;
                    },
                    (rank, size) -> rank > 0 ? null : Arrays.copyOf(new int[] {1, 2, 3}, size - 1)),
            MpiCase.of(
                    "receives match in the order in which they were posted",
                    (mpi, comm) -> {
                        int[] first = new int[1];
                        int[] second = new int[1];
                        Pending one = comm.startReceive(mpi.ints(first), ANY, ANY);
                        Pending two = comm.startReceive(mpi.ints(second), before(comm), 7);
                        comm.barrier();
                        comm.send(Mode.STANDARD, mpi.ints(1), next(comm), 7);
                        comm.send(Mode.STANDARD, mpi.ints(2), next(comm), 7);
                        one.await();
                        two.await();
                        return List.of(first[0], second[0]);
                    },
                    (rank, size) -> List.of(1, 2)),
            MpiCase.of(
                    "communicators keep their messages apart",
                    (mpi, comm) -> {
                        Comm other = comm.duplicate();
                        Pending one = comm.start(Mode.STANDARD, mpi.ints(1), next(comm), 7);
                        Pending two = other.start(Mode.STANDARD, mpi.ints(2), next(comm), 7);
                        int[] found = new int[2];
                        other.receive(new Part(found, 0, 1, mpi.type("INT")), ANY, ANY);
                        comm.receive(new Part(found, 1, 1, mpi.type("INT")), ANY, ANY);
                        mpi.awaitAll(one, two);
                        return found;
                    },
                    (rank, size) -> new int[] {2, 1}),
            MpiCase.of(
                    "a rank sends to itself",
                    (mpi, comm) -> {
                        int[] got = new int[2];
                        Pending sent = comm.start(Mode.STANDARD, mpi.ints(5), comm.rank(), 0);
                        comm.receive(mpi.part(got, 1, mpi.type("INT")), comm.rank(), 0);
                        sent.await();
                        Pending alone = mpi.self().start(Mode.STANDARD, mpi.ints(6), 0, 1);
                        mpi.self().receive(new Part(got, 1, 1, mpi.type("INT")), 0, 1);
                        alone.await();
                        return List.of(
                                got[0], got[1], mpi.self().size(), mpi.self().rank());
                    },
                    (rank, size) -> List.of(5, 6, 1, 0)));

    private static final List<MpiCase> SENDS = List.of(
            MpiCase.of(
                    "a synchronous send is over when it is matched",
                    (mpi, comm) -> {
                        Pending send = comm.start(Mode.SYNCHRONOUS, mpi.ints(1), next(comm), 3);
                        boolean early = send.test() != null;
                        comm.barrier();
                        comm.receive(mpi.ints(0), before(comm), 3);
                        send.await();
                        return early;
                    },
                    (rank, size) -> false),
            MpiCase.of(
                    "exchange and replace",
                    (mpi, comm) -> {
                        int[] in = new int[1];
                        Got first = comm.exchange(mpi.ints(comm.rank()), next(comm), 1, mpi.ints(in), before(comm), 1);
                        int[] both = {comm.rank() + 50};
                        Got second = comm.replace(mpi.ints(both), before(comm), 2, next(comm), 2);
                        return List.of(in[0], first.source(), both[0], second.source());
                    },
                    (rank, size) ->
                            List.of(before(rank, size), before(rank, size), (rank + 1) % size + 50, (rank + 1) % size)),
            MpiCase.of(
                    "arrays of each type, from and to an offset",
                    (mpi, comm) -> {
                        Object[] out = {
                            new byte[] {0, 1, -2}, new char[] {'x', 'a', 'b'}, new short[] {0, 3, -4},
                            new int[] {0, 5, -6}, new long[] {0, 7, -8}, new float[] {0, 9, -10},
                            new double[] {0, 11, -12}
                        };
                        Object[] in = {
                            new byte[2], new char[2], new short[2], new int[2], new long[2], new float[2], new double[2]
                        };
                        String[] names = {"BYTE", "CHAR", "SHORT", "INT", "LONG", "FLOAT", "DOUBLE"};
                        for (int i = 0; i < names.length; i++) {
                            Pending send = comm.start(
                                    Mode.STANDARD, new Part(out[i], 1, 2, mpi.type(names[i])), next(comm), i);
                            comm.receive(new Part(in[i], 0, 2, mpi.type(names[i])), before(comm), i);
                            send.await();
                        }
                        return in;
                    },
                    (rank, size) -> new Object[] {
                        new byte[] {1, -2},
                        new char[] {'a', 'b'},
                        new short[] {3, -4},
                        new int[] {5, -6},
                        new long[] {7, -8},
                        new float[] {9, -10},
                        new double[] {11, -12}
                    }),
            MpiCase.of(
                    "truth values",
                    (mpi, comm) -> {
                        boolean[] in = new boolean[3];
                        comm.exchange(
                                mpi.part(new boolean[] {true, false, true}, 3, mpi.type("BOOLEAN")),
                                next(comm),
                                1,
                                mpi.part(in, 3, mpi.type("BOOLEAN")),
                                before(comm),
                                1);
                        return in;
                    },
                    (rank, size) -> new boolean[] {true, false, true}),
            MpiCase.of(
                    "large messages in both directions",
                    (mpi, comm) -> {
                        double[] out = new double[100_000];
                        Arrays.setAll(out, i -> i);
                        double[] in = new double[100_000];
                        comm.exchange(
                                mpi.part(out, out.length, mpi.type("DOUBLE")),
                                next(comm),
                                1,
                                mpi.part(in, in.length, mpi.type("DOUBLE")),
                                before(comm),
                                1);
                        return Arrays.equals(out, in);
                    },
                    (rank, size) -> true));

    private static Object around(MpiUnderTest mpi, Comm comm, Mode mode) throws Exception {
        int[] got = new int[2];
        Pending receive = comm.startReceive(mpi.ints(got), before(comm), 3);
        comm.barrier();
        Pending send = comm.start(mode, mpi.ints(comm.rank(), 9), next(comm), 3);
        Got found = receive.await();
        send.await();
        int[] again = new int[1];
        receive = comm.startReceive(mpi.ints(again), before(comm), 4);
        comm.barrier();
        comm.send(mode, mpi.ints(100 + comm.rank()), next(comm), 4);
        receive.await();
        return List.of(got[0], got[1], found.count(mpi.type("INT")), again[0]);
    }

    private static List<MpiCase> kindsOfSends() {
        List<MpiCase> cases = new ArrayList<>();
        MpiCase.Expected expected = (rank, size) -> List.of(before(rank, size), 9, 2, 100 + before(rank, size));
        for (Mode mode : List.of(Mode.STANDARD, Mode.SYNCHRONOUS, Mode.READY)) {
            cases.add(MpiCase.of("sends: " + mode, (mpi, comm) -> around(mpi, comm, mode), expected));
        }
        cases.add(MpiCase.of(
                "sends: BUFFERED",
                (mpi, comm) -> {
                    int bytes = comm.packedSize(2, mpi.type("INT"));
                    mpi.attachBuffer(4 * (bytes + 200));
                    Object found = around(mpi, comm, Mode.BUFFERED);
                    mpi.detachBuffer();
                    return found;
                },
                expected));
        cases.addAll(SENDS);
        return cases;
    }

    private static final List<MpiCase> STATUSES = List.of(
            MpiCase.of(
                    "a probe tells what a receive then takes",
                    (mpi, comm) -> {
                        Pending send = comm.start(Mode.STANDARD, mpi.ints(comm.rank(), 2, 3), next(comm), 8);
                        Got found = comm.probe(ANY, ANY);
                        int[] got = new int[found.count(mpi.type("INT"))];
                        Got taken = comm.receive(mpi.ints(got), found.source(), found.tag());
                        send.await();
                        return List.of(found.source(), found.tag(), got.length, got[0], taken.source());
                    },
                    (rank, size) -> {
                        int from = before(rank, size);
                        return List.of(from, 8, 3, from, from);
                    }),
            MpiCase.of(
                    "a probe that doesn't wait",
                    (mpi, comm) -> {
                        boolean isNothing = comm.probeNow(ANY, 8) == null;
                        comm.barrier();
                        Pending send = comm.start(Mode.STANDARD, mpi.ints(1), next(comm), 8);
                        Got found = comm.probeNow(before(comm), ANY);
                        while (found == null) {
                            found = comm.probeNow(before(comm), ANY);
                        }
                        comm.receive(mpi.ints(0), before(comm), 8);
                        send.await();
                        return List.of(isNothing, found.tag(), comm.probeNow(ANY, ANY) == null);
                    },
                    (rank, size) -> List.of(true, 8, true)),
            MpiCase.of(
                    "a shorter message leaves what is behind it",
                    (mpi, comm) -> {
                        int[] in = {7, 7, 7, 7};
                        Got got = comm.exchange(mpi.ints(1, 2), next(comm), 1, mpi.ints(in), before(comm), ANY);
                        return List.of(got.count(mpi.type("INT")), Arrays.toString(in));
                    },
                    (rank, size) -> List.of(2, "[1, 2, 7, 7]")),
            MpiCase.of(
                    "a message without anything",
                    (mpi, comm) -> {
                        Got got = comm.exchange(mpi.ints(), next(comm), 1, mpi.ints(4), before(comm), 1);
                        return List.of(got.count(mpi.type("INT")), got.source(), got.tag());
                    },
                    (rank, size) -> List.of(0, before(rank, size), 1)),
            MpiCase.of(
                    "the count of an item that isn't whole is undefined",
                    (mpi, comm) -> {
                        MpiUnderTest.Type two = mpi.contiguous(2, mpi.type("INT"));
                        Got got = comm.exchange(
                                mpi.ints(1, 2, 3), next(comm), 1, mpi.part(new int[4], 2, two), before(comm), 1);
                        return List.of(got.count(two), got.elements(two), got.count(mpi.type("INT")));
                    },
                    (rank, size) -> List.of(MpiUnderTest.UNDEFINED, 3, 3)),
            MpiCase.of(
                    "nobody sends and receives at once",
                    (mpi, comm) -> {
                        int[] in = {7};
                        comm.send(Mode.STANDARD, mpi.ints(1), NOBODY, 0);
                        Got got = comm.receive(mpi.ints(in), NOBODY, 0);
                        return List.of(got.source(), got.tag(), got.count(mpi.type("INT")), in[0]);
                    },
                    (rank, size) -> List.of(NOBODY, ANY, 0, 7)),
            MpiCase.of(
                    "a receive that is too small is an error, and the next is none",
                    (mpi, comm) -> {
                        Pending first = comm.start(Mode.STANDARD, mpi.ints(1, 2, 3), next(comm), 1);
                        Pending second = comm.start(Mode.STANDARD, mpi.ints(4), next(comm), 2);
                        boolean isRefused = false;
                        try {
                            comm.receive(mpi.ints(0, 0), before(comm), 1);
                        } catch (Exception e) {
                            isRefused = e.getClass().getName().equals("mpi.MPIException");
                        }
                        int[] in = new int[1];
                        comm.receive(mpi.ints(in), before(comm), 2);
                        mpi.awaitAll(first, second);
                        return List.of(isRefused, in[0]);
                    },
                    (rank, size) -> List.of(true, 4)));
}
