package org.sluice.mpi.cases;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.sluice.mpi.cases.MpiUnderTest.Comm;
import org.sluice.mpi.cases.MpiUnderTest.Got;
import org.sluice.mpi.cases.MpiUnderTest.Mode;
import org.sluice.mpi.cases.MpiUnderTest.Part;
import org.sluice.mpi.cases.MpiUnderTest.Pending;

/** Requests: one, several, and those that are started again. */
final class RequestRules {
    private RequestRules() {}

    static List<MpiCase> all() {
        List<MpiCase> cases = new ArrayList<>(SEVERAL);
        cases.addAll(ONE);
        cases.addAll(persistent());
        return cases;
    }

    /** Receives of tags 0, 1 and so on from the rank before. */
    private static Pending[] receives(MpiUnderTest mpi, Comm comm, int[] in) throws Exception {
        Pending[] all = new Pending[in.length];
        for (int i = 0; i < in.length; i++) {
            all[i] = comm.startReceive(new Part(in, i, 1, mpi.type("INT")), MessageRules.before(comm), i);
        }
        return all;
    }

    /** Once all have posted their receives. */
    private static void send(MpiUnderTest mpi, Comm comm, int... tags) throws Exception {
        comm.barrier();
        for (int tag : tags) {
            comm.send(Mode.STANDARD, mpi.ints(10 + tag), MessageRules.next(comm), tag);
        }
    }

    private static final List<MpiCase> SEVERAL = List.of(
            MpiCase.of(
                    "wait for all",
                    (mpi, comm) -> {
                        int[] in = new int[3];
                        Pending[] all = receives(mpi, comm, in);
                        send(mpi, comm, 2, 0, 1);
                        Got[] found = mpi.awaitAll(all);
                        return List.of(Arrays.toString(in), found[0].tag(), found[2].tag(), all[1].isNull());
                    },
                    (rank, size) -> List.of("[10, 11, 12]", 0, 2, true)),
            MpiCase.of(
                    "wait for any, each once",
                    (mpi, comm) -> {
                        Pending[] all = receives(mpi, comm, new int[3]);
                        send(mpi, comm, 1);
                        int first = mpi.awaitAny(all).index();
                        send(mpi, comm, 2, 0);
                        Got second = mpi.awaitAny(all);
                        Got third = mpi.awaitAny(all);
                        return List.of(first, second.index() + third.index(), second.index() == second.tag());
                    },
                    (rank, size) -> List.of(1, 2, true)),
            MpiCase.of(
                    "nothing is left to wait for",
                    (mpi, comm) -> {
                        Pending[] all = receives(mpi, comm, new int[1]);
                        send(mpi, comm, 0);
                        mpi.awaitAll(all);
                        return List.of(mpi.awaitAny(all).index(), mpi.awaitAll(all).length);
                    },
                    (rank, size) -> List.of(MpiUnderTest.UNDEFINED, 1)),
            MpiCase.of(
                    "wait for some",
                    (mpi, comm) -> {
                        int[] in = new int[3];
                        Pending[] all = receives(mpi, comm, in);
                        send(mpi, comm, 2, 1, 0);
                        int sum = 0;
                        for (int count = 0; count < 3; ) {
                            Got[] some = mpi.awaitSome(all);
                            count += some.length;
                            for (Got each : some) {
                                sum += each.index() == each.tag() ? each.index() : 100;
                            }
                        }
                        return List.of(sum, Arrays.toString(in));
                    },
                    (rank, size) -> List.of(3, "[10, 11, 12]")),
            MpiCase.of(
                    "test all: all or none",
                    (mpi, comm) -> {
                        int[] in = new int[2];
                        Pending[] all = receives(mpi, comm, in);
                        send(mpi, comm, 1);
                        comm.barrier();
                        boolean isNone = mpi.testAll(all) == null;
                        send(mpi, comm, 0);
                        Got[] found = mpi.testAll(all);
                        while (found == null) {
                            found = mpi.testAll(all);
                        }
                        return List.of(isNone, found[1].tag(), Arrays.toString(in));
                    },
                    (rank, size) -> List.of(true, 1, "[10, 11]")),
            MpiCase.of(
                    "test any and some",
                    (mpi, comm) -> {
                        Pending[] all = receives(mpi, comm, new int[2]);
                        boolean isNone = mpi.testAny(all) == null && mpi.testSome(all).length == 0;
                        send(mpi, comm, 1);
                        Got any = mpi.testAny(all);
                        while (any == null) {
                            any = mpi.testAny(all);
                        }
                        send(mpi, comm, 0);
                        Got[] some = mpi.testSome(all);
                        while (some.length == 0) {
                            some = mpi.testSome(all);
                        }
                        return List.of(isNone, any.index(), some[0].index());
                    },
                    (rank, size) -> List.of(true, 1, 0)));

