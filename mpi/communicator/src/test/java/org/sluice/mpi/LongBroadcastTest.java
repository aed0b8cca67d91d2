package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.Request;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Place;

/** Broadcasts of a few processes, of lengths that go other ways, before and after the ranks know of their memory. */
final class LongBroadcastTest {
    private static final int[] LENGTHS = {1, 20_001, 32 << 10, (32 << 10) + 1, 64 << 10, 512 << 10, (512 << 10) + 1};
    private static final int ROUNDS = 40;
    private static final int MOST_LINEAR = 4;

    private static byte[] content(int round, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (31 * round + i % 251);
        }
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void allGetWhatTheRootHas(int ranks) {
        try (CommunicatorJob job = new CommunicatorJob(ranks, Place.SHM)) {
            job.run(60, world -> {
                for (int round = 0; round < ROUNDS; round++) {
                    int root = round % ranks;
                    for (int length : LENGTHS) {
                        byte[] expected = content(round, length);
                        byte[] bytes = world.rank() == root ? expected.clone() : new byte[length];
                        world.broadcast(bytes, root);
                        assertArrayEquals(expected, bytes, "round " + round + " of " + length);
                    }
                }
            });
            // Three of the lengths go from the root to each, once the ranks know; of five all are in cells.
            long messages = job.counted("sent.eager") + job.counted("sent.rendezvous");
            long each = (ranks - 1L) * ROUNDS;
            if (ranks == MOST_LINEAR) {
                assertTrue(messages > 3 * each, messages + " messages");
            } else if (ranks > MOST_LINEAR) {
                assertTrue(messages < 2 * each, messages + " messages");
            }
        }
    }

    /** What is on its way at one rank is over at another, which takes another call then for the next collective. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void allChooseAlikeWhateverIsOnItsWay(boolean isStarted) {
        int ranks = 4;
        try (CommunicatorJob job = new CommunicatorJob(ranks, Place.SHM)) {
            job.run(60, world -> {
                PersistentRequest before = null;
                byte[] persistent = new byte[LENGTHS[4]];
                for (int round = 0; round < ROUNDS; round++) {
                    if (round == 0) {
                        before = world.broadcastInit(persistent, 1);
                    }
                    world.barrier();
                    byte[] expected = content(round, LENGTHS[round % LENGTHS.length]);
                    byte[] bytes = world.rank() == 0 ? expected.clone() : new byte[expected.length];
                    int[] gathered = world.rank() == 0 ? new int[ranks] : null;
                    Request gather = world.igather(new int[] {round}, gathered, 0);
                    if (world.rank() != 0) {
                        gather.waitFor();
                    }
                    if (isStarted) {
                        world.ibroadcast(bytes, 0).waitFor();
                    } else {
                        world.broadcast(bytes, 0);
                    }
                    gather.waitFor();
                    assertArrayEquals(expected, bytes, "round " + round);
                    if (world.rank() == 1) {
                        Arrays.fill(persistent, (byte) round);
                    }
                    before.start();
                    before.waitFor();
                    assertEquals((byte) round, persistent[persistent.length - 1]);
                }
            });
        }
    }

    /** Wrong arguments of another thread, at one rank alone. */
    @Test
    void allChooseAlikeAfterAMistakeOfOne() {
        try (CommunicatorJob job = new CommunicatorJob(3, Place.SHM)) {
            job.run(60, world -> {
                for (int round = 0; round < ROUNDS; round++) {
                    if (world.rank() == 0) {
                        Thread mistaken = new Thread(() ->
                                assertThrows(IllegalArgumentException.class, () -> world.broadcast(new byte[1], 99)));
                        mistaken.start();
                        mistaken.join();
                    }
                    byte[] expected = content(round, LENGTHS[4]);
                    byte[] bytes = world.rank() == 0 ? expected.clone() : new byte[expected.length];
                    world.broadcast(bytes, 0);
                    assertArrayEquals(expected, bytes, "round " + round);
                    world.barrier();
                }
            });
        }
    }
}
