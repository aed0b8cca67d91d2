package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.sluice.device.Device;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Place;

/** Arguments of collectives that make no sense: all are told what was given, and nothing has been sent. */
final class OperandTest {
    private static final int RANKS = 3;

    private static CommunicatorJob job;

    @BeforeAll
    static void open() {
        job = new CommunicatorJob(RANKS, Place.THREADS);
    }

    @AfterAll
    static void close() {
        job.close();
    }

    /** A call with the world; all ranks make it. */
    private interface Wrong {
        void call(Communicator world);
    }

    /** @param words of what was given, and of what is allowed */
    private static void assertRefused(Wrong wrong, String... words) {
        assertRefused(IllegalArgumentException.class, wrong, words);
    }

    private static void assertRefused(Class<? extends RuntimeException> type, Wrong wrong, String... words) {
        job.run(world -> {
            RuntimeException refused = assertThrows(type, () -> wrong.call(world));
            for (String word : words) {
                assertTrue(
                        refused.getMessage().contains(word), () -> "'" + word + "' isn't in: " + refused.getMessage());
            }
            world.barrier();
            long[] sum = {world.rank()};
            world.allReduce(Data.IN_PLACE, sum, Reduction.SUM);
            assertEquals(3, sum[0]);
            world.ibarrier().waitFor();
            assertNull(world.iprobe(Device.ANY_SOURCE, Device.ANY_TAG));
        });
    }

    @Test
    void rootsAreRanks() {
        for (int root : new int[] {-1, RANKS, Integer.MAX_VALUE}) {
            String[] words = {"root is " + root, "0 to 2"};
            assertRefused(world -> world.broadcast(new int[1], root), words);
            assertRefused(world -> world.ibroadcast(new int[1], root), words);
            assertRefused(world -> world.gather(new int[1], new int[3], root), words);
            assertRefused(world -> world.igather(new int[1], new int[3], root), words);
            assertRefused(world -> world.scatter(new int[3], new int[1], root), words);
            assertRefused(world -> world.reduce(new int[1], new int[1], Reduction.SUM, root), words);
            assertRefused(world -> world.ireduce(new int[1], new int[1], Reduction.SUM, root), words);
            assertRefused(world -> world.gatherBlocks(new int[1], blocks(1, 1, 1), root), words);
            assertRefused(world -> world.iscatterBlocks(blocks(1, 1, 1), new int[1], root), words);
        }
    }

    private static Data blocks(int... counts) {
        int[] displacements = new int[counts.length];
        int at = 0;
        for (int i = 0; i < counts.length; i++) {
            displacements[i] = at;
            at += counts[i];
        }
        return Data.blocks(new int[at], counts, displacements);
    }

    @Test
    void itemsSplitIntoEqualBlocks() {
        String[] words = {"7 items", "3 equal blocks"};
        assertRefused(world -> world.allGather(new int[2], new int[7]), words);
        assertRefused(world -> world.iallGather(new int[2], new int[7]), words);
        assertRefused(world -> world.allToAll(new int[7], new int[6]), words);
        assertRefused(world -> world.allToAll(new int[6], new int[7]), words);
        assertRefused(world -> world.allToAll(Data.IN_PLACE, new int[7]), words);
        assertRefused(world -> world.reduceScatterBlock(new int[7], new int[2], Reduction.SUM), words);
        // With each as the root, as the others wait for one that finds its mistake alone.
        assertRefused(world -> world.gather(new int[2], new int[7], world.rank()), words);
        assertRefused(world -> world.scatter(new int[7], new int[2], world.rank()), words);
    }

