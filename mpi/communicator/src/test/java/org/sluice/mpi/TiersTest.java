package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Place;
import org.sluice.mpi.algorithm.Choice;

/** Ranks that are not all as near: the near ones first, and leaders among themselves. */
@Tag("once")
@Timeout(60)
final class TiersTest {
    private static final int WARM_UP = 30;
    private static final int CALLS = 50;

    private static void all(Communicator world, int round) {
        world.barrier();
        int root = round % world.size();
        long[] told = {world.rank() == root ? 100 + round : -1};
        world.broadcast(told, root);
        assertEquals(100 + round, told[0]);
        double[] sum = {world.rank(), 1};
        world.allReduce(Data.IN_PLACE, sum, Reduction.SUM);
        assertEquals(world.size() * (world.size() - 1) / 2, sum[0]);
        assertEquals(world.size(), sum[1]);
        int[] most = new int[1];
        world.allReduce(new int[] {world.rank()}, most, Reduction.MAX);
        assertEquals(world.size() - 1, most[0]);
    }

    /** Through at all ranks: a failure that follows would also end the last of these where it is still on its way. */
    private static void warmUp(CommunicatorJob job) {
        job.run(world -> {
            for (int round = 0; round < WARM_UP; round++) {
                all(world, round);
            }
        });
    }

    /** Two by two in one JVM, and three such JVMs: both tiers have cells. */
    @ParameterizedTest
    @ValueSource(ints = {3, 6})
    void shortOnesNeedNoMessage(int ranks) {
        try (CommunicatorJob job = new CommunicatorJob(ranks, Place.MIXED)) {
            warmUp(job);
            long before = job.counted("sent.eager");
            job.run(world -> {
                for (int round = 0; round < CALLS; round++) {
                    all(world, round);
                }
            });
            assertEquals(before, job.counted("sent.eager"));
        }
    }

    /** Over sockets leaders alone exchange messages, one in each round. */
    @Test
    void leadersOfNodesGoBetweenThem() {
        try (CommunicatorJob job = new CommunicatorJob(8, Place.TCP)) {
            warmUp(job);
            long before = job.counted("sent.eager");
            job.run(world -> {
                for (int call = 0; call < CALLS; call++) {
                    world.allReduce(Data.IN_PLACE, new double[1], Reduction.SUM);
                }
            });
            int rounds = 2;
            assertEquals(CALLS * 4 * rounds, job.counted("sent.eager") - before);
        }
    }

    /**
     * Of which leaders exchange one segment while others are on their way on their nodes, if there are cores for it: so
     * it is where ranks spin.
     */
    @ParameterizedTest
    @CsvSource({"3, MIXED, 0", "4, MIXED, 50", "7, MIXED, 50", "7, TCP, 0", "7, TCP, 50"})
    void longOnesGoInSegments(int ranks, Place place, int spinUs) {
        int length = (int) (3 * Choice.segmentBytes(2, false) / Double.BYTES) + 14;
        try (CommunicatorJob job = new CommunicatorJob(ranks, place, spin(spinUs))) {
            warmUp(job);
            job.run(world -> {
                double[] told = new double[length];
                double[] sum = new double[length];
                for (int root = 0; root < ranks; root++) {
                    for (int i = 0; i < length; i++) {
                        told[i] = world.rank() == root ? i + root : -1;
                    }
                    world.broadcast(told, root);
                    for (int i = 0; i < length; i++) {
                        assertEquals(i + root, told[i]);
                    }
                    if (root % 2 == 0) {
                        world.allReduce(told, sum, Reduction.SUM);
                    } else {
                        System.arraycopy(told, 0, sum, 0, length);
                        world.allReduce(Data.IN_PLACE, sum, Reduction.SUM);
                    }
                    for (int i = 0; i < length; i++) {
                        assertEquals((double) ranks * (i + root), sum[i]);
                    }
                }
            });
        }
    }

    @Test
    void segmentsHaveWholeItems() {
        int pairs = (int) (3 * Choice.segmentBytes(2, false) / (2 * Integer.BYTES)) + 5;
        try (CommunicatorJob job = new CommunicatorJob(4, Place.MIXED, spin(50))) {
            warmUp(job);
            job.run(world -> {
                // Every other pair, so that they have to be packed.
                int[] own = new int[4 * pairs];
                for (int i = 0; i < pairs; i++) {
                    own[4 * i] = (i + world.rank()) % 4;
                    own[4 * i + 1] = world.rank();
                    own[4 * i + 2] = -7;
                }
                Layout pair = Layout.INT.contiguous(2).resized(0, 4 * Integer.BYTES);
                world.allReduce(Data.IN_PLACE, Data.of(own, 0, pairs, pair), Reduction.MAX_LOCATION);
                for (int i = 0; i < pairs; i++) {
                    assertEquals(3, own[4 * i]);
                    assertEquals((3 - i % 4 + 4) % 4, own[4 * i + 1]);
                    assertEquals(-7, own[4 * i + 2]);
                }
                if (world.rank() != 2) {
                    java.util.Arrays.fill(own, 0);
                }
                world.broadcast(Data.of(own, 0, pairs, pair), 2);
                for (int i = 0; i < pairs; i++) {
                    assertEquals(3, own[4 * i]);
                    assertEquals(world.rank() == 2 ? -7 : 0, own[4 * i + 2]);
                }
            });
        }
    }

