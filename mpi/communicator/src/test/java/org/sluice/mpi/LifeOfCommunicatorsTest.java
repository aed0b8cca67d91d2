package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Body;
import org.sluice.hybrid.device.CommunicatorJob.Place;
import org.sluice.mpi.Communicator.Comparison;

/** How communicators begin, end, and are told apart, beside what {@link CommunicatorTest} has of it. */
@Tag("once")
final class LifeOfCommunicatorsTest {
    private static void run(int ranks, Place place, Body body) {
        run(ranks, place, 90, body);
    }

    private static void run(int ranks, Place place, long limitSeconds, Body body) {
        try (CommunicatorJob job = new CommunicatorJob(ranks, place)) {
            job.run(limitSeconds, body);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"THREADS", "SHM", "MIXED"})
    void aGroupNeedsNoParent(Place place) {
        run(4, place, world -> {
            Group odd = world.group().include(3, 1);
            Group all = world.group();
            for (int round = 0; round < 10; round++) {
                if (world.rank() % 2 == 1) {
                    Communicator made = Communicator.createFromGroup(world.device(), odd, "odd");
                    assertEquals(odd, made.group());
                    assertEquals("odd", made.name());
                    made.barrier();
                    made.free();
                }
                Communicator everybody = Communicator.createFromGroup(world.device(), all, "");
                everybody.barrier();
                everybody.free();
            }
            assertThrows(
                    IllegalArgumentException.class,
                    () -> Communicator.createFromGroup(world.device(), all.exclude(world.rank()), "of others"));
            assertThrows(IllegalArgumentException.class, () -> Communicator.createFromGroup(world.device(), all, null));
        });
    }

    @Test
    void textsTellApartWhatThreadsCreateAtOnce() {
        run(
                3,
                Place.THREADS,
                world -> AtOnce.run(4, thread -> {
                    // Hash codes of String are the same for two of them.
                    String text = new String[] {"Aa", "BB", "C", "D"}[thread];
                    for (int round = 0; round < 40; round++) {
                        Communicator made = Communicator.createFromGroup(world.device(), world.group(), text);
                        long[] sum = {thread};
                        made.allReduce(Data.IN_PLACE, sum, Reduction.SUM);
                        assertEquals(3L * thread, sum[0]);
                        made.free();
                    }
                }));
    }

    @Test
    void theyAreCompared() {
        run(3, Place.THREADS, world -> {
            Communicator duplicate = world.duplicate();
            Communicator turned = world.split(0, -world.rank());
            Communicator part = world.split(world.rank() / 2, 0);
            assertEquals(Comparison.IDENTICAL, world.compare(world));
            assertEquals(Comparison.CONGRUENT, world.compare(duplicate));
            assertEquals(Comparison.SIMILAR, duplicate.compare(turned));
            assertEquals(Comparison.UNEQUAL, world.compare(part));
        });
    }

