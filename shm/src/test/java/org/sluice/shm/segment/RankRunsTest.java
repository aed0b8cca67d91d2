package org.sluice.shm.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Ranks come back as they were written, and those of a node take few bytes. */
final class RankRunsTest {
    private static byte[] written(int... ranks) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        RankRuns.write(new DataOutputStream(bytes), ranks);
        return bytes.toByteArray();
    }

    private static int[] read(byte[] bytes) throws IOException {
        return RankRuns.read(new DataInputStream(new ByteArrayInputStream(bytes)));
    }

    @Test
    void whoComesNextToEachOtherOrAtEqualDistancesTakesFewBytes() throws IOException {
        for (int step : new int[] {1, 2, 16}) {
            for (int self = 0; self < 1000; self++) {
                int own = self;
                int[] peers = IntStream.range(0, 1000)
                        .filter(rank -> rank != own)
                        .map(rank -> rank * step)
                        .toArray();
                byte[] bytes = written(peers);
                assertArrayEquals(peers, read(bytes));
                assertTrue(
                        bytes.length <= 4 + 3 * 12, bytes.length + " bytes for the peers of rank " + self + " of 1000");
            }
        }
    }

    @Test
    void anyRanksComeBack() throws IOException {
        long seed = ThreadLocalRandom.current().nextLong();
        System.out.println("RankRunsTest: seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 1000; i++) {
            int[] ranks = random.ints(random.nextInt(30), 0, 1 << random.nextInt(21))
                    .sorted()
                    .distinct()
                    .toArray();
            assertArrayEquals(ranks, read(written(ranks)), () -> "seed " + seed);
        }
        assertEquals(0, read(written()).length);
    }

    @Test
    void whatIsNoRanksIsRefused() {
        int[][] wrong = {
            {-1},
            {1},
            {2, 0, 1, 1},
            {1, -1, 1, 1},
            {1, 0, 0, 2},
            {1, 0, 1, 0},
            {1, 0, 1, (1 << 20) + 1},
            {1, 1 << 20, 1, 1},
            {1, 0, Integer.MAX_VALUE, 3},
            {2, 5, 1, 3, 0, 1, 8},
            {2, 0, 1, 3, 2, 1, 1}
        };
        for (int[] numbers : wrong) {
            ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Integer.BYTES);
            bytes.asIntBuffer().put(numbers);
            assertThrows(IllegalArgumentException.class, () -> read(bytes.array()), java.util.Arrays.toString(numbers));
        }
    }
}
