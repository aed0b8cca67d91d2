package org.sluice.mpi.cell;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Place;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.Data;
import org.sluice.mpi.MismatchedCallException;
import org.sluice.mpi.Reduction;

/** What {@code CollectiveModelTest} can't see: who copies, and when an array is its caller's again. */
final class ArrayCollectivesTest {
    private static final int LONGS = 3_001;
    private static final int ROUNDS = 400;
    /** Collectives after which a communicator has cells. */
    private static final int FIRST = 6;

    private static void warm(Communicator world) {
        for (int i = 0; i < FIRST; i++) {
            world.barrier();
        }
    }

    /** Each array is written anew as soon as its call has returned, while some rank is late. */
    @ParameterizedTest(name = "{0} ranks")
    @ValueSource(ints = {2, 3, 5})
    void anArrayIsItsCallersAgain(int ranks) {
        long seed = System.nanoTime();
        try (CommunicatorJob job = new CommunicatorJob(ranks, Place.THREADS)) {
            job.run(ArrayCollectivesTest::warm);
            long before = job.counted("sent.eager");
            job.run(world -> {
                Random own = new Random(seed + world.rank());
                long[] given = new long[LONGS * ranks];
                long[] result = new long[LONGS * ranks];
                for (int round = 0; round < ROUNDS; round++) {
                    if (own.nextInt(50) == 0) {
                        Thread.sleep(1);
                    }
                    Arrays.fill(given, number(round, world.rank()));
                    round(world, round, given, result);
                }
            });
            assertEquals(before, job.counted("sent.eager"), "messages were sent");
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed, e);
        }
    }

    private static long number(int round, int rank) {
        return 1_000L * round + rank;
    }

    private static void round(Communicator world, int round, long[] given, long[] result) {
        int ranks = world.size();
        long sum = 0;
        for (int rank = 0; rank < ranks; rank++) {
            sum += number(round, rank);
        }
        switch (round % 4) {
            case 0:
                world.allReduce(given, result, Reduction.SUM);
                assertAll(sum, result, 0, result.length);
                break;
            case 1:
                world.allReduce(Data.IN_PLACE, given, Reduction.SUM);
                assertAll(sum, given, 0, given.length);
                break;
            case 2:
                world.allGather(Data.of(given, 0, LONGS), result);
                for (int rank = 0; rank < ranks; rank++) {
                    assertAll(number(round, rank), result, rank * LONGS, LONGS);
                }
                break;
            default:
                world.reduceScatterBlock(given, Data.of(result, 0, LONGS), Reduction.MAX);
                assertAll(number(round, ranks - 1), result, 0, LONGS);
                break;
        }
    }

    private static void assertAll(long expected, long[] found, int from, int count) {
        long[] all = new long[count];
        Arrays.fill(all, expected);
        assertArrayEquals(all, Arrays.copyOfRange(found, from, from + count));
    }

    /** It could be freed by a rank whose call has failed while another still reads. */
    @Test
    void memoryOutsideOfTheHeapIsCopiedFirst() {
        int ranks = 3;
        try (CommunicatorJob job = new CommunicatorJob(ranks, Place.THREADS)) {
            job.run(world -> {
                warm(world);
                ByteBuffer given = ByteBuffer.allocateDirect(ranks * LONGS).order(ByteOrder.nativeOrder());
                for (int i = 0; i < given.capacity(); i++) {
                    given.put(i, (byte) (10 * world.rank() + i / LONGS));
                }
                ByteBuffer result = ByteBuffer.allocateDirect(ranks * LONGS);
                world.allToAll(given, result);
                for (int i = 0; i < ranks * LONGS; i++) {
                    assertEquals(10 * (i / LONGS) + world.rank(), result.get(i));
                }
            });
        }
    }

    @Test
    void ranksThatGiveOtherLengthsHear() {
        try (CommunicatorJob job = new CommunicatorJob(2, Place.THREADS)) {
            job.run(world -> {
                warm(world);
                long[] given = new long[LONGS + world.rank()];
                String message = assertThrows(
                                MismatchedCallException.class,
                                () -> world.allReduce(given, new long[given.length], Reduction.SUM))
                        .getMessage();
                assertTrue(message.contains("allReduce"), message);
            });
        }
    }
}
