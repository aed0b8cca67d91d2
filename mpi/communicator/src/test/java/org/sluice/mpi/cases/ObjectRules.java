package org.sluice.mpi.cases;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.sluice.mpi.cases.MpiUnderTest.Comm;
import org.sluice.mpi.cases.MpiUnderTest.Got;
import org.sluice.mpi.cases.MpiUnderTest.Mode;
import org.sluice.mpi.cases.MpiUnderTest.Part;
import org.sluice.mpi.cases.MpiUnderTest.Pending;

/** Arrays of objects, in the dialect that has them. */
final class ObjectRules {
    private ObjectRules() {}

    private static Part objects(MpiUnderTest mpi, Object... values) throws Exception {
        return new Part(values, 0, values.length, mpi.type("OBJECT"));
    }

    private static final List<MpiCase> ALL = List.of(
            MpiCase.ofMpijava(
                    "objects: messages",
                    (mpi, comm) -> {
                        Object[] got = new Object[4];
                        Pending send = comm.start(
                                Mode.STANDARD,
                                objects(mpi, "from " + comm.rank(), new ArrayList<>(List.of(1, 2)), null),
                                MessageRules.next(comm),
                                1);
                        Got found = comm.receive(new Part(got, 1, 3, mpi.type("OBJECT")), MessageRules.before(comm), 1);
                        send.await();
                        return new Object[] {got, found.source()};
                    },
                    (rank, size) -> {
                        int from = MessageRules.before(rank, size);
                        return new Object[] {new Object[] {null, "from " + from, List.of(1, 2), null}, from};
                    }),
            MpiCase.ofMpijava(
                    "objects: requests",
                    (mpi, comm) -> {
                        Object[] got = new Object[2];
                        Pending receive = comm.startReceive(
                                new Part(got, 1, 1, mpi.type("OBJECT")), MessageRules.before(comm), 2);
                        comm.send(Mode.STANDARD, objects(mpi, 5.5), MessageRules.next(comm), 2);
                        receive.await();
                        return got;
                    },
                    (rank, size) -> new Object[] {null, 5.5}),
            MpiCase.ofMpijava(
                    "objects: rows of a matrix",
                    (mpi, comm) -> {
                        double[][] rows = {{1, 2}, {comm.rank()}};
                        double[][] got = new double[2][];
                        comm.exchange(
                                objects(mpi, (Object[]) rows),
                                MessageRules.next(comm),
                                3,
                                objects(mpi, (Object[]) got),
                                MessageRules.before(comm),
                                3);
                        return got;
                    },
                    (rank, size) -> new double[][] {{1, 2}, {MessageRules.before(rank, size)}}),
            MpiCase.ofMpijava(
                    "objects: between two groups",
                    (mpi, comm) -> {
                        Comm both = comm.connect(
                                comm.split(Math.min(comm.rank(), 1), comm.rank()), 0, comm.rank() == 0 ? 1 : 0, 9);
                        if (both.rank() > 0) {
                            return null;
                        }
                        Object[] got = new Object[1];
                        Pending receive = both.startReceive(objects(mpi, got), 0, 4);
                        both.send(Mode.STANDARD, objects(mpi, "of " + comm.rank()), 0, 4);
                        receive.await();
                        return got;
                    },
                    (rank, size) -> rank > 1 ? null : new Object[] {"of " + (1 - rank)}),
            MpiCase.ofMpijava(
                    "objects: broadcast, gather and scatter",
                    (mpi, comm) -> {
                        Object[] told = {comm.rank() == 1 ? "told" : null};
                        comm.broadcast(objects(mpi, told), 1);
                        Object[] all = new Object[comm.size()];
                        comm.gather(objects(mpi, "r" + comm.rank()), mpi.part(all, 1, mpi.type("OBJECT")), 0);
                        Object[] own = new Object[1];
                        comm.scatter(mpi.part(all, 1, mpi.type("OBJECT")), objects(mpi, own), 0);
                        Object[] each = new Object[comm.size()];
                        comm.allGather(objects(mpi, own), mpi.part(each, 1, mpi.type("OBJECT")));
                        return new Object[] {told[0], own[0], each};
                    },
                    (rank, size) ->
                            new Object[] {"told", "r" + rank, Arrays.copyOf(new Object[] {"r0", "r1", "r2", "r3"}, size)
                            }),
            MpiCase.ofMpijava(
                    "objects: all to all",
                    (mpi, comm) -> {
                        Object[] out = new Object[comm.size()];
                        for (int i = 0; i < out.length; i++) {
                            out[i] = comm.rank() + " to " + i;
                        }
                        Object[] got = new Object[comm.size()];
                        comm.allToAll(mpi.part(out, 1, mpi.type("OBJECT")), mpi.part(got, 1, mpi.type("OBJECT")));
                        return got[comm.size() - 1];
                    },
                    (rank, size) -> (size - 1) + " to " + rank),
            MpiCase.ofMpijava(
                    "objects: an operation of the program's",
                    (mpi, comm) -> {
                        MpiUnderTest.Operation join = mpi.op(
                                (lower, lowerAt, higher, higherAt, items) -> {
                                    for (int i = 0; i < items; i++) {
                                        Object[] to = (Object[]) higher;
                                        to[higherAt + i] = "" + ((Object[]) lower)[lowerAt + i] + to[higherAt + i];
                                    }
                                },
                                false);
                        Object[] got = new Object[1];
                        comm.allReduce(objects(mpi, "" + comm.rank()), objects(mpi, got), join);
                        return got[0];
                    },
                    (rank, size) -> "0123".substring(0, size)));

    static List<MpiCase> all() {
        return ALL;
    }
}
