package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Place;

/** Ranks that make different calls: those who find out say so, and the others hear of it. */
final class MismatchedCallTest {
    /** For a rank that is to find nothing out: it returns, or waits until its device closes. */
    private static final int UNNOTICED = -1;
    /** For a rank that is told by any other. */
    private static final int ANYBODY = -2;

    /** One rank's call. */
    private interface Made {
        void call(Communicator world);
    }

    private static void assertBlames(int[] blamed, String[] words, Made... calls) {
        assertBlames(Map.of(), blamed, words, calls);
    }

    /** Which rank is blamed by each, in this call or, where that returned rightly, the next; or {@link #UNNOTICED}. */
    private static void assertBlames(Map<String, String> options, int[] blamed, String[] words, Made... calls) {
        int ranks = calls.length;
        Throwable[] thrown = new Throwable[ranks];
        try (CommunicatorJob job = new CommunicatorJob(ranks, Place.THREADS, options)) {
            CountDownLatch allOver = new CountDownLatch(ranks);
            job.run(world -> {
                int rank = world.rank();
                Thread caller = new Thread(() -> {
                    try {
                        calls[rank].call(world);
                        if (blamed[rank] != UNNOTICED) {
                            world.barrier();
                        }
                    } catch (Throwable e) {
                        thrown[rank] = e;
                    }
                    allOver.countDown();
                });
                caller.setDaemon(true);
                caller.start();
                caller.join(blamed[rank] == UNNOTICED ? 300 : 20_000);
                if (!caller.isAlive()) {
                    assertBlames(world, thrown[rank], blamed[rank], words);
                } else {
                    assertEquals(UNNOTICED, blamed[rank], "a rank waits that is to find out: " + rank);
                }
                allOver.await(1, TimeUnit.SECONDS);
            });
        }
    }

    private static void assertBlames(Communicator world, Throwable thrown, int blamed, String[] words) {
        if (blamed == UNNOTICED) {
            assertNull(thrown, () -> "rank " + world.rank());
            return;
        }
        MismatchedCallException found =
                assertInstanceOf(MismatchedCallException.class, thrown, () -> "rank " + world.rank());
        String message = found.getMessage();
        assertTrue(message.contains(" of Communicator[world, rank " + world.rank()), message);
        if (blamed != ANYBODY) {
            assertEquals(blamed, found.rank());
            assertTrue(message.contains("rank " + blamed + " calls "), message);
        }
        for (String word : words) {
            assertTrue(message.contains(word), message);
        }
    }

    private static final int[] BOTH = {1, 0};
    private static final int[] NEITHER = {UNNOTICED, UNNOTICED};

    private static String[] words(String... words) {
        return words;
    }

    private static int[] ints(int length) {
        return new int[length];
    }

    // --- other collectives -------------------------------------------------------------------------------------------

    @Test
    void bothFindOutThatTheyAreInDifferentCalls() {
        Made barrier = Communicator::barrier;
        Made allReduce = world -> world.allReduce(ints(1), ints(1), Reduction.SUM);
        Made allGather = world -> world.allGather(ints(1), ints(2));
        Made allToAll = world -> world.allToAll(ints(2), ints(2));
        Made scan = world -> world.scan(ints(1), ints(1), Reduction.SUM);
        Made reduceScatter = world -> world.reduceScatterBlock(ints(2), ints(1), Reduction.SUM);
        assertBlames(BOTH, words("barrier", "allReduce"), barrier, allReduce);
        assertBlames(BOTH, words("allGather", "barrier"), allGather, barrier);
        assertBlames(BOTH, words("allGather", "allToAll"), allGather, allToAll);
        assertBlames(BOTH, words("scan", "allReduce"), scan, allReduce);
        assertBlames(BOTH, words("scan", "reduceScatterBlock"), scan, reduceScatter);
        assertBlames(BOTH, words("barrier", "the making of a communicator"), barrier, Communicator::duplicate);
        Made split = world -> world.split(0, 0);
        assertBlames(BOTH, words("barrier", "the making of a communicator"), barrier, split);
        assertBlames(BOTH, words("allGather", "the making of a communicator"), allGather, split);
        assertBlames(BOTH, words("another of this kind"), Communicator::duplicate, split);
    }

    @Test
    void whoReceivesFindsOutAndTheOtherIsTold() {
        Made barrier = Communicator::barrier;
        assertBlames(BOTH, words("gather", "barrier"), world -> world.gather(ints(1), ints(2), 0), barrier);
        assertBlames(
                BOTH, words("reduce", "barrier"), world -> world.reduce(ints(1), ints(1), Reduction.SUM, 0), barrier);
        assertBlames(
                BOTH,
                words("scatter", "broadcast"),
                world -> world.broadcast(ints(1), 0),
                world -> world.scatter(null, ints(1), 0));
        assertBlames(
                NEITHER,
                words(),
                world -> world.broadcast(ints(1), 0),
                world -> world.reduce(ints(1), null, Reduction.SUM, 0));
    }

