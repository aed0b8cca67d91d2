package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluice.device.ErrorCode;
import org.sluice.device.Request;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Body;
import org.sluice.hybrid.device.CommunicatorJob.Place;

/** Collectives that nobody waits for at once. */
@Tag("once")
final class StartedTest {
    private static void run(int ranks, Place place, Body body) {
        try (CommunicatorJob job = new CommunicatorJob(ranks, place)) {
            job.run(60, body);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"THREADS", "SHM", "MIXED"})
    void manyAreOnTheirWayAndAreWaitedForInReverse(Place place) {
        int count = 30;
        assertTrue(count > 3 * Communicator.SLOTS);
        run(5, place, world -> {
            for (int round = 0; round < 10; round++) {
                Request[] requests = new Request[count];
                long[][] results = new long[count][];
                for (int i = 0; i < count; i++) {
                    // Some don't fit into one packet.
                    results[i] = new long[i % 4 == 3 ? 5_000 : 3];
                    java.util.Arrays.fill(results[i], world.rank() + i);
                    requests[i] = world.iallReduce(Data.IN_PLACE, results[i], Reduction.SUM);
                    if (i % 7 == 6) {
                        assertBlockingOnesWork(world, i);
                    }
                }
                for (int i = count - 1; i >= 0; i--) {
                    requests[i].waitFor();
                    assertEquals(ErrorCode.NONE, requests[i].error());
                    for (long each : results[i]) {
                        assertEquals(10 + 5L * i, each);
                    }
                }
            }
        });
    }

    private static void assertBlockingOnesWork(Communicator world, int number) {
        int[] value = {world.rank() == 2 ? number : -1};
        world.broadcast(value, 2);
        assertEquals(number, value[0]);
    }

    /** What waits for its place goes on where there is no end of those that are over at once. */
    @Test
    void verySeveralAreOverOneAfterTheOther() {
        int count = 40_000;
        run(2, Place.THREADS, world -> {
            Request[] requests = new Request[count];
            byte[][] buffers = new byte[count][1];
            if (world.rank() == 0) {
                // All of rank 1 wait by then.
                world.recv(null, 1, 0);
            }
            for (int i = 0; i < count; i++) {
                buffers[i][0] = (byte) (world.rank() == 0 ? i : 0);
                requests[i] = world.ibroadcast(buffers[i], 0);
            }
            if (world.rank() == 1) {
                world.send(null, 0, 0);
            }
            world.device().waitAll(requests);
            for (int i = 0; i < count; i++) {
                assertEquals((byte) i, buffers[i][0]);
            }
        });
    }

    @Test
    void theDeviceWaitsForThemBesideMessages() {
        run(2, Place.THREADS, world -> {
            int other = 1 - world.rank();
            if (world.rank() == 0) {
                assertWaitsForEither(world);
            } else {
                world.barrier();
                world.recv(null, 0, 2);
                world.send(new byte[] {5}, 0, 1);
                world.recv(null, 0, 2);
                world.barrier();
            }
            Request all = world.iallReduce(new int[] {world.rank()}, new int[1], Reduction.MAX);
            world.device().waitAll(world.isend(null, other, 2), world.irecv(null, other, 2), all);
            assertTrue(all.isDone());
        });
    }

    private static void assertWaitsForEither(Communicator world) {
        byte[] message = new byte[1];
        Request[] both = {world.irecv(message, 1, 1), world.ibarrier()};
        assertEquals(1, world.device().waitAny(both));
        assertNull(both[0].test());
        assertEquals(0, both[1].waitFor().bytes());
        both[1] = world.ibarrier();
        world.send(null, 1, 2);
        assertEquals(0, world.device().waitAny(both));
        assertArrayEquals(new byte[] {5}, message);
        assertNull(both[1].test());
        world.send(null, 1, 2);
        both[1].waitFor();
    }

    @Test
    void theyHaveFutures() {
        run(3, Place.THREADS, world -> {
            int[] result = new int[1];
            Request request = world.iallReduce(new int[] {world.rank() + 1}, result, Reduction.PRODUCT);
            CompletableFuture<Integer> future = request.toFuture().thenApply(status -> result[0]);
            assertEquals(6, future.get(20, TimeUnit.SECONDS));
            assertSame(request.toFuture(), request.toFuture());
            // One that has ended before it is asked for.
            Request ended = world.ibarrier();
            ended.waitFor();
            assertEquals(
                    ErrorCode.NONE, ended.toFuture().get(20, TimeUnit.SECONDS).error());
        });
    }

    @Test
    void aWaitMayEndBeforeThem() {
        run(2, Place.THREADS, world -> {
            if (world.rank() == 0) {
                Request request = world.ibarrier();
                assertNull(request.waitFor(20, TimeUnit.MILLISECONDS));
                assertNull(request.test());
                world.send(null, 1, 3);
                request.waitFor();
            } else {
                world.recv(null, 0, 3);
                world.barrier();
            }
        });
    }

    @Test
    void itemsThatLieApartAreThereWhenTheyEnd() {
        run(2, Place.THREADS, world -> {
            double[] columns = new double[8];
            Layout column = Layout.DOUBLE.vector(4, 1, 2);
            for (int i = 0; i < 4; i++) {
                columns[2 * i] = world.rank() == 0 ? i + 1 : 0;
                columns[2 * i + 1] = -1;
            }
            world.ibroadcast(Data.of(columns, 0, 1, column), 0).waitFor();
            assertArrayEquals(new double[] {1, -1, 2, -1, 3, -1, 4, -1}, columns);
        });
    }

    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"THREADS", "SHM", "MIXED"})
    void persistentOnesReadTheirBufferAtEachStart(Place place) {
        try (CommunicatorJob job = new CommunicatorJob(4, place)) {
            job.run(world -> {
                long[] own = new long[1];
                long[] sum = new long[1];
                int[] ranks = new int[4];
                PersistentRequest reduction = world.allReduceInit(own, sum, Reduction.SUM);
                PersistentRequest gather = world.allGatherInit(new int[] {world.rank()}, ranks);
                assertThrows(IllegalArgumentException.class, () -> world.broadcastInit(own, 4));
                for (int round = 0; round < 100; round++) {
                    own[0] = round * (world.rank() + 1);
                    PersistentRequest.startAll(reduction, gather);
                    world.waitAll(reduction, gather);
                    assertEquals(10 * round, sum[0]);
                    assertArrayEquals(new int[] {0, 1, 2, 3}, ranks);
                }
            });
        }
    }
}
