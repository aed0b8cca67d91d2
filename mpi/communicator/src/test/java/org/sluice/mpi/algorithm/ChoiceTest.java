package org.sluice.mpi.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.mpi.cell.CellCollectives;
import org.sluice.mpi.cell.Cells;
import org.sluice.mpi.schedule.Schedule;

/** What the table says, and how options change it. */
final class ChoiceTest {
    private static final Choice TABLE = choice(Map.of());

    private static Choice choice(Map<String, String> options) {
        return Choice.of(Options.of(options, Map.of(), Map.of()));
    }

    private static Choice allReduce(String value) {
        return choice(Map.of("sluice.mpi.algorithm.allreduce", value));
    }

    private static Shape shape(int rank, int size, boolean commutative) {
        Shape shape = new Shape();
        shape.place(rank, size, 0);
        shape.contribution(false, commutative, 1);
        return shape;
    }

    @Test
    void eachCollectiveHasAnAlgorithmForAnything() {
        for (Collective collective : Collective.values()) {
            for (int ranks : new int[] {1, 2, 7, 8, 512}) {
                for (long bytes : new long[] {0, 8, 1 << 20, 1L << 40}) {
                    TABLE.algorithm(collective, shape(0, ranks, false), bytes);
                }
            }
        }
    }

    @Test
    void rowsAreAlgorithmsThatThereAre() {
        for (Collective collective : Collective.values()) {
            for (Choice.Row row : TABLE.rows(collective)) {
                assertEquals(!Choice.isNoSchedule(row.name()), row.algorithm() != null, row::toString);
                assertTrue(
                        !row.name().equals(Choice.CELLS)
                                || row.isForAllBytes()
                                || row.mostBytes() <= Cells.CELL_BYTES
                                || CellCollectives.takes(collective, row.mostBytes(), Double.BYTES, 2),
                        row::toString);
            }
        }
    }

    /** The device's room, which knows no algorithm, refuses other names. */
    @Test
    void optionsAllowWhatIsKnown() {
        Set<Collective> named = new HashSet<>();
        for (Option option : Choice.options()) {
            List<Collective> collectives = Choice.collectives(option);
            named.addAll(collectives);
            for (String word : option.words()) {
                assertTrue(
                        Choice.isNoSchedule(word) || Choice.isKnown(collectives.get(0), word),
                        () -> option.property() + " allows " + word);
            }
            for (Collective collective : collectives) {
                for (Choice.Row row : TABLE.rows(collective)) {
                    assertTrue(option.words().contains(row.name()), () -> option.property() + " lacks " + row.name());
                }
            }
        }
        for (Collective collective : Collective.values()) {
            boolean hasChoice = TABLE.rows(collective).size() > 1;
            assertTrue(!hasChoice || named.contains(collective), () -> "no option is of " + collective);
        }
    }

