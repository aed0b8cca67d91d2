package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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
}