    private static Map<String, String> spin(int us) {
        return Map.of("sluice.wait.spin.us", Integer.toString(us));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 50})
    void aReductionThatThrowsInASegmentFailsForAll(int spinUs) {
        int length = (int) (4 * Choice.segmentBytes(2, false) / Integer.BYTES);
        Reduction failing = Reduction.of(
                (left, leftAt, right, rightAt, count, layout) -> {
                    for (int i = 0; i < count; i++) {
                        if (((int[]) left)[leftAt + i] == length / 2) {
                            throw new ArithmeticException("in the middle");
                        }
                        ((int[]) right)[rightAt + i] += ((int[]) left)[leftAt + i];
                    }
                },
                true);
        try (CommunicatorJob job = new CommunicatorJob(4, Place.MIXED, spin(spinUs))) {
            warmUp(job);
            job.run(world -> {
                int[] own = new int[length];
                for (int i = 0; i < length; i++) {
                    // Rank 0 meets it between leaders, others with those of their JVM.
                    own[i] = world.rank() < 2 ? i : 0;
                }
                RuntimeException thrown =
                        assertThrows(RuntimeException.class, () -> world.allReduce(own, new int[length], failing));
                if (!(thrown instanceof ArithmeticException)) {
                    assertEquals(ErrorCode.COLLECTIVE_FAILED, ((SluiceException) thrown).code());
                }
                assertThrows(SluiceException.class, world::barrier);
                world.agree(0);
            });
        }
    }

    @Test
    void theyGoWithTheirCommunicator() {
        try (CommunicatorJob job = new CommunicatorJob(4, Place.MIXED)) {
            job.run(world -> {
                // More than there are numbers for, if those of tiers were lost.
                for (int i = 0; i < 400; i++) {
                    Communicator other = world.duplicate();
                    for (int round = 0; round < 3; round++) {
                        all(other, round);
                    }
                    other.free();
                }
            });
        }
    }

    @Test
    void whatFailsInATierFailsForAll() {
        Reduction failing = Reduction.of(
                (left, leftAt, right, rightAt, count, layout) -> {
                    throw new ArithmeticException("of a tier");
                },
                true);
        try (CommunicatorJob job = new CommunicatorJob(4, Place.MIXED)) {
            warmUp(job);
            job.run(world -> {
                Reduction own = world.rank() < 2 ? failing : Reduction.of((a, b, c, d, e, f) -> {}, true);
                RuntimeException thrown =
                        assertThrows(RuntimeException.class, () -> world.allReduce(new int[1], new int[1], own));
                if (!(thrown instanceof ArithmeticException)) {
                    SluiceException failure = (SluiceException) thrown;
                    assertEquals(ErrorCode.COLLECTIVE_FAILED, failure.code());
                    assertTrue(failure.peer() < 2, failure::toString);
                    assertTrue(failure.getMessage().contains("Communicator[world, rank "), failure::getMessage);
                }
                assertThrows(SluiceException.class, world::barrier);
            });
        }
    }

    @Test
    void otherCallsAreFoundInATier() {
        try (CommunicatorJob job = new CommunicatorJob(4, Place.MIXED)) {
            warmUp(job);
            job.run(world -> {
                MismatchedCallException found = assertThrows(MismatchedCallException.class, () -> {
                    if (world.rank() == 3) {
                        world.allReduce(new int[1], new int[1], Reduction.SUM);
                    } else {
                        world.barrier();
                    }
                    world.barrier();
                });
                assertTrue(found.getMessage().contains("Communicator[world, rank "), found::getMessage);
            });
        }
    }

    /** What goes flat, while the others go by tiers, and wait in cells or for messages. */
    private enum FlatCall {
        /** The root waits for messages of all. */
        GATHER,
        ALL_GATHER,
        SCAN;

        void call(Communicator world) {
            int size = world.size();
            switch (this) {
                case GATHER -> world.gather(new int[1], new int[size], world.rank());
                case ALL_GATHER -> world.allGather(new int[1], new int[size]);
                default -> world.scan(new int[1], new int[1], Reduction.SUM);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(FlatCall.class)
    void callsThatDontGoByTiersAreFound(FlatCall flat) {
        int length = (int) (3 * Choice.segmentBytes(2, false) / Integer.BYTES);
        assertIsFound(flat, 0, 1);
        assertIsFound(flat, 0, length);
        assertIsFound(flat, 3, 0);
    }

    private static void assertIsFound(FlatCall flat, int other, int elements) {
        try (CommunicatorJob job = new CommunicatorJob(5, Place.MIXED)) {
            warmUp(job);
            job.run(world -> {
                MismatchedCallException found = assertThrows(MismatchedCallException.class, () -> {
                    if (world.rank() == other) {
                        flat.call(world);
                    } else if (elements == 0) {
                        world.barrier();
                    } else {
                        world.allReduce(Data.IN_PLACE, new int[elements], Reduction.SUM);
                    }
                    world.barrier();
                });
                assertTrue(found.getMessage().contains("Communicator[world, rank "), found::getMessage);
                // Who is asked to forget a message has to answer.
                world.agree(0);
            });
        }
    }
}