    @Test
    void theTableDecidesByRanksBytesAndOperands() {
        Shape four = shape(0, 4, true);
        assertInstanceOf(RecursiveDoublingAllReduce.class, TABLE.algorithm(Collective.ALL_REDUCE, four, 16_384));
        assertInstanceOf(RingAllReduce.class, TABLE.algorithm(Collective.ALL_REDUCE, four, 16_385));
        assertInstanceOf(
                RecursiveDoublingAllReduce.class, TABLE.algorithm(Collective.ALL_REDUCE, shape(0, 4, false), 16_385));
        assertInstanceOf(RecursiveDoublingAllGather.class, TABLE.algorithm(Collective.ALL_GATHER, four, 8));
        assertInstanceOf(BruckAllGather.class, TABLE.algorithm(Collective.ALL_GATHER, shape(0, 5, true), 8));
        assertInstanceOf(LinearAllToAll.class, TABLE.algorithm(Collective.ALL_TO_ALL, shape(0, 7, true), 8));
        assertInstanceOf(BruckAllToAll.class, TABLE.algorithm(Collective.ALL_TO_ALL, shape(0, 8, true), 8));
        assertInstanceOf(LinearAllToAll.class, TABLE.algorithm(Collective.ALL_TO_ALL, shape(0, 16, true), 257));
        assertInstanceOf(PairwiseAllToAll.class, TABLE.algorithm(Collective.ALL_TO_ALL, shape(0, 17, true), 257));
        assertInstanceOf(BinomialBroadcast.class, TABLE.algorithm(Collective.BROADCAST, four, 1 << 20));
        Shape eight = shape(0, 8, true);
        assertInstanceOf(BinomialBroadcast.class, TABLE.algorithm(Collective.BROADCAST, eight, 64 << 10));
        assertInstanceOf(ScatterAllGatherBroadcast.class, TABLE.algorithm(Collective.BROADCAST, eight, 1 << 20));
        assertInstanceOf(BinomialBroadcast.class, TABLE.algorithm(Collective.BROADCAST, shape(0, 33, true), 1 << 20));
        assertTrue(TABLE.prefers(Choice.CELLS, Collective.BROADCAST, shape(0, 2, true), 48));
        assertFalse(TABLE.prefers(Choice.CELLS, Collective.BROADCAST, shape(0, 2, true), 49));
        assertTrue(TABLE.prefers(Choice.CELLS, Collective.REDUCE, shape(0, 2, true), 2_048));
        assertFalse(TABLE.prefers(Choice.CELLS, Collective.REDUCE, shape(0, 2, true), 2_049));
        assertTrue(TABLE.prefers(Choice.CELLS, Collective.BROADCAST, four, 49));
        assertTrue(TABLE.prefers(Choice.TIERS, Collective.BROADCAST, four, 1 << 20));
    }

    /** Three copies by the kernel are faster than cells; three messages over one wire are not. */
    @Test
    void aLongBroadcastOfFourIsLinearWhereTheyShareMemory() {
        Shape four = shape(0, 4, true);
        assertTrue(TABLE.prefers(Choice.CELLS, Collective.BROADCAST, four, 64 << 10));
        assertInstanceOf(BinomialBroadcast.class, TABLE.algorithm(Collective.BROADCAST, four, 64 << 10));
        four.inMemory();
        assertTrue(TABLE.prefers(Choice.CELLS, Collective.BROADCAST, four, 32 << 10));
        assertFalse(TABLE.prefers(Choice.CELLS, Collective.BROADCAST, four, 64 << 10));
        assertInstanceOf(LinearBroadcast.class, TABLE.algorithm(Collective.BROADCAST, four, 64 << 10));
        assertTrue(TABLE.prefers(Choice.CELLS, Collective.BROADCAST, four, 1 << 20));
        Shape five = shape(0, 5, true);
        five.inMemory();
        assertTrue(TABLE.prefers(Choice.CELLS, Collective.BROADCAST, five, 64 << 10));
    }

