package org.sluice.mpi.cell;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Place;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.Data;
import org.sluice.mpi.Reduction;

/** What takes several turns, in any order with what takes one, while now and then a rank is late. */
final class CellCollectivesTest {
    private static final int ROUNDS = 150;
    /** Of bytes for each rank: some turns of pieces, and lengths that no piece divides. */
    private static final int MOST = 5 * Cells.CELL_BYTES / 2;
    /** Collectives after which a communicator has cells. */
    private static final int FIRST = 6;

    @ParameterizedTest(name = "{0} ranks")
    @ValueSource(ints = {2, 3, 5})
    void piecesAreOfTheirTurns(int ranks) {
        long seed = Long.getLong("sluice.test.seed", System.nanoTime());
        try (CommunicatorJob job = new CommunicatorJob(ranks, Place.SHM)) {
            job.run(world -> {
                for (int i = 0; i < FIRST; i++) {
                    world.barrier();
                }
            });
            long before = job.counted("sent.eager") + job.counted("sent.rendezvous");
            job.run(world -> {
                Random common = new Random(seed);
                Random own = new Random(seed + 1 + world.rank());
                byte[] given = new byte[ranks * MOST];
                byte[] result = new byte[ranks * MOST];
                for (int round = 0; round < ROUNDS; round++) {
                    if (own.nextInt(40) == 0) {
                        Thread.sleep(1);
                    }
                    round(world, round, common, given, result);
                }
            });
            // Two ranks send each other what is longer than a cell.
            if (ranks > 2) {
                assertEquals(before, job.counted("sent.eager") + job.counted("sent.rendezvous"), "messages were sent");
            }
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed, e);
        }
    }

    private static byte number(int round, int rank, int block, int i) {
        return (byte) (31 * round + 7 * rank + 5 * block + i % 251);
    }

    private static void round(Communicator world, int round, Random common, byte[] given, byte[] result) {
        int ranks = world.size();
        int rank = world.rank();
        int kind = common.nextInt(5);
        // Of blocks that go to one rank each longer ones are sent, and a long broadcast to few ranks is.
        int most = kind == 0 ? Cells.CELL_BYTES : kind == 3 && ranks < 5 ? 2 * Cells.CELL_BYTES : MOST;
        int length = common.nextBoolean() ? common.nextInt(100) : common.nextInt(most);
        for (int block = 0; block < ranks; block++) {
            for (int i = 0; i < length; i++) {
                given[block * length + i] = number(round, rank, kind == 0 ? block : 0, i);
            }
        }
        switch (kind) {
            case 0:
                world.allToAll(Data.of(given, 0, ranks * length), Data.of(result, 0, ranks * length));
                assertBlocks(round, ranks, rank, length, result);
                break;
            case 1:
                world.allGather(Data.of(given, 0, length), Data.of(result, 0, ranks * length));
                assertBlocks(round, ranks, 0, length, result);
                break;
            case 2:
                System.arraycopy(given, 0, result, rank * length, length);
                world.allGather(Data.IN_PLACE, Data.of(result, 0, ranks * length));
                assertBlocks(round, ranks, 0, length, result);
                break;
            case 3:
                int root = common.nextInt(ranks);
                world.broadcast(Data.of(given, 0, length), root);
                for (int i = 0; i < length; i++) {
                    assertEquals(number(round, root, 0, i), given[i]);
                }
                break;
            default:
                int reduced = Math.min(length, Cells.CELL_BYTES);
                world.allReduce(Data.of(given, 0, reduced), Data.of(result, 0, reduced), Reduction.BITWISE_XOR);
                for (int i = 0; i < reduced; i++) {
                    int expected = 0;
                    for (int each = 0; each < ranks; each++) {
                        expected ^= number(round, each, 0, i);
                    }
                    assertEquals((byte) expected, result[i]);
                }
                break;
        }
    }

    private static void assertBlocks(int round, int ranks, int block, int length, byte[] result) {
        for (int rank = 0; rank < ranks; rank++) {
            for (int i = 0; i < length; i++) {
                assertEquals(number(round, rank, block, i), result[rank * length + i], "of " + length + ", at " + i);
            }
        }
    }
}
