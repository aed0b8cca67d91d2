package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Place;
import org.sluice.mpi.Communicator.Comparison;

/** Two groups; their collectives are in {@link IntercommunicatorModelTest}. */
final class IntercommunicatorTest {
    /** What a rank does with the even ranks' or the odd ranks' side. */
    @FunctionalInterface
    private interface Body {
        void run(Communicator world, Communicator local, Intercommunicator between) throws Exception;
    }

    private static void run(int ranks, Place place, Body body) {
        try (CommunicatorJob job = new CommunicatorJob(ranks, place)) {
            job.run(60, world -> {
                int side = world.rank() % 2;
                Communicator local = world.split(side, 0);
                body.run(world, local, local.createIntercommunicator(0, world, 1 - side, 4));
            });
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"THREADS", "SHM", "MIXED"})
    void messagesGoToTheOtherGroup(Place place) {
        run(5, place, (world, local, between) -> {
            assertEquals(world.rank() / 2, between.rank());
            assertEquals(local.size(), between.size());
            assertEquals(5 - local.size(), between.remoteSize());
            assertEquals(local.group(), between.group());
            Group others = world.group().difference(local.group());
            assertEquals(others, between.remoteGroup());
            for (int other = 0; other < between.remoteSize(); other++) {
                Request sent = between.isend(new int[] {world.rank()}, other, 3);
                int[] got = new int[1];
                Status status = between.recv(got, other, 3);
                assertEquals(others.member(other), got[0]);
                assertEquals(other, status.source());
                sent.waitFor();
            }
            between.send(new int[] {world.rank()}, 0, 4);
            // From whoever comes first.
            if (local.rank() == 0) {
                int[] got = new int[1];
                for (int i = 0; i < between.remoteSize(); i++) {
                    Status status = between.recv(got, Device.ANY_SOURCE, 4);
                    assertEquals(others.member(status.source()), got[0]);
                }
            }
            assertThrows(IllegalArgumentException.class, () -> between.send(null, between.remoteSize(), 0));
            assertNull(between.iprobe(Device.ANY_SOURCE, 5));
            between.barrier();
            between.free();
            local.barrier();
            world.barrier();
        });
    }

    @Test
    void wrongCallsAreRefused() {
        run(3, Place.THREADS, (world, local, between) -> {
            int[] one = new int[1];
            Deque<Runnable> wrong = new ArrayDeque<>();
            wrong.add(() -> between.broadcast(one, 7));
            wrong.add(() -> between.broadcast(one, -9));
            wrong.add(() -> between.allReduce(Data.IN_PLACE, one, Reduction.SUM));
            wrong.add(() -> between.allGather(Data.IN_PLACE, one));
            wrong.add(() -> between.reduceScatter(one, one, new int[local.size() + 1], Reduction.SUM));
            wrong.add(() -> between.reduceScatter(one, one, null, Reduction.SUM));
            wrong.add(() -> between.allReduce(one, new int[2], Reduction.SUM));
            wrong.add(() -> between.allReduce(one, one, null));
            wrong.add(() -> between.create(world.group()));
            for (Runnable each : wrong) {
                assertThrows(IllegalArgumentException.class, each::run);
            }
            assertThrows(IllegalStateException.class, () -> between.scan(one, one, Reduction.SUM));
            assertThrows(IllegalStateException.class, () -> between.iexclusiveScan(one, one, Reduction.SUM));
            // Nothing was sent.
            int[] sum = new int[1];
            between.allReduce(new int[] {1}, sum, Reduction.SUM);
            assertEquals(between.remoteSize(), sum[0]);
        });
    }

    /** Calls of both groups that don't fit together, of which no message tells: ranks that wait ask. */
    private enum Unlike {
        /** The root is the other group's rank 0, and ranks there say it is their rank 1. */
        ROOTS,
        /** One group broadcasts, of which most ranks know nothing but that; the other one reduces. */
        KINDS,
        /** One rank has gone on to a call of which the others know nothing. */
        ONE_RANK;