    @Test
    void anOptionStandsBeforeTheTable() {
        Shape four = shape(0, 4, true);
        Choice ring = allReduce("ring");
        assertInstanceOf(RingAllReduce.class, ring.algorithm(Collective.ALL_REDUCE, four, 8));
        assertFalse(ring.prefers(Choice.CELLS, Collective.ALL_REDUCE, four, 8));
        assertFalse(ring.prefers(Choice.TIERS, Collective.ALL_REDUCE, four, 8));
        // What it can't do is done by the table.
        assertInstanceOf(
                RecursiveDoublingAllReduce.class, ring.algorithm(Collective.ALL_REDUCE, shape(0, 4, false), 8));
        assertTrue(ring.prefers(Choice.CELLS, Collective.ALL_REDUCE, shape(0, 4, false), 8));
        assertTrue(ring.prefers(Choice.CELLS, Collective.BARRIER, four, 0));
        Choice ranges = allReduce("cells:1k, recursive-doubling:64k ,ring");
        assertTrue(ranges.prefers(Choice.CELLS, Collective.ALL_REDUCE, four, 1024));
        assertFalse(ranges.prefers(Choice.CELLS, Collective.ALL_REDUCE, four, 1025));
        assertInstanceOf(RecursiveDoublingAllReduce.class, ranges.algorithm(Collective.ALL_REDUCE, four, 64 << 10));
        assertInstanceOf(RingAllReduce.class, ranges.algorithm(Collective.ALL_REDUCE, four, (64 << 10) + 8));
        // Blocks of any size have fewer algorithms.
        Choice bruck = choice(Map.of("sluice.mpi.algorithm.allgather", "bruck"));
        assertInstanceOf(BruckAllGather.class, bruck.algorithm(Collective.ALL_GATHER, four, 1 << 20));
        assertInstanceOf(RingAllGather.class, bruck.algorithm(Collective.ALL_GATHER_BLOCKS, four, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rnig", "", "ring,", "ring:", "ring:x", "ring:1k:2", "ring:-1", "auto,ring", "bruck"})
    void aWrongNameIsRefusedWithWhatIsAllowed(String value) {
        String message = assertThrows(IllegalArgumentException.class, () -> allReduce(value))
                .getMessage();
        assertTrue(message.contains("sluice.mpi.algorithm.allreduce = '" + value + "'"), message);
        assertTrue(
                message.contains("allowed is auto, or a list of tiers, arrays, cells, recursive-doubling, ring, each"),
                message);
    }

    /** Which messages a rank sends, and how much in all. */
    @Test
    void messagesAreAsManyAsTheFormulaSays() {
        int size = 16;
        long block = 1_024;
        for (int rank = 0; rank < size; rank++) {
            Shape shape = shape(rank, size, true);
            shape.send().uniform(block);
            shape.receive().uniform(block);
            assertSends(4, 8 * block * 4, new BruckAllToAll(), shape);
            assertSends(4, 15 * block, new RecursiveDoublingAllGather(), shape);
            assertSends(15 + (rank == 0 ? 0 : 1), block, new RingReduce(), shape);
            int up = rank == 0 ? 0 : Integer.lowestOneBit(rank);
            assertSends(rank == 0 ? 0 : 1, up * block, new BinomialGather(), shape);
            int children = Integer.numberOfTrailingZeros(rank == 0 ? size : rank);
            assertSends(children, ((1L << children) - 1) * block, new BinomialScatter(), shape);
            assertSends(rank == 0 ? 15 : 0, rank == 0 ? 15 * block : 0, new LinearBroadcast(), shape);
        }
        long bytes = 0;
        for (int rank = 0; rank < size; rank++) {
            Shape shape = shape(rank, size, true);
            shape.receive().uniform(size * block);
            Schedule schedule = new Schedule();
            new ScatterAllGatherBroadcast().write(shape, schedule);
            bytes += schedule.sentBytes();
            assertTrue(schedule.sentBytes() < 2 * size * block, "rank " + rank + " sends " + schedule.sentBytes());
        }
        // Nobody gets what he has: each rank but the root has every byte once.
        assertEquals(15L * size * block, bytes);
    }

    private static void assertSends(int messages, long bytes, Algorithm algorithm, Shape shape) {
        Schedule schedule = new Schedule();
        algorithm.write(shape, schedule);
        String what = algorithm.getClass().getSimpleName() + ", rank " + shape.rank();
        assertEquals(messages, schedule.sends(), what);
        if (algorithm instanceof RingReduce) {
            assertTrue(Math.abs(schedule.sentBytes() - bytes) <= block(shape), what);
        } else {
            assertEquals(bytes, schedule.sentBytes(), what);
        }
    }

    /** Of a ring, as not all have the same. */
    private static long block(Shape shape) {
        return shape.bytes() / shape.size();
    }
}