    @Test
    void theOneThatIsOnItsOwnIsNamed() {
        // Rank 0 waits for what rank 2 never sends, and hears of it from either of the others.
        assertBlames(
                new int[] {ANYBODY, 2, ANYBODY},
                words("barrier", "allReduce"),
                Communicator::barrier,
                Communicator::barrier,
                world -> world.allReduce(ints(1), ints(1), Reduction.SUM));
    }

    // --- other arguments ---------------------------------------------------------------------------------------------

    @Test
    void otherRootsAreNoticedByNobodyWhereTheyAreTwo() {
        // Both are roots, and have done their part.
        assertBlames(NEITHER, words(), world -> world.broadcast(ints(1), 0), world -> world.broadcast(ints(1), 1));
    }

    /** Which says what was called before. In messages, and in cells. */
    @Test
    void otherRootsAreNoticedByTheNextCall() {
        for (int before : new int[] {0, 10}) {
            Made[] calls = new Made[4];
            for (int rank = 0; rank < calls.length; rank++) {
                int root = rank % 2;
                calls[rank] = world -> {
                    for (int i = 0; i < before; i++) {
                        world.barrier();
                    }
                    world.broadcast(ints(1), root);
                    world.allReduce(ints(1), ints(1), Reduction.SUM);
                };
            }
            assertBlames(new int[] {ANYBODY, ANYBODY, ANYBODY, ANYBODY}, words("call before"), calls);
        }
    }

    /** Nothing comes that would tell them, and so they ask. */
    @Test
    void whoWaitsForLongAsks() {
        String[] same = words("another root, count, type or reduction");
        assertBlames(
                BOTH, same, world -> world.gather(ints(1), ints(2), 0), world -> world.gather(ints(1), ints(2), 1));
        assertBlames(
                BOTH,
                same,
                world -> world.reduce(ints(1), ints(1), Reduction.SUM, 0),
                world -> world.reduce(ints(1), ints(1), Reduction.SUM, 1));
        Made warmUp = world -> {
            for (int i = 0; i < 10; i++) {
                world.barrier();
            }
        };
        // One waits in cells, and one for a message.
        assertBlames(
                BOTH,
                words("barrier", "gather"),
                world -> {
                    warmUp.call(world);
                    world.barrier();
                },
                world -> {
                    warmUp.call(world);
                    world.gather(ints(1), ints(2), 1);
                });
    }

    private static Made started(Function<Communicator, Request> call) {
        return world -> {
            try {
                call.apply(world).waitFor();
            } catch (SluiceException e) {
                if (e.getCause() instanceof MismatchedCallException) {
                    throw (MismatchedCallException) e.getCause();
                }
                throw e;
            }
        };
    }

    /** As those that block. */
    @Test
    void whoWaitsForWhatWasStartedAsks() {
        String[] same = words("another root, count, type or reduction");
        assertBlames(
                BOTH,
                same,
                started(world -> world.ibroadcast(ints(1), 1)),
                started(world -> world.ibroadcast(ints(1), 0)));
        assertBlames(
                BOTH,
                same,
                started(world -> world.igather(ints(1), ints(2), 0)),
                started(world -> world.igather(ints(1), ints(2), 1)));
        assertBlames(
                BOTH,
                words("gather", "broadcast"),
                world -> world.gather(ints(1), ints(2), 0),
                started(world -> world.ibroadcast(ints(1), 0)));
        // Behind some that fit, and in front of others.
        assertBlames(BOTH, same, started(world -> behindOthers(world, 1)), started(world -> behindOthers(world, 0)));
    }

    private static Request behindOthers(Communicator world, int root) {
        for (int i = 0; i < 5; i++) {
            world.ibarrier();
        }
        Request other = world.ibroadcast(ints(1), root);
        for (int i = 0; i < 9; i++) {
            world.ibarrier();
        }
        return other;
    }

    /** Both have sent, and done their part. */
    @Test
    void whatWasStartedWithOtherRootsIsNoticedByTheNextCall() {
        assertBlames(
                BOTH,
                words("call before"),
                started(world -> world.ireduce(ints(1), ints(1), Reduction.SUM, 1)),
                started(world -> world.ireduce(ints(1), ints(1), Reduction.SUM, 0)));
        assertBlames(
                BOTH,
                words("call before"),
                started(world -> world.igather(ints(1), ints(2), 1)),
                started(world -> world.igather(ints(1), ints(2), 0)));
    }