    @Test
    void differentGroupsAreNoticed() {
        run(3, Place.THREADS, world -> {
            Group own = world.rank() == 1
                    ? world.group().include(0, 1)
                    : world.group().include(1, 0);
            IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> world.create(own));
            assertTrue(refused.getMessage().contains("different groups"), refused.getMessage());
            world.barrier();
            if (world.rank() < 2) {
                assertThrows(IllegalArgumentException.class, () -> world.createGroup(own, 3));
            }
            world.duplicate().free();
        });
    }

    // --- the end -----------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"THREADS", "SHM", "MIXED"})
    void freeWaitsForWhatWasStarted(Place place) {
        run(3, place, world -> {
            for (int round = 0; round < 10; round++) {
                Communicator made = world.duplicate();
                int count = 20;
                Request[] requests = new Request[count];
                long[][] sums = new long[count][round % 2 == 0 ? 1 : 20_000];
                for (int i = 0; i < count; i++) {
                    java.util.Arrays.fill(sums[i], i);
                    requests[i] = made.iallReduce(Data.IN_PLACE, sums[i], Reduction.SUM);
                }
                made.free();
                // The results are there; whoever has brought the last may be about to end its request.
                for (int i = 0; i < count; i++) {
                    assertEquals(3L * i, sums[i][sums[i].length - 1]);
                }
                world.device().waitAll(requests);
            }
        });
    }

    /** MPI's deferred end: what is on its way ends as it would have, and meets nothing of another communicator. */
    @Test
    void receivesThatWaitOutliveTheirCommunicator() {
        run(2, Place.THREADS, world -> {
            Communicator made = world.duplicate();
            int number = made.number;
            int[] late = new int[1];
            Request receive = world.rank() == 0 ? made.irecv(late, 1, 7) : null;
            if (world.rank() == 1) {
                // Nobody receives it before the end.
                made.send(new int[] {5}, 0, 8);
            }
            made.free();
            Communicator next = world.duplicate();
            int[] numbers = {next.number};
            world.allReduce(Data.IN_PLACE, numbers, Reduction.MAX);
            assertEquals(next.number, numbers[0]);
            assertNotEquals(number, next.number);
            if (world.rank() == 0) {
                int[] got = new int[1];
                next.recv(got, 1, 7);
                assertEquals(9, got[0]);
                assertTrue(!receive.isDone());
                receive.cancel();
                assertThrows(SluiceException.class, receive::waitFor);
            } else {
                next.send(new int[] {9}, 0, 7);
            }
            next.free();
        });
    }

    /** What they would take of another communicator's would be lost to it. */
    @Test
    void receivesOfObjectsThatWaitOutliveTheirCommunicator() {
        run(2, Place.THREADS, world -> {
            Communicator made = world.duplicate();
            int number = made.number;
            ObjectReceive<Object> receive = world.rank() == 0 ? made.objects().ireceive(1, 7) : null;
            made.free();
            Communicator next = world.duplicate();
            assertNotEquals(number, next.number);
            if (world.rank() == 0) {
                int[] got = new int[1];
                next.recv(got, 1, 7);
                assertEquals(9, got[0]);
                assertTrue(receive.arrival().cancel());
            } else {
                next.send(new int[] {9}, 0, 7);
            }
            next.free();
        });
    }

    @Test
    void aMillionAreAsGoodAsOne() {
        int count = Integer.getInteger("sluice.test.communicators", 20_000);
        run(2, Place.THREADS, 90 + count / 1_000, world -> {
            Communicator first = world.duplicate();
            int number = first.number;
            first.free();
            long before = usedBytes(world);
            for (int i = 0; i < count; i++) {
                Communicator made = world.duplicate();
                assertEquals(number, made.number);
                made.free();
            }
            long more = usedBytes(world) - before;
            assertTrue(more < 4 << 20, () -> more + " bytes more than before");
        });
    }

    private static long usedBytes(Communicator world) {
        world.barrier();
        if (world.rank() == 0) {
            for (int i = 0; i < 3; i++) {
                System.gc();
            }
        }
        world.barrier();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    // --- threads -----------------------------------------------------------------------------------------------------

    @Test
    void twoThreadsInCollectivesOfOneAreRefused() {
        run(2, Place.THREADS, world -> {
            if (world.rank() == 1) {
                world.recv(null, 0, 1);
                world.barrier();
                return;
            }
            AtomicReference<Throwable> refused = new AtomicReference<>();
            Thread other = new Thread(() -> {
                try {
                    // The first is in it by then: rank 1 hasn't come.
                    Thread.sleep(200);
                    world.barrier();
                } catch (Throwable e) {
                    refused.set(e);
                }
                world.send(null, 1, 1);
            });
            other.start();
            world.barrier();
            other.join();
            assertTrue(refused.get() instanceof IllegalStateException, () -> "" + refused.get());
            assertTrue(
                    refused.get().getMessage().contains("barrier"),
                    refused.get().getMessage());
        });
    }

    /** Communicators and intercommunicators of several parents, by a thread of each rank for each. */
    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"THREADS", "SHM", "MIXED"})
    void threadsMakeAllKindsAtOnce(Place place) {
        int threads = 3;
        run(4, place, world -> {
            Communicator[] parents = new Communicator[threads];
            for (int i = 0; i < threads; i++) {
                parents[i] = world.split(0, i % 2 == 0 ? world.rank() : -world.rank());
            }
            AtOnce.run(threads, thread -> {
                Communicator parent = parents[thread];
                for (int round = 0; round < 15; round++) {
                    Communicator half = parent.split(parent.rank() % 2, 0);
                    Intercommunicator between = half.createIntercommunicator(
                            0, world, parent.group().member(1 - parent.rank() % 2), thread);
                    Communicator merged = between.merge(parent.rank() % 2 == 1);
                    int[] all = new int[4];
                    merged.allGather(new int[] {100 * thread + parent.rank()}, all);
                    assertArrayEquals(
                            new int[] {100 * thread, 100 * thread + 2, 100 * thread + 1, 100 * thread + 3}, all);
                    int[] theirs = new int[2];
                    between.allGather(new int[] {parent.rank()}, theirs);
                    int first = 1 - parent.rank() % 2;
                    assertArrayEquals(new int[] {first, first + 2}, theirs);
                    merged.free();
                    between.free();
                    half.free();
                }
            });
        });
    }
}