    @Test
    void blocksHaveTheSizeOfWhatGoesThere() {
        assertRefused(world -> world.allGather(new int[2], new int[3]), "8 bytes", "result 4");
        assertRefused(world -> world.allGather(new long[1], new int[3]), "8 bytes", "result 4");
        assertRefused(world -> world.allToAll(new int[3], new int[6]), "4 bytes", "itself 8");
        assertRefused(world -> world.gather(new int[2], new int[3], world.rank()), "8 bytes", "result 4");
        assertRefused(world -> world.scatter(new int[3], new int[2], world.rank()), "4 bytes", "takes 8");
        assertRefused(world -> world.allGatherBlocks(new int[2], blocks(1, 1, 1)), "8 bytes", "result 4");
        assertRefused(world -> world.allToAllBlocks(blocks(1, 1, 1), blocks(2, 2, 2)), "4 bytes", "itself 8");
        assertRefused(
                world -> world.allReduce(new int[2], new int[3], Reduction.SUM), "2 item(s)", "3 item(s)", "one type");
        assertRefused(world -> world.allReduce(new int[2], new long[1], Reduction.SUM), "INT", "LONG", "one type");
        assertRefused(world -> world.scan(new int[2], new int[1], Reduction.SUM), "2 item(s)", "1 item(s)");
        assertRefused(world -> world.reduce(new int[2], new int[1], Reduction.SUM, world.rank()), "1 item(s)");
        assertRefused(world -> world.reduceScatterBlock(new int[6], new int[1], Reduction.SUM), "8 bytes", "takes 4");
    }

    @Test
    void blocksAreOnePerRank() {
        String[] words = {"2 blocks", "3 ranks"};
        assertRefused(world -> world.allGatherBlocks(new int[1], blocks(1, 1)), words);
        assertRefused(world -> world.allToAllBlocks(blocks(1, 1), blocks(1, 1, 1)), words);
        assertRefused(world -> world.allToAllBlocks(blocks(1, 1, 1), blocks(1, 1)), words);
        assertRefused(world -> world.gatherBlocks(new int[1], blocks(1, 1), world.rank()), words);
        assertRefused(world -> world.scatterBlocks(blocks(1, 1), new int[1], world.rank()), words);
        assertRefused(
                world -> world.reduceScatter(new int[2], new int[1], new int[] {1, 1}, Reduction.SUM),
                "2 counts",
                "3 ranks");
        assertRefused(
                world -> world.reduceScatter(new int[2], new int[1], new int[] {1, -1, 2}, Reduction.SUM),
                "rank 1 is -1",
                "0 or more");
        assertRefused(
                world -> world.reduceScatter(new int[2], new int[1], new int[] {1, 1, 1}, Reduction.SUM),
                "3 items",
                "has 2");
        assertRefused(world -> world.reduceScatter(new int[2], new int[1], null, Reduction.SUM), "counts are null");
        assertRefused(world -> world.ireduceScatter(new int[2], new int[1], null, Reduction.SUM), "counts are null");
    }

    @Test
    void blocksHaveCallsOfTheirOwn() {
        assertRefused(world -> world.allGather(new int[1], blocks(1, 1, 1)), "allGatherBlocks");
        assertRefused(world -> world.allToAll(blocks(1, 1, 1), new int[3]), "allToAllBlocks");
        assertRefused(world -> world.gather(new int[1], blocks(1, 1, 1), world.rank()), "gatherBlocks");
        assertRefused(world -> world.allGatherBlocks(new int[1], new int[3]), "allGatherBlocks takes Data.blocks");
        assertRefused(world -> world.allToAllBlocks(blocks(1, 1, 1), new int[3]), "takes Data.blocks");
        assertRefused(world -> world.scatterBlocks(new int[3], new int[1], world.rank()), "takes Data.blocks");
        assertRefused(world -> world.broadcast(blocks(1, 1, 1), 0), "blocks", "give items");
        assertRefused(world -> world.allGather(blocks(1, 1, 1), new int[9]), "blocks", "give items");
        assertRefused(world -> world.allReduce(blocks(1, 1, 1), new int[3], Reduction.SUM), "blocks", "give items");
    }

    @Test
    void layoutsAreOfTheBuffersType() {
        assertRefused(world -> world.broadcast(Data.of(new int[4], Layout.DOUBLE), 0), "DOUBLE", "type INT");
        assertRefused(world -> world.broadcast(Data.of(new double[4], 0, 1, Layout.BYTE), 0), "BYTE", "type DOUBLE");
        assertRefused(world -> world.broadcast(Data.of(new byte[8], Layout.LONG), 0), "LONG", "type BYTE");
        assertRefused(world -> world.broadcast(Data.of(IntBuffer.allocate(4), Layout.FLOAT), 0), "FLOAT", "type INT");
        Layout mixed = Layout.struct(new int[] {1, 1}, new long[] {0, 8}, new Layout[] {Layout.INT, Layout.DOUBLE});
        assertRefused(world -> world.broadcast(Data.of(new int[8], 0, 1, mixed), 0), "several types", "type INT");
        assertRefused(world -> world.allReduce(ints(mixed), ints(mixed), Reduction.SUM), "several");
    }

