package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Body;
import org.sluice.hybrid.device.CommunicatorJob.Place;

/** Grids and graphs by hand, and what is refused. */
final class TopologyTest {
    private static final int NOBODY = MessageSpace.PROC_NULL;

    private static void run(int ranks, Body body) {
        run(ranks, Place.THREADS, body);
    }

    private static void run(int ranks, Place place, Body body) {
        try (CommunicatorJob job = new CommunicatorJob(ranks, place)) {
            job.run(60, body);
        }
    }

    private static int[] ints(int... ints) {
        return ints;
    }

    private static boolean[] are(boolean... periodic) {
        return periodic;
    }

    private static void assertRefused(String words, Executable call) {
        String message = assertThrows(IllegalArgumentException.class, call).getMessage();
        assertTrue(message.contains(words), message);
    }

    private static void assertWorks(Communicator communicator) {
        int[] sum = {1};
        communicator.allReduce(Data.IN_PLACE, sum, Reduction.SUM);
        assertEquals(communicator.size(), sum[0]);
    }

    // --- grids -------------------------------------------------------------------------------------------------------

    /** Two rows, which have ends, of three, which are a ring. */
    @Test
    void ranksAreInRows() {
        run(7, world -> {
            CartesianCommunicator grid = world.createCartesian(ints(2, 3), are(false, true), false);
            if (world.rank() == 6) {
                assertNull(grid);
                return;
            }
            assertEquals(world.rank(), grid.rank());
            assertEquals(6, grid.size());
            assertArrayEquals(ints(2, 3), grid.dims());
            assertArrayEquals(are(false, true), grid.periodic());
            int[][] places = {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}};
            for (int i = 0; i < places.length; i++) {
                assertArrayEquals(places[i], grid.coordinates(i));
                assertEquals(i, grid.rankOf(places[i]));
            }
            assertArrayEquals(places[grid.rank()], grid.coordinates());
            assertEquals(5, grid.rankOf(1, -1));
            assertEquals(4, grid.rankOf(1, 301));
            int[][] neighbours = {
                {NOBODY, 3, 2, 1},
                {NOBODY, 4, 0, 2},
                {NOBODY, 5, 1, 0},
                {0, NOBODY, 5, 4},
                {1, NOBODY, 3, 5},
                {2, NOBODY, 4, 3}
            };
            assertArrayEquals(neighbours[grid.rank()], grid.sources());
            assertArrayEquals(neighbours[grid.rank()], grid.destinations());
            assertWorks(grid);
            grid.free();
        });
    }

    @Test
    void aShiftHasASourceAndADestination() {
        run(6, world -> {
            CartesianCommunicator grid = world.createCartesian(ints(2, 3), are(false, true), false);
            if (grid.rank() == 1) {
                assertEquals(new CartesianCommunicator.Shift(NOBODY, 4), grid.shift(0, 1));
                assertEquals(new CartesianCommunicator.Shift(4, NOBODY), grid.shift(0, -1));
                assertEquals(new CartesianCommunicator.Shift(NOBODY, NOBODY), grid.shift(0, 2));
                assertEquals(new CartesianCommunicator.Shift(0, 2), grid.shift(1, 1));
                assertEquals(new CartesianCommunicator.Shift(2, 0), grid.shift(1, -1));
                assertEquals(new CartesianCommunicator.Shift(2, 0), grid.shift(1, 5));
                assertEquals(new CartesianCommunicator.Shift(1, 1), grid.shift(1, 3));
                assertEquals(new CartesianCommunicator.Shift(1, 1), grid.shift(0, 0));
                // -2147483648 is 1 more than a multiple of 3.
                assertEquals(new CartesianCommunicator.Shift(0, 2), grid.shift(1, Integer.MIN_VALUE));
                assertEquals(new CartesianCommunicator.Shift(NOBODY, NOBODY), grid.shift(0, Integer.MIN_VALUE));
            }
            assertRefused("dimension 2 is out of range", () -> grid.shift(2, 1));
            assertRefused("dimension -1 is out of range", () -> grid.shift(-1, 1));
            assertRefused("coordinate 0 is 2", () -> grid.rankOf(2, 0));
            assertRefused("coordinate 0 is -1", () -> grid.rankOf(-1, 0));
            assertRefused("1 coordinates were given", () -> grid.rankOf(1));
            assertRefused("rank 6 is out of range", () -> grid.coordinates(6));
            assertRefused("rank -1 is out of range", () -> grid.coordinates(-1));
        });
    }

    @Test
    void aPartOfTheDimensionsMakesGridsOfItsOwn() {
        run(6, world -> {
            CartesianCommunicator grid = world.createCartesian(ints(1, 2, 3), are(true, false, true), false);
            int row = world.rank() / 3;
            int column = world.rank() % 3;
            CartesianCommunicator rows = grid.sub(false, false, true);
            assertArrayEquals(ints(3), rows.dims());
            assertArrayEquals(are(true), rows.periodic());
            assertArrayEquals(
                    ints(3 * row, 3 * row + 1, 3 * row + 2), rows.group().members());
            assertEquals(column, rows.rank());
            CartesianCommunicator columns = grid.sub(true, true, false);
            assertArrayEquals(ints(1, 2), columns.dims());
            assertArrayEquals(are(true, false), columns.periodic());
            assertArrayEquals(ints(column, column + 3), columns.group().members());
            CartesianCommunicator single = grid.sub(false, false, false);
            assertArrayEquals(ints(), single.dims());
            assertArrayEquals(ints(), single.sources());
            assertArrayEquals(ints(world.rank()), single.group().members());
            assertEquals(0, single.rankOf());
            assertArrayEquals(ints(), single.coordinates());
            single.neighbourAllToAll(null, null);
            for (Communicator each : new Communicator[] {rows, columns, single}) {
                assertWorks(each);
                each.free();
            }
            assertRefused("2 entries say what is kept", () -> grid.sub(true, true));
            assertRefused("no entries say what is kept", () -> grid.sub((boolean[]) null));
            assertRefused("different dimensions to keep", () -> grid.sub(world.rank() == 4, true, true));
            assertWorks(grid);
        });
    }

    @Test
    void aGridOfNoDimensionsHasOnePlace() {
        run(3, world -> {
            CartesianCommunicator grid = world.createCartesian(ints(), are(), true);
            assertEquals(world.rank() != 0, grid == null);
            if (grid != null) {
                assertEquals(1, grid.size());
                assertWorks(grid);
            }
            assertWorks(world);
        });
    }

    @Test
    void aDuplicateHasTheTopologyAndPartsHaveNone() {
        run(4, world -> {
            CartesianCommunicator grid = world.createCartesian(ints(2, 2), are(true, true), false);
            CartesianCommunicator again = grid.duplicate();
            assertArrayEquals(grid.dims(), again.dims());
            assertArrayEquals(grid.destinations(), again.destinations());
            assertFalse(grid.split(0, 0) instanceof TopologyCommunicator);
            assertFalse(grid.create(grid.group()) instanceof TopologyCommunicator);
            GraphCommunicator graph = world.createGraph(ints(1, 2, 3, 4), ints(1, 0, 3, 2));
            assertArrayEquals(graph.edges(), graph.duplicate().edges());
            int[] all = new int[1];
            graph.duplicate().neighbourAllGather(ints(world.rank()), all);
            assertEquals(world.rank() ^ 1, all[0]);
            DistributedGraphCommunicator ring = world.createDistributedGraphAdjacent(
                    ints((world.rank() + 3) % 4), ints(7), ints((world.rank() + 1) % 4), ints(7));
            assertArrayEquals(ints(7), ring.duplicate().sourceWeights());
            assertEquals(1, ring.inDegree());
            assertEquals(1, ring.outDegree());
            Communicator plain = ring;
            assertEquals(DistributedGraphCommunicator.class, plain.duplicate().getClass());
        });
    }

    /** Ranks 0, 2, 4 and so on of the communicator that is reordered are in one JVM with none of their neighbours. */
    @Test
    void ranksOfOneJvmAreBesideEachOther() {
        run(8, Place.MIXED, world -> {
            Communicator apart = world.split(0, world.rank() % 2 * 8 + world.rank() / 2);
            CartesianCommunicator grid = apart.createCartesian(ints(4, 2), are(false, false), true);
            assertEquals(grid.rank(), apart.cartesianRank(ints(4, 2), are(false, false)));
            CartesianCommunicator smaller = apart.createCartesian(ints(5), are(true), true);
            int rankOfSmaller = smaller == null ? Group.NO_RANK : smaller.rank();
            assertEquals(rankOfSmaller, apart.cartesianRank(ints(5), are(true)));
            int[] members = grid.group().members();
            for (int row = 0; row < 4; row++) {
                assertEquals(members[2 * row] / 2, members[2 * row + 1] / 2, () -> Arrays.toString(members));
            }
            assertArrayEquals(
                    apart.group().members(),
                    apart.createCartesian(ints(4, 2), are(false, false), false)
                            .group()
                            .members());
            assertWorks(grid);
        });
    }

    @Test
    void gridsThatCannotBeAreRefused() {
        run(4, world -> {
            assertRefused("has 6 places", () -> world.createCartesian(ints(2, 3), are(true, true), false));
            assertRefused("size 0", () -> world.createCartesian(ints(2, 0), are(true, true), false));
            assertRefused("size -2", () -> world.createCartesian(ints(-2, -2), are(true, true), false));
            assertRefused("2 dims and 1 entries", () -> world.createCartesian(ints(2, 2), are(true), false));
            assertRefused("dims is null", () -> world.createCartesian(null, are(true), false));
            assertRefused("periodic is null", () -> world.createCartesian(ints(2), null, false));
            // Their product is 0 in an int.
            assertRefused("more than", () -> world.createCartesian(ints(1 << 16, 1 << 16), are(true, true), false));
            boolean isOdd = world.rank() == 1;
            assertRefused("different grids", () -> world.createCartesian(isOdd ? ints(2) : ints(3), are(true), false));
            assertRefused("different grids", () -> world.createCartesian(ints(2), are(isOdd), false));
            assertRefused("different grids", () -> world.createCartesian(ints(2), are(true), isOdd));
            assertRefused("different grids", () -> world.cartesianRank(isOdd ? ints(2) : ints(3), are(true)));
            assertRefused("has 6 places", () -> world.cartesianRank(ints(2, 3), are(true, true)));
            assertWorks(world);
        });
    }

    // --- graphs ------------------------------------------------------------------------------------------------------

    /** The example of MPI 4.1, section 8.5.3. */
    @Test
    void aGraphIsGivenByIndexAndEdges() {
        run(5, world -> {
            GraphCommunicator graph = world.createGraph(ints(2, 3, 4, 6), ints(1, 3, 0, 3, 0, 2));
            int rank = graph == null ? Group.NO_RANK : graph.rank();
            assertEquals(rank, world.graphRank(ints(2, 3, 4, 6), ints(1, 3, 0, 3, 0, 2)));
            assertRefused("edge 0 leads to node 9", () -> world.graphRank(ints(1), ints(9)));
            if (world.rank() == 4) {
                assertNull(graph);
                assertNull(world.createGraph(ints(), ints()));
                return;
            }
            assertEquals(4, graph.size());
            assertArrayEquals(ints(2, 3, 4, 6), graph.index());
            assertArrayEquals(ints(1, 3, 0, 3, 0, 2), graph.edges());
            int[][] lists = {{1, 3}, {0}, {3}, {0, 2}};
            for (int i = 0; i < lists.length; i++) {
                assertArrayEquals(lists[i], graph.neighbours(i));
                assertEquals(lists[i].length, graph.neighbourCount(i));
            }
            assertArrayEquals(lists[graph.rank()], graph.sources());
            assertRefused("rank 4 is out of range", () -> graph.neighbours(4));
            assertRefused("rank -1 is out of range", () -> graph.neighbourCount(-1));
            assertNull(world.createGraph(ints(), ints()));
        });
    }

    @Test
    void aGraphMayHaveOneDirectionAndNoCollectivesThen() {
        run(2, world -> {
            GraphCommunicator graph = world.createGraph(ints(1, 1), ints(1));
            assertArrayEquals(ints(1), graph.neighbours(0));
            assertArrayEquals(ints(), graph.neighbours(1));
            assertThrows(IllegalStateException.class, () -> graph.neighbourAllGather(ints(1), ints(1)));
            assertThrows(IllegalStateException.class, () -> graph.ineighbourAllToAll(ints(1), ints(1)));
            assertWorks(graph);
        });
    }

    @Test
    void graphsThatCannotBeAreRefused() {
        run(3, world -> {
            assertRefused("4 nodes", () -> world.createGraph(ints(0, 0, 0, 0), ints()));
            assertRefused("index 1 is 1, less than 2", () -> world.createGraph(ints(2, 1, 2), ints(0, 1)));
            assertRefused("index 0 is -1", () -> world.createGraph(ints(-1, 0), ints()));
            assertRefused("3 edges were given", () -> world.createGraph(ints(1, 2), ints(0, 1, 1)));
            assertRefused("1 edges were given", () -> world.createGraph(ints(1, 2), ints(0)));
            assertRefused("leads to node 2", () -> world.createGraph(ints(1, 2), ints(1, 2)));
            assertRefused("leads to node -1", () -> world.createGraph(ints(1, 2), ints(-1, 0)));
            assertRefused("index is null", () -> world.createGraph(null, ints()));
            assertRefused("edges is null", () -> world.createGraph(ints(0), null));
            assertRefused("different graphs", () -> world.createGraph(ints(1, 2), ints(1, world.rank() == 2 ? 1 : 0)));
            assertWorks(world);
        });
    }

    @Test
    void edgesAreGivenAlikeAtBothEnds() {
        run(3, world -> {
            int rank = world.rank();
            int[] before = ints((rank + 2) % 3);
            int[] after = ints((rank + 1) % 3);
            boolean isOne = rank == 1;
            assertRefused(
                    "edges from rank 1 to rank 2",
                    () -> world.createDistributedGraphAdjacent(before, isOne ? ints(2, 2) : after));
            assertRefused(
                    "edges from rank 0 to rank 1",
                    () -> world.createDistributedGraphAdjacent(isOne ? ints() : before, after));
            assertRefused(
                    "edges from rank 0 to rank 1",
                    () -> world.createDistributedGraphAdjacent(before, ints(isOne ? 5 : 4), after, ints(4)));
            assertRefused(
                    "one gave weights",
                    () -> world.createDistributedGraphAdjacent(
                            before, isOne ? null : ints(4), after, isOne ? null : ints(4)));
            assertRefused(
                    isOne ? "destination 0 is rank 3" : "rank 1 gave wrong arguments",
                    () -> world.createDistributedGraphAdjacent(before, isOne ? ints(3) : after));
            assertRefused(
                    isOne ? "the sources are null" : "rank 1 gave wrong arguments",
                    () -> world.createDistributedGraphAdjacent(isOne ? null : before, after));
            assertRefused(
                    isOne ? "2 weights were given" : "rank 1 gave wrong arguments",
                    () -> world.createDistributedGraphAdjacent(before, isOne ? ints(4, 4) : ints(4), after, ints(4)));
            assertRefused(
                    isOne ? "alone were given" : "rank 1 gave wrong arguments",
                    () -> world.createDistributedGraphAdjacent(before, ints(4), after, isOne ? null : ints(4)));
            assertRefused(
                    "weight 0 is -1", () -> world.createDistributedGraphAdjacent(before, ints(-1), after, ints(-1)));
            assertWorks(world);
        });
    }

    @Test
    void edgesMayBeGivenByAnybody() {
        run(3, world -> {
            boolean isOne = world.rank() == 1;
            DistributedGraphCommunicator graph = isOne
                    ? world.createDistributedGraph(ints(0, 2), ints(2, 1), ints(2, 0, 0), ints(7, 8, 9))
                    : world.createDistributedGraph(ints(), ints(), ints(), ints());
            int[][] sources = {{0, 2}, {}, {0}};
            int[][] destinations = {{2, 0}, {}, {0}};
            int[][] weights = {{8, 9}, {}, {7}};
            assertArrayEquals(sources[world.rank()], graph.sources());
            assertArrayEquals(destinations[world.rank()], graph.destinations());
            assertArrayEquals(weights[world.rank()], graph.sourceWeights());
            String others = "rank 1 gave wrong arguments";
            assertRefused(
                    isOne ? "1 sources and 2 degrees" : others,
                    () -> world.createDistributedGraph(ints(0), isOne ? ints(1, 0) : ints(1), ints(2)));
            assertRefused(
                    isOne ? "degree 0 is -1" : others,
                    () -> world.createDistributedGraph(ints(0), ints(isOne ? -1 : 1), ints(2)));
            assertRefused(
                    isOne ? "the degrees add up to 2" : others,
                    () -> world.createDistributedGraph(ints(0), ints(isOne ? 2 : 1), ints(2)));
            assertRefused(
                    isOne ? "source 0 is rank -1" : others,
                    () -> world.createDistributedGraph(ints(isOne ? -1 : 0), ints(1), ints(2)));
            assertRefused(
                    "one gave weights",
                    () -> world.createDistributedGraph(ints(0), ints(1), ints(2), isOne ? null : ints(3)));
            assertWorks(world);
        });
    }

    // --- collectives -------------------------------------------------------------------------------------------------

    /** MPI 4.1, figure 8.2: in a ring of one what goes to the left comes from the right. */
    @Test
    void whatGoesInOneDirectionComesFromTheOther() {
        for (int ranks = 1; ranks <= 3; ranks++) {
            int size = ranks;
            run(size, world -> {
                CartesianCommunicator ring = world.createCartesian(ints(size), are(true), false);
                int rank = ring.rank();
                int[] from = new int[2];
                ring.neighbourAllToAll(ints(10 * rank, 10 * rank + 1), from);
                int left = (rank + size - 1) % size;
                int right = (rank + 1) % size;
                assertArrayEquals(ints(10 * left + 1, 10 * right), from);
                ring.neighbourAllGather(ints(rank), from);
                assertArrayEquals(ints(left, right), from);
            });
        }
    }

    @Test
    void whatDoesNotFitIsRefused() {
        run(1, world -> {
            CartesianCommunicator ring = world.createCartesian(ints(1), are(true), false);
            assertRefused("no place here", () -> ring.neighbourAllGather(Data.IN_PLACE, new int[2]));
            assertRefused("no place here", () -> ring.neighbourAllToAll(Data.IN_PLACE, new int[2]));
            assertRefused("3 items to receive", () -> ring.neighbourAllToAll(new int[2], new int[3]));
            assertRefused("3 items to send", () -> ring.neighbourAllToAll(new int[3], new int[2]));
            assertRefused("goes to itself", () -> ring.neighbourAllToAll(new int[2], new int[4]));
            assertRefused("goes to itself", () -> ring.ineighbourAllGather(new int[2], new int[2]));
            Data one = Data.blocks(new int[2], ints(1), ints(0));
            Data two = Data.blocks(new int[2], ints(1, 1), ints(0, 1));
            assertRefused("1 blocks to receive", () -> ring.neighbourAllToAllBlocks(two, one));
            assertRefused("1 blocks to send", () -> ring.neighbourAllToAllBlocks(one, two));
            assertRefused("neighbourAllGatherBlocks takes", () -> ring.neighbourAllGather(new int[1], two));
            assertRefused("takes Data.blocks", () -> ring.neighbourAllToAllBlocks(new int[2], new int[2]));
            ring.free();
            assertThrows(IllegalStateException.class, () -> ring.neighbourAllToAll(new int[2], new int[2]));
            assertThrows(IllegalStateException.class, () -> ring.sub(true));
            CartesianCommunicator line = world.createCartesian(ints(1), are(false), false);
            int[] kept = {4, 5};
            line.neighbourAllToAll(new int[2], kept);
            assertArrayEquals(ints(4, 5), kept);
        });
    }

    @Test
    void otherSizesAndOtherCallsAreNoticed() {
        run(2, world -> {
            for (int which = 0; which < 3; which++) {
                CartesianCommunicator ring = world.createCartesian(ints(2), are(true), false);
                int call = which;
                boolean isFirst = world.rank() == 0;
                MismatchedCallException found = assertThrows(MismatchedCallException.class, () -> {
                    if (call == 0) {
                        ring.neighbourAllGather(new int[isFirst ? 1 : 2], new int[isFirst ? 2 : 4]);
                    } else if (isFirst) {
                        ring.neighbourAllToAll(new int[2], new int[2]);
                    } else if (call == 1) {
                        ring.neighbourAllGather(new int[1], new int[2]);
                    } else {
                        ring.barrier();
                    }
                });
                assertEquals(1 - ring.rank(), found.rank());
                assertTrue(found.getMessage().contains("neighbourAll"), found.getMessage());
            }
            assertWorks(world);
        });
    }
}
