package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Place;

/** Long blocks of two ranks, through both ways and several choices, among other collectives. */
final class LongBlocksTest {
    private static final int RANKS = 2;
    private static final int BYTES = 64 << 10;
    /** No piece divides it, and it is of another size class. */
    private static final int ODD_BYTES = 20_001;

    private static final int ROUNDS = 300;
    /** Each way is tried so often with blocks of 64 KB: for 3 MB. */
    private static final int TRIES = 48;
    /** Before the cells are made. */
    private static final int FIRST = 6;

    private static byte number(int round, int rank, int block, int at) {
        return (byte) (31 * round + 7 * rank + 5 * block + at % 251);
    }

    private static void fill(byte[] given, int round, int rank, int length, int blocks) {
        for (int block = 0; block < blocks; block++) {
            for (int i = 0; i < length; i++) {
                given[block * length + i] = number(round, rank, block, i);
            }
        }
    }

    private static void check(byte[] result, int round, int length, int blockOfOwn) {
        for (int rank = 0; rank < RANKS; rank++) {
            for (int i = 0; i < length; i++) {
                if (result[rank * length + i] != number(round, rank, blockOfOwn, i)) {
                    assertEquals(
                            number(round, rank, blockOfOwn, i),
                            result[rank * length + i],
                            "round " + round + ", byte " + i);
                }
            }
        }
    }

    private static void allGather(Communicator world, int round, int length, byte[] given, byte[] result) {
        fill(given, round, world.rank(), length, 1);
        world.allGather(Data.of(given, 0, length), Data.of(result, 0, RANKS * length));
        check(result, round, length, 0);
    }

    private static void allToAll(Communicator world, int round, int length, byte[] given, byte[] result) {
        fill(given, round, world.rank(), length, RANKS);
        world.allToAll(Data.of(given, 0, RANKS * length), Data.of(result, 0, RANKS * length));
        check(result, round, length, world.rank());
    }

    @Test
    void bothWaysBringTheSame() {
        try (CommunicatorJob job = new CommunicatorJob(RANKS, Place.SHM)) {
            job.run(world -> {
                for (int i = 0; i < FIRST; i++) {
                    world.barrier();
                }
            });
            long before = job.counted("sent.eager") + job.counted("sent.rendezvous");
            job.run(60, world -> {
                byte[] given = new byte[RANKS * BYTES];
                byte[] result = new byte[RANKS * BYTES];
                for (int round = 0; round < ROUNDS; round++) {
                    allGather(world, round, BYTES, given, result);
                    if (round % 3 == 0) {
                        world.barrier();
                    }
                    allToAll(world, round, BYTES, given, result);
                    allGather(world, round, ODD_BYTES, given, result);
                }
            });
            long messages = job.counted("sent.eager") + job.counted("sent.rendezvous") - before;
            assertTrue(messages >= 2 * RANKS * TRIES, messages + " messages: one of the ways was never tried");
            if (Runtime.getRuntime().availableProcessors() >= RANKS) {
                long ifAllWereMessages = 3L * RANKS * ROUNDS;
                assertTrue(messages <= ifAllWereMessages - 2 * RANKS * TRIES, messages + " messages");
            }
        }
    }
}
