package org.sluice.mpi.cell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.sluice.device.layer.Layer;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Place;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.schedule.MismatchException;
import org.sluice.mpi.schedule.Ranks;

final class CellsTest {
    private static final int RANKS = 3;
    private static final int TURNS = 30_000;
    private static final int CALL = 5;

    private final ThreadCells[] blocks = new ThreadCells[RANKS];
    private final long[] addresses = new long[RANKS];

    private Cells cells(Communicator world) {
        Layer layer = Layer.of(world.device());
        Ranks ranks = new Ranks(new int[] {0, 1, 2}, RANKS);
        return new Cells(
                Cells.FEW,
                world.rank(),
                addresses,
                null,
                new Patience(layer, ranks, 1_000, 1, slot -> true, () -> false));
    }

    private void makeBlocks() {
        for (int i = 0; i < RANKS; i++) {
            blocks[i] = new ThreadCells();
            addresses[i] = blocks[i].address();
        }
    }

    /** Short and long payloads, of one rank or of all, while now and then one rank is late. */
    @Test
    void whatIsReadIsOfTheTurn() {
        makeBlocks();
        long seed = System.nanoTime();
        try (CommunicatorJob job = new CommunicatorJob(RANKS, Place.THREADS)) {
            job.run(world -> {
                Cells cells = cells(world);
                Random shared = new Random(seed);
                Random own = new Random(seed + world.rank());
                long[] payload = new long[100];
                for (int i = 0; i < TURNS; i++) {
                    int turn = cells.next();
                    int words = shared.nextInt(4) == 0 ? 100 : 1 + shared.nextInt(8);
                    int writer = shared.nextInt(2 * RANKS);
                    if (own.nextInt(2_000) == 0) {
                        Thread.sleep(1);
                    }
                    take(cells, world.rank(), turn, words, writer, payload);
                    cells.done(turn);
                }
            });
        } catch (AssertionError e) {
            throw new AssertionError("seed " + seed, e);
        }
    }

    /** @param writer the only one that shows something, or more than there are ranks: all do */
    private static void take(Cells cells, int rank, int turn, int words, int writer, long[] payload) {
        long bytes = (long) words * Long.BYTES;
        if (writer >= RANKS || writer == rank) {
            java.util.Arrays.fill(payload, 0, words, (long) turn << 8 | rank);
            cells.publish(turn, CALL, payload, Memory.arrayOffset(payload), bytes);
        }
        for (int peer = 0; peer < RANKS; peer++) {
            if (writer >= RANKS || writer == peer) {
                long at = cells.await(peer, turn, CALL, bytes);
                Memory.copy(null, at, payload, Memory.arrayOffset(payload), bytes);
                for (int i = 0; i < words; i++) {
                    assertEquals((long) turn << 8 | peer, payload[i], "word " + i + " of " + words);
                }
            }
        }
        if (writer >= RANKS) {
            cells.allAreAt(turn);
        }
    }

    @Test
    void aCellIsNotWrittenWhileSomebodyMayReadIt() {
        makeBlocks();
        AtomicInteger written = new AtomicInteger();
        try (CommunicatorJob job = new CommunicatorJob(RANKS, Place.THREADS)) {
            job.run(world -> {
                Cells cells = cells(world);
                long[] payload = {1};
                if (world.rank() == 0) {
                    for (int i = 0; i < Cells.FEW + 1; i++) {
                        cells.publish(cells.next(), CALL, payload, Memory.arrayOffset(payload), Long.BYTES);
                        written.incrementAndGet();
                    }
                } else if (world.rank() == 1) {
                    cells.done(1);
                } else {
                    Thread.sleep(50);
                    assertEquals(Cells.FEW, written.get(), "turns that were written before this rank was done");
                    cells.done(1);
                }
            });
        }
        assertEquals(Cells.FEW + 1, written.get());
    }

    @Test
    void anotherCallIsFound() {
        makeBlocks();
        try (CommunicatorJob job = new CommunicatorJob(RANKS, Place.THREADS)) {
            job.run(world -> {
                Cells cells = cells(world);
                int turn = cells.next();
                cells.room(turn, 0);
                cells.publish(turn, CALL + world.rank());
                int other = (world.rank() + 1) % RANKS;
                MismatchException found =
                        assertThrows(MismatchException.class, () -> cells.await(other, turn, CALL + world.rank(), 0));
                assertEquals(other, found.peer());
                assertEquals(CALL + other, found.tag());
            });
        }
    }
}