    private static final List<MpiCase> ONE = List.of(
            MpiCase.of(
                    "a test finds what is over, and makes it null",
                    (mpi, comm) -> {
                        Pending receive = receives(mpi, comm, new int[1])[0];
                        boolean isNone = receive.test() == null && !receive.isNull();
                        send(mpi, comm, 0);
                        Got found = receive.test();
                        while (found == null) {
                            found = receive.test();
                        }
                        return List.of(isNone, found.tag(), receive.isNull());
                    },
                    (rank, size) -> List.of(true, 0, true)),
            MpiCase.of(
                    "a receive that is cancelled takes nothing",
                    (mpi, comm) -> {
                        int[] in = {7};
                        Pending receive = comm.startReceive(mpi.ints(in), MessageRules.before(comm), 5);
                        receive.cancel();
                        boolean isCancelled = receive.await().isCancelled();
                        comm.barrier();
                        int[] next = new int[1];
                        Pending other = comm.startReceive(mpi.ints(next), MessageRules.before(comm), 5);
                        comm.send(Mode.STANDARD, mpi.ints(6), MessageRules.next(comm), 5);
                        boolean isOther = other.await().isCancelled();
                        return List.of(isCancelled, isOther, in[0], next[0]);
                    },
                    (rank, size) -> List.of(true, false, 7, 6)),
            MpiCase.of(
                    "a request that is over has nothing to tell",
                    (mpi, comm) -> {
                        Pending receive = receives(mpi, comm, new int[1])[0];
                        send(mpi, comm, 0);
                        receive.await();
                        Got again = receive.await();
                        return List.of(again.source(), again.tag(), again.count(mpi.type("INT")));
                    },
                    (rank, size) -> List.of(MpiUnderTest.ANY, MpiUnderTest.ANY, 0)));

    private static Object again(MpiUnderTest mpi, Comm comm, Mode mode) throws Exception {
        int[] out = new int[1];
        int[] in = new int[1];
        Pending receive = comm.persistentReceive(mpi.ints(in), MessageRules.before(comm), 6);
        Pending send = comm.persistent(mode, mpi.ints(out), MessageRules.next(comm), 6);
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            out[0] = 10 * comm.rank() + i;
            receive.start();
            comm.barrier();
            send.start();
            mpi.awaitAll(send, receive);
            found.add(in[0]);
        }
        return found;
    }

    private static List<MpiCase> persistent() {
        List<MpiCase> cases = new ArrayList<>();
        MpiCase.Expected expected = (rank, size) -> {
            int from = 10 * MessageRules.before(rank, size);
            return List.of(from, from + 1, from + 2);
        };
        for (Mode mode : List.of(Mode.STANDARD, Mode.SYNCHRONOUS, Mode.READY)) {
            cases.add(MpiCase.of("again and again: " + mode, (mpi, comm) -> again(mpi, comm, mode), expected));
        }
        cases.add(MpiCase.of(
                "again and again: BUFFERED",
                (mpi, comm) -> {
                    mpi.attachBuffer(4 * (comm.packedSize(1, mpi.type("INT")) + 200));
                    Object found = again(mpi, comm, Mode.BUFFERED);
                    mpi.detachBuffer();
                    return found;
                },
                expected));
        cases.add(MpiCase.of(
                "start all",
                (mpi, comm) -> {
                    int[] in = new int[1];
                    Pending receive = comm.persistentReceive(mpi.ints(in), MessageRules.before(comm), 6);
                    Pending send = comm.persistent(Mode.STANDARD, mpi.ints(8), MessageRules.next(comm), 6);
                    mpi.startAll(receive, send);
                    mpi.awaitAll(receive, send);
                    return in[0];
                },
                (rank, size) -> 8));
        return cases;
    }
}
