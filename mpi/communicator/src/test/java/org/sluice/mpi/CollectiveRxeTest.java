package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Place;

/** As {@link CollectiveModelTest}, over verbs and over all channels at once. */
@Tag("verbs")
final class CollectiveRxeTest {
    private static final int CALLS = 40;
    private static final int LIMIT_S = 150;
    private static final int WARM_UP = 20;
    private static final int COUNTED = 10;
    private static final int BLOCKS = 20;

    @ParameterizedTest(name = "{0} ranks, {1}")
    @CsvSource({"2, IB", "3, IB", "5, ALL"})
    void resultsAreTheModels(int ranks, Place place) {
        long seed = Long.getLong("sluice.test.seed", System.nanoTime() % 1_000_000);
        try (CommunicatorJob job = new CommunicatorJob(ranks, place)) {
            job.run(LIMIT_S, world -> new ModelRank(world, seed).storm(CALLS));
        }
    }

    /**
     * Only one rank of a node uses the wire, whatever its node has. A rank that waits long asks for signs of life, and
     * has peers stop writing to its ring before it sleeps: of several blocks the least is what the algorithm takes.
     */
    @ParameterizedTest(name = "{0} ranks of {1} nodes, {2}")
    @CsvSource({"2, 2, IB", "3, 3, IB", "4, 4, IB", "8, 2, ALL"})
    void aShortAllReduceCostsFewWorkRequests(int ranks, int nodes, Place place) {
        int rounds = Integer.SIZE - Integer.numberOfLeadingZeros(nodes - 1);
        try (CommunicatorJob job = new CommunicatorJob(ranks, place)) {
            job.run(LIMIT_S, world -> reduce(world, WARM_UP));
            double[] ofLeader = new double[BLOCKS];
            for (int block = 0; block < BLOCKS; block++) {
                long before = job.counted("work.requests");
                job.run(LIMIT_S, world -> reduce(world, COUNTED));
                ofLeader[block] = (job.counted("work.requests") - before) / (double) (nodes * COUNTED);
            }
            String found = Arrays.toString(ofLeader) + " work requests a leader, " + nodes + " nodes, " + place;
            System.out.println(found);
            assertTrue(Arrays.stream(ofLeader).min().getAsDouble() <= 2 * rounds, found);
        }
    }

    private static void reduce(Communicator world, int calls) {
        for (int i = 0; i < calls; i++) {
            long[] sum = {1};
            world.allReduce(Data.IN_PLACE, sum, Reduction.SUM);
            assertEquals(world.size(), sum[0]);
        }
    }

    /** Leaders exchange one segment while their nodes have another. */
    @Test
    void whatIsLongGoesInSegments() {
        int longs = (1 << 21) / Long.BYTES + 3;
        try (CommunicatorJob job = new CommunicatorJob(8, Place.ALL)) {
            job.run(LIMIT_S, world -> {
                reduce(world, 6);
                long[] data = new long[longs];
                for (int call = 0; call < 3; call++) {
                    Arrays.fill(data, world.rank() == call ? call + 1 : 0);
                    world.broadcast(data, call);
                    assertEquals(
                            longs, Arrays.stream(data).filter(each -> each > 0).count());
                    world.allReduce(Data.IN_PLACE, data, Reduction.SUM);
                    long sum = (call + 1L) * world.size();
                    assertTrue(Arrays.stream(data).allMatch(each -> each == sum));
                }
            });
        }
    }

    @ParameterizedTest(name = "{0} ranks, {1}")
    @CsvSource({"3, IB", "6, ALL"})
    void resultsBetweenGroupsAreTheModels(int ranks, Place place) {
        long seed = Long.getLong("sluice.test.seed", System.nanoTime() % 1_000_000);
        try (CommunicatorJob job = new CommunicatorJob(ranks, place)) {
            job.run(LIMIT_S, world -> new InterModelRank(world, seed).storm(4, 10));
        }
    }

    @Test
    void ranksOfANodeComeTogether() {
        try (CommunicatorJob job = new CommunicatorJob(6, Place.ALL)) {
            job.run(LIMIT_S, world -> {
                Communicator node = world.splitByPlace(org.sluice.mpi.Place.NODE, 0);
                assertEquals(world.rank() < 4 ? 4 : 2, node.size());
                Communicator jvm = node.splitByPlace(org.sluice.mpi.Place.JVM, 0);
                assertEquals(2, jvm.size());
                assertEquals(world.rank() / 2 * 2, jvm.group().member(0));
            });
        }
    }
}
