package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Place;

/** Ranks that are not all as near: the near ones first, and leaders among themselves. */
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

    /** Two by two in one JVM, and three such JVMs: both tiers have cells. */
    @ParameterizedTest
    @ValueSource(ints = {3, 6})
    void shortOnesNeedNoMessage(int ranks) {
        try (CommunicatorJob job = new CommunicatorJob(ranks, Place.MIXED)) {
            job.run(world -> {
                for (int round = 0; round < WARM_UP; round++) {
                    all(world, round);
                }
            });
            long before = job.counted("sent.eager");
            job.run(world -> {
                for (int round = 0; round < CALLS; round++) {
                    all(world, round);
                }
            });
            assertEquals(before, job.counted("sent.eager"));
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
            job.run(world -> {
                for (int round = 0; round < WARM_UP; round++) {
                    all(world, round);
                }
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
            job.run(world -> {
                for (int round = 0; round < WARM_UP; round++) {
                    all(world, round);
                }
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
}