    private static Data ints(Layout layout) {
        return Data.of(ByteBuffer.allocate(64), 0, 1, layout);
    }

    @Test
    void itemsLieInTheBuffer() {
        Class<IndexOutOfBoundsException> outside = IndexOutOfBoundsException.class;
        assertRefused(outside, world -> world.broadcast(Data.of(new int[4], 0, 5), 0), "5 item(s)", "it has 4");
        assertRefused(outside, world -> world.broadcast(Data.of(new int[4], 3, 2), 0), "2 item(s)", "it has 1");
        assertRefused(outside, world -> world.broadcast(Data.of(new int[4], 5, 0), 0), "offset 5", "4 element(s)");
        assertRefused(outside, world -> world.broadcast(Data.of(new int[4], -1, 1), 0), "offset -1", "4 element(s)");
        Layout column = Layout.INT.vector(3, 1, 2);
        assertRefused(outside, world -> world.broadcast(Data.of(new int[4], 0, 1, column), 0), "0 to 20", "are 16");
        Layout before = Layout.INT.hindexed(new int[] {1}, new long[] {-4});
        assertRefused(outside, world -> world.broadcast(Data.of(new int[4], 0, 1, before), 0), "-4 to", "are 16");
        Layout backwards = Layout.INT.resized(0, -4);
        assertRefused(outside, world -> world.broadcast(Data.of(new int[4], 1, 3, backwards), 0), "-8 to", "are 12");
        int[] ones = {1, 1, 1};
        int[] far = {0, 1, 4};
        assertRefused(
                outside,
                world -> world.allGatherBlocks(new int[1], Data.blocks(new int[4], ones, far)),
                "at displacement 4",
                "has 4;");
        int[] negative = {0, -1, 1};
        assertRefused(
                outside, world -> world.allGatherBlocks(new int[1], Data.blocks(new int[4], ones, negative)), "-4 to");
        long huge = Long.MAX_VALUE / 2;
        assertRefused(outside, world -> world.broadcast(Data.of(new int[4], 0, huge, backwards), 0), "are 16");
        assertRefused(outside, world -> world.broadcast(Data.of(new int[4], 0, huge), 0), "it has 4");
        assertRefused(
                world -> world.broadcast(Data.of(new int[4], Layout.INT.resized(0, 0)), 0), "extent 0", "give a count");
    }

    @Test
    void inPlaceHasItsPlace() {
        String[] words = {"IN_PLACE has no place here"};
        Object inPlace = Data.IN_PLACE;
        assertRefused(world -> world.broadcast(inPlace, 0), words);
        assertRefused(world -> world.allGather(new int[1], inPlace), words);
        assertRefused(world -> world.allGather(inPlace, inPlace), words);
        assertRefused(world -> world.allToAll(new int[3], inPlace), words);
        assertRefused(world -> world.allReduce(new int[1], inPlace, Reduction.SUM), words);
        assertRefused(world -> world.scan(inPlace, inPlace, Reduction.SUM), words);
        assertRefused(world -> world.reduceScatterBlock(new int[3], inPlace, Reduction.SUM), words);
        assertRefused(world -> world.gather(new int[1], inPlace, world.rank()), words);
        assertRefused(world -> world.scatter(inPlace, new int[1], world.rank()), words);
        // At ranks that aren't the root.
        assertRefused(world -> world.gather(inPlace, null, other(world)), words);
        assertRefused(world -> world.scatter(null, inPlace, other(world)), words);
        assertRefused(world -> world.reduce(inPlace, null, Reduction.SUM, other(world)), words);
        assertRefused(world -> world.ireduce(inPlace, null, Reduction.SUM, other(world)), words);
    }