        void call(Intercommunicator between, int side) {
            int root = side == 0 ? between.rank() == 0 ? Intercommunicator.ROOT : MessageSpace.PROC_NULL : 0;
            int[] one = new int[1];
            switch (this) {
                case ROOTS -> between.gather(one, new int[between.remoteSize()], side == 0 ? root : 1);
                case KINDS -> {
                    if (side == 0) {
                        between.broadcast(one, root);
                    } else {
                        between.allReduce(one, new int[1], Reduction.SUM);
                    }
                }
                default -> {
                    if (side == 1 && between.rank() == 1) {
                        between.barrier();
                    } else {
                        between.gather(one, new int[between.remoteSize()], root);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Unlike.class)
    @Timeout(60)
    void callsThatDontFitTogetherAreFound(Unlike unlike) {
        run(5, Place.SHM, (world, local, between) -> {
            between.barrier();
            MismatchedCallException found = assertThrows(MismatchedCallException.class, () -> {
                unlike.call(between, world.rank() % 2);
                between.barrier();
            });
            assertTrue(found.getMessage().contains("of the other group"), found::getMessage);
            world.barrier();
        });
    }

    /** Ranks that have no part in a call are asked, too, and have nothing to say against it. */
    @Test
    void whoHasNoPartFitsToAll() {
        run(5, Place.SHM, (world, local, between) -> {
            boolean isRoot = world.rank() == 0;
            int root = world.rank() % 2 == 1 ? 0 : isRoot ? Intercommunicator.ROOT : MessageSpace.PROC_NULL;
            int[] told = {isRoot ? 7 : 0};
            if (isRoot) {
                // Longer than the others wait before they ask.
                Thread.sleep(1500);
            }
            between.broadcast(told, root);
            assertEquals(isRoot || world.rank() % 2 == 1 ? 7 : 0, told[0]);
            between.barrier();
        });
    }

    @Test
    void whatIsFreedIsNotUsedAnyMore() {
        run(2, Place.THREADS, (world, local, between) -> {
            Deque<Consumer<Intercommunicator>> uses = new ArrayDeque<>();
            uses.add(Intercommunicator::barrier);
            uses.add(Intercommunicator::ibarrier);
            uses.add(Intercommunicator::duplicate);
            uses.add(Intercommunicator::free);
            uses.add(freed -> freed.merge(true));
            uses.add(freed -> freed.split(0, 0));
            int number = between.number;
            between.free();
            for (Consumer<Intercommunicator> use : uses) {
                assertThrows(IllegalStateException.class, () -> use.accept(between));
            }
            for (int i = 0; i < 2_000; i++) {
                Intercommunicator again = local.createIntercommunicator(0, world, 1 - world.rank(), 0);
                assertEquals(number, again.number);
                again.free();
            }
        });
    }

    @Test
    void theyAreMadeOfEachOther() {
        run(6, Place.THREADS, (world, local, between) -> {
            Intercommunicator duplicate = between.duplicate();
            assertEquals(Comparison.IDENTICAL, between.compare(between));
            assertEquals(Comparison.CONGRUENT, between.compare(duplicate));
            Intercommunicator turned = between.split(0, -between.rank());
            assertEquals(Comparison.SIMILAR, between.compare(turned));
            assertEquals(2 - between.rank(), turned.rank());
            // Rank 0 of the odd ones has nobody on the other side.
            int colour = between.rank() == 0 && world.rank() == 1 ? 5 : between.rank() == 0 ? -1 : between.rank();
            Intercommunicator part = between.split(colour, 0);
            if (between.rank() == 0) {
                assertNull(part);
            } else {
                assertEquals(1, part.size());
                assertEquals(Comparison.UNEQUAL, between.compare(part));
                int[] got = new int[1];
                part.allGather(new int[] {world.rank()}, got);
                assertEquals(world.rank() ^ 1, got[0]);
                part.free();
            }
            Intercommunicator created = between.create(local.group().include(2, 0));
            if (between.rank() == 1) {
                assertNull(created);
            } else {
                int[] got = new int[2];
                created.allGather(new int[] {world.rank()}, got);
                int first = world.rank() % 2 == 0 ? 5 : 4;
                assertArrayEquals(new int[] {first, first - 4}, got);
            }
            int[] sum = new int[1];
            duplicate.allReduce(new int[] {1}, sum, Reduction.SUM);
            assertEquals(3, sum[0]);
            duplicate.free();
        });
    }

    @Test
    void mergeOrdersTheGroups() {
        run(5, Place.THREADS, (world, local, between) -> {
            boolean isOdd = world.rank() % 2 == 1;
            assertArrayEquals(
                    new int[] {0, 2, 4, 1, 3}, between.merge(isOdd).group().members());
            assertArrayEquals(
                    new int[] {1, 3, 0, 2, 4}, between.merge(!isOdd).group().members());
            assertArrayEquals(
                    new int[] {0, 2, 4, 1, 3}, between.merge(true).group().members());
            assertThrows(IllegalArgumentException.class, () -> between.merge(world.rank() < 2));
            between.barrier();
        });
    }

    @Test
    void aRemoteLeaderOfTheOwnGroupIsRefused() {
        try (CommunicatorJob job = new CommunicatorJob(4, Place.THREADS)) {
            job.run(world -> {
                Communicator own = world.split(world.rank() / 2, 0);
                int inOwnGroup = world.rank() / 2 * 2 + 1;
                RuntimeException refused = assertThrows(
                        RuntimeException.class, () -> own.createIntercommunicator(0, world, inOwnGroup, 7));
                String words = own.rank() == 0 ? "is in the own group" : "gave wrong arguments";
                assertTrue(refused.getMessage().contains(words), refused::getMessage);
                own.barrier();
            });
        }
    }

    @Test
    void propertiesAreTheirsToo() {
        run(2, Place.THREADS, (world, local, between) -> {
            AttributeKey<String> key = AttributeKey.inherited();
            between.setAttribute(key, "a");
            ErrorHandler handler = (communicator, error) -> {};
            between.setErrorHandler(handler);
            Intercommunicator duplicate = between.duplicate();
            assertEquals("a", duplicate.attribute(key));
            assertSame(handler, duplicate.errorHandler());
            assertSame(handler, between.merge(false).errorHandler());
            assertEquals("world.split.intercommunicator.duplicate", duplicate.name());
        });
    }

    @Test
    void mismatchesNameRanksOfTheirGroups() {
        run(3, Place.THREADS, (world, local, between) -> {
            int[] one = new int[1];
            MismatchedCallException found = assertThrows(MismatchedCallException.class, () -> {
                if (world.rank() == 1) {
                    between.allToAll(new int[2], new int[2]);
                } else {
                    between.allGather(one, one);
                }
            });
            assertTrue(
                    found.getMessage().contains("allToAll")
                            && found.getMessage().contains("allGather"),
                    found.getMessage());
            if (world.rank() != 1) {
                assertEquals(0, found.rank());
                assertTrue(found.getMessage().contains("rank 0 of the other group"), found.getMessage());
            }
        });
    }

    @Test
    void whoRevokesItEndsItForBothGroups() {
        run(4, Place.THREADS, (world, local, between) -> {
            if (world.rank() == 3) {
                between.revoke();
            } else {
                SluiceException told = assertThrows(SluiceException.class, between::barrier);
                assertEquals(ErrorCode.REVOKED, told.code());
                assertTrue(
                        told.getMessage().contains("rank 1 of " + (world.rank() == 1 ? "Inter" : "the other group")),
                        told.getMessage());
            }
            assertTrue(between.isRevoked());
            local.barrier();
            between.free();
            local.createIntercommunicator(0, world, 1 - world.rank() % 2, 0).barrier();
        });
    }

    @Test
    void persistentOnesAreStartedAgain() {
        run(3, Place.THREADS, (world, local, between) -> {
            long[] given = new long[1];
            long[] sum = new long[1];
            PersistentRequest request = between.allReduceInit(given, sum, Reduction.SUM);
            for (int round = 0; round < 20; round++) {
                given[0] = round + world.rank();
                request.start();
                request.waitFor();
                assertEquals(world.rank() == 1 ? 2 * round + 2 : round + 1, sum[0]);
            }
        });
    }

    @Test
    void groupsThatDontFitAreRefused() {
        try (CommunicatorJob job = new CommunicatorJob(3, Place.THREADS)) {
            job.run(30, world -> {
                Communicator local =
                        world.rank() < 2 ? world.createGroup(world.group().include(0, 1), 0) : null;
                Communicator both =
                        world.rank() > 0 ? world.createGroup(world.group().include(1, 2), 0) : null;
                // Rank 1 would be in both; it takes part in each by a thread.
                AtOnce.run(2, thread -> {
                    Communicator own = thread == 0 ? local : both;
                    if (own != null) {
                        int other = thread == 0 ? 2 : 0;
                        IllegalArgumentException refused = assertThrows(
                                IllegalArgumentException.class,
                                () -> own.createIntercommunicator(thread, world, other, 0));
                        assertTrue(refused.getMessage().contains("rank 1"), refused.getMessage());
                    }
                });
                Communicator self = Communicator.self(world.device()).duplicate();
                for (Runnable wrong : new Runnable[] {
                    () -> self.createIntercommunicator(1, world, (world.rank() + 1) % 3, 0),
                    () -> self.createIntercommunicator(0, world, 3, 0),
                    () -> self.createIntercommunicator(0, world, world.rank(), 0),
                    () -> self.createIntercommunicator(0, world, (world.rank() + 1) % 3, -1),
                    () -> self.createIntercommunicator(0, null, 0, 0)
                }) {
                    assertThrows(IllegalArgumentException.class, wrong::run);
                }
                if (world.rank() < 2) {
                    // Who doesn't lead hears of the leader's mistake.
                    RuntimeException refused =
                            assertThrows(RuntimeException.class, () -> local.createIntercommunicator(0, world, 99, 0));
                    assertEquals(
                            world.rank() == 0 ? IllegalArgumentException.class : IllegalStateException.class,
                            refused.getClass());
                }
                world.barrier();
            });
        }
    }
}