    @Test
    void otherCountsAreNoticed() {
        String[] same = words("another root, count, type or reduction");
        assertBlames(
                BOTH,
                same,
                world -> world.allReduce(ints(1), ints(1), Reduction.SUM),
                world -> world.allReduce(ints(2), ints(2), Reduction.SUM));
        assertBlames(
                BOTH, same, world -> world.allGather(ints(1), ints(2)), world -> world.allGather(ints(2), ints(4)));
        assertBlames(BOTH, same, world -> world.allToAll(ints(2), ints(2)), world -> world.allToAll(ints(4), ints(4)));
        assertBlames(
                BOTH,
                same,
                world -> world.scan(ints(1), ints(1), Reduction.SUM),
                world -> world.scan(ints(3), ints(3), Reduction.SUM));
        assertBlames(
                BOTH,
                same,
                world -> world.reduceScatterBlock(ints(2), ints(1), Reduction.SUM),
                world -> world.reduceScatterBlock(ints(4), ints(2), Reduction.SUM));
        assertBlames(BOTH, same, world -> world.broadcast(ints(1), 0), world -> world.broadcast(ints(2), 0));
        assertBlames(BOTH, same, world -> world.broadcast(ints(2), 0), world -> world.broadcast(ints(1), 0));
        assertBlames(
                BOTH,
                same,
                world -> world.reduce(ints(1), ints(1), Reduction.SUM, 0),
                world -> world.reduce(ints(2), null, Reduction.SUM, 0));
        for (int length : new int[] {1, 3}) {
            assertBlames(
                    BOTH,
                    same,
                    world -> world.gather(ints(2), ints(4), 0),
                    world -> world.gather(ints(length), null, 0));
            assertBlames(
                    BOTH,
                    same,
                    world -> world.scatter(ints(4), ints(2), 0),
                    world -> world.scatter(null, ints(length), 0));
        }
    }

    @Test
    void otherReductionsAndTypesAreNoticed() {
        String[] same = words("another root, count, type or reduction");
        assertBlames(
                BOTH,
                same,
                world -> world.allReduce(ints(1), ints(1), Reduction.SUM),
                world -> world.allReduce(ints(1), ints(1), Reduction.MAX));
        assertBlames(
                BOTH,
                same,
                world -> world.allReduce(ints(1), ints(1), Reduction.SUM),
                world -> world.allReduce(new float[1], new float[1], Reduction.SUM));
        assertBlames(
                BOTH,
                same,
                world -> world.reduce(ints(1), ints(1), Reduction.MAX, 0),
                world -> world.reduce(ints(1), null, Reduction.MIN, 0));
        Reduction first = Reduction.of((left, leftAt, right, rightAt, count, layout) -> {}, true);
        Reduction second = Reduction.of((left, leftAt, right, rightAt, count, layout) -> {}, true);
        // There is nothing by which they could be told apart, in two processes.
        assertBlames(
                NEITHER,
                words(),
                world -> world.allReduce(ints(1), ints(1), first),
                world -> world.allReduce(ints(1), ints(1), second));
    }

    /** What nobody finds out otherwise. */
    @Test
    void otherRootsAreNoticedWhereCallsAreCompared() {
        Map<String, String> full = Map.of("sluice.mpi.check", "full");
        assertBlames(
                full,
                BOTH,
                words("broadcast"),
                world -> world.broadcast(ints(1), 0),
                world -> world.broadcast(ints(1), 1));
        assertBlames(
                full,
                BOTH,
                words("another root"),
                world -> world.reduce(ints(1), ints(1), Reduction.SUM, 0),
                world -> world.reduce(ints(1), ints(1), Reduction.SUM, 1));
        assertBlames(
                full,
                BOTH,
                words("broadcast", "reduce"),
                world -> world.broadcast(ints(1), 0),
                world -> world.reduce(ints(1), null, Reduction.SUM, 0));
        assertBlames(
                full,
                new int[] {ANYBODY, ANYBODY, ANYBODY},
                words(),
                world -> world.broadcast(ints(1), 0),
                world -> world.broadcast(ints(1), 1),
                world -> world.broadcast(ints(1), 0));
    }

    @Test
    void otherTypesAreNoticedWhereCallsAreCompared() {
        Map<String, String> full = Map.of("sluice.mpi.check", "full");
        assertBlames(
                full,
                BOTH,
                words("type"),
                world -> world.broadcast(new double[2], 0),
                world -> world.broadcast(new int[4], 0));
        assertBlames(
                full,
                BOTH,
                words("type"),
                world -> world.gather(new long[1], new long[2], 0),
                world -> world.gather(new double[1], null, 0));
    }

    // --- how it is told ----------------------------------------------------------------------------------------------

    @Test
    void requestsFailOfIt() {
        try (CommunicatorJob job = new CommunicatorJob(2, Place.THREADS)) {
            job.run(world -> {
                Communicator turned = world.split(0, -world.rank());
                Request request = turned.rank() == 0
                        ? turned.ibarrier()
                        : turned.iallReduce(Data.IN_PLACE, new double[1], Reduction.SUM);
                try {
                    request.waitFor(20, TimeUnit.SECONDS);
                    throw new AssertionError("it went well, or is on its way: " + request);
                } catch (SluiceException e) {
                    MismatchedCallException found = assertInstanceOf(MismatchedCallException.class, e.getCause());
                    assertEquals(1 - turned.rank(), found.rank());
                    assertEquals(found.getMessage(), e.getMessage());
                    assertTrue(e.getMessage().contains("rank " + found.rank() + " calls "), e.getMessage());
                }
                assertEquals(ErrorCode.COLLECTIVE_FAILED, request.error());
                // Other communicators have nothing to do with it.
                world.barrier();
            });
        }
    }
}