    private static int other(Communicator world) {
        return (world.rank() + 1) % RANKS;
    }

    @Test
    void reductionsMakeSenseForTheType() {
        String[] words = {"makes no sense"};
        for (Reduction each :
                new Reduction[] {Reduction.SUM, Reduction.PRODUCT, Reduction.MAX, Reduction.MIN, Reduction.MAX_LOCATION
                }) {
            assertRefused(world -> world.allReduce(new boolean[2], new boolean[2], each), "BOOLEAN", each.toString());
        }
        for (Reduction each : new Reduction[] {
            Reduction.BITWISE_AND, Reduction.BITWISE_OR, Reduction.BITWISE_XOR, Reduction.LOGICAL_AND
        }) {
            assertRefused(world -> world.allReduce(new double[2], new double[2], each), "DOUBLE", each.toString());
            assertRefused(world -> world.iscan(Data.IN_PLACE, new float[2], each), "FLOAT", each.toString());
        }
        assertRefused(world -> world.reduce(new double[1], null, Reduction.BITWISE_OR, other(world)), words);
        assertRefused(world -> world.reduceScatterBlock(new double[3], new double[1], Reduction.BITWISE_OR), words);
    }

    @Test
    void pairsAreWhole() {
        for (Reduction each : new Reduction[] {Reduction.MAX_LOCATION, Reduction.MIN_LOCATION}) {
            assertRefused(world -> world.allReduce(new int[3], new int[3], each), "3 element(s)", "pairs");
            assertRefused(world -> world.scan(Data.IN_PLACE, new double[1], each), "1 element(s)", "pairs");
            assertRefused(world -> world.reduce(new long[5], null, each, other(world)), "5 element(s)", "pairs");
            // Whole in all, and no pairs in each block.
            assertRefused(world -> world.reduceScatterBlock(new int[9], new int[3], each), "element(s)", "pairs");
        }
        int[] counts = {2, 1, 1};
        assertRefused(world -> world.reduceScatter(new int[4], new int[2], counts, Reduction.MAX_LOCATION), "no pairs");
    }

    @Test
    void messagesHaveTheNameThatAReductionWasGiven() {
        Reduction named = Reduction.MAX_LOCATION.named("MPI.MAXLOC");
        assertRefused(world -> world.allReduce(new int[1], new int[1], named), "MPI.MAXLOC takes pairs");
        Reduction own = Reduction.of((left, leftAt, right, rightAt, count, layout) -> {}, true);
        assertEquals(own, own.named("mine"));
    }

    @Test
    void reductionsAreGiven() {
        String[] words = {"reduction is null", "Reduction.SUM"};
        assertRefused(world -> world.reduce(new int[1], new int[1], null, 0), words);
        assertRefused(world -> world.allReduce(new int[1], new int[1], null), words);
        assertRefused(world -> world.iallReduce(new int[1], new int[1], null), words);
        assertRefused(world -> world.scan(new int[1], new int[1], null), words);
        assertRefused(world -> world.exclusiveScan(new int[1], new int[1], null), words);
        assertRefused(world -> world.reduceScatterBlock(new int[3], new int[1], null), words);
        assertRefused(world -> world.reduceScatter(new int[3], new int[1], new int[] {1, 1, 1}, null), words);
        assertRefused(world -> Reduction.of(null, true), "null");
    }

    @Test
    void buffersAreThereWhereTheyAreUsed() {
        assertRefused(world -> world.gather(new int[1], null, world.rank()), "4 bytes", "result 0");
        assertRefused(world -> world.scatter(null, new int[1], world.rank()), "0 bytes", "takes 4");
        assertRefused(world -> world.allGather(null, new int[3]), "0 bytes", "result 4");
        assertRefused(world -> world.allGather(new int[1], null), "4 bytes", "result 0");
        assertRefused(world -> world.allReduce(null, new int[1], Reduction.SUM), "0 item(s)", "1 item(s)");
        assertRefused(world -> world.reduce(new int[1], null, Reduction.SUM, world.rank()), "1 item(s)", "0 item(s)");
        assertRefused(world -> world.broadcast("text", 0), "java.lang.String", "arrays of primitive types");
        assertRefused(world -> world.broadcast(new double[2][2], 0), "double[][]", "row by row");
        ByteBuffer readOnly = ByteBuffer.allocate(12).asReadOnlyBuffer();
        assertRefused(world -> world.allGather(new int[1], readOnly), "read-only");
        assertRefused(world -> world.allReduce(readOnly, readOnly, Reduction.MAX), "read-only");
        assertRefused(world -> world.broadcast(readOnly, 0), "read-only");
    }

    @Test
    void elsewhereNobodyLooksAtThem() {
        job.run(world -> {
            boolean isRoot = world.rank() == 1;
            Object wrong = "no buffer";
            int[] all = {10, 11, 12};
            int[] got = new int[1];
            world.scatter(isRoot ? all : null, got, 1);
            assertEquals(10 + world.rank(), got[0]);
            world.scatter(isRoot ? all : wrong, got, 1);
            int[] gathered = new int[3];
            world.gather(got, isRoot ? gathered : null, 1);
            assertArrayEquals(isRoot ? all : new int[3], gathered);
            world.gatherBlocks(got, isRoot ? Data.blocks(all, new int[] {1, 1, 1}, new int[] {2, 1, 0}) : wrong, 1);
            assertArrayEquals(isRoot ? new int[] {12, 11, 10} : new int[] {10, 11, 12}, all);
            world.reduce(got, isRoot ? gathered(gathered) : wrong, Reduction.SUM, 1);
            assertEquals(isRoot ? 33 : 0, gathered[0]);
            world.broadcast(null, 0);
            world.allReduce(null, null, Reduction.BITWISE_OR);
            world.allGather(null, null);
            world.allToAll(new int[0], new long[0]);
        });
    }

    private static Data gathered(int[] into) {
        return Data.of(into, 0, 1);
    }

    // --- what is made of a buffer ------------------------------------------------------------------------------------

    private static void assertRefused(Executable call, String... words) {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, call);
        for (String word : words) {
            assertTrue(refused.getMessage().contains(word), refused.getMessage());
        }
    }

    @Test
    void dataIsCheckedWhereItIsMade() {
        assertRefused(() -> Data.of(new int[1], 0, -2), "-2", "0 or more");
        assertRefused(() -> Data.of(new int[1], 0, -7, Layout.INT), "-7", "0 or more");
        assertRefused(() -> Data.of(Data.IN_PLACE, 0, 1), "not of a Data");
        assertRefused(() -> Data.of(new int[1], null), "layout is null");
        assertRefused(() -> Data.of(new int[1], 0, 1, null), "layout is null");
        int[] two = {1, 1};
        assertRefused(() -> Data.blocks(new int[4], two, new int[3]), "2 counts", "3 displacements");
        assertRefused(() -> Data.blocks(new int[4], new int[] {1, -3}, two), "rank 1", "-3", "0 or more");
        assertRefused(() -> Data.blocks(new int[4], 0, two, two, (Layout) null), "layout is null");
        assertRefused(() -> Data.blocks(new int[4], 0, two, two, new Layout[] {Layout.INT}), "2 counts", "1 layouts");
        assertRefused(() -> Data.blocks(new int[4], null, two), "null");
        assertRefused(() -> Data.blocks(new int[4], two, null), "null");
        assertRefused(() -> Data.blocks(new int[4], 0, two, two, (Layout[]) null), "null");
        assertRefused(() -> Data.blocks(new int[4], 0, two, two, new Layout[] {Layout.INT, null}), "rank 1", "null");
    }

    @Test
    void laterChangesOfItsArraysAreNotSeen() {
        int[] counts = {1, 1, 1};
        int[] displacements = {2, 1, 0};
        job.run(world -> {
            int[] mine = counts.clone();
            int[] places = displacements.clone();
            int[] got = new int[3];
            Data blocks = Data.blocks(got, mine, places);
            mine[0] = 7;
            places[0] = 100;
            world.allGatherBlocks(new int[] {world.rank()}, blocks);
            assertArrayEquals(new int[] {2, 1, 0}, got);
        });
    }
}
