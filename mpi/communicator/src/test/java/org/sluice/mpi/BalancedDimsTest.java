package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Sizes of a grid's dimensions, against all that there are. */
final class BalancedDimsTest {
    private static final int MOST_NODES = 600;
    private static final int MOST_DIMENSIONS = 5;

    private int[] best;
    private int bestDifference;

    /** Tries all factors in each place, none larger than the one before, the smaller ones first. */
    private void tryAll(int[] factors, int position, int rest) {
        if (position == factors.length) {
            int difference = factors[0] - factors[factors.length - 1];
            if (rest == 1 && (best == null || difference < bestDifference)) {
                best = factors.clone();
                bestDifference = difference;
            }
            return;
        }
        int most = position == 0 ? rest : Math.min(rest, factors[position - 1]);
        for (int factor = 1; factor <= most; factor++) {
            if (rest % factor == 0) {
                factors[position] = factor;
                tryAll(factors, position + 1, rest / factor);
            }
        }
    }

    @Test
    void noOthersAreNearerToEachOther() {
        for (int nodes = 1; nodes <= MOST_NODES; nodes++) {
            for (int dimensions = 1; dimensions <= MOST_DIMENSIONS; dimensions++) {
                best = null;
                tryAll(new int[dimensions], 0, nodes);
                int number = nodes;
                assertArrayEquals(
                        best,
                        CartesianCommunicator.balancedDims(nodes, new int[dimensions]),
                        () -> number + " nodes in " + Arrays.toString(best));
            }
        }
    }

    /** The examples of MPI 4.1, section 8.5.2, and some more. */
    @Test
    void whatIsGivenStays() {
        assertArrayEquals(new int[] {3, 2}, CartesianCommunicator.balancedDims(6, 0, 0));
        assertArrayEquals(new int[] {7, 1}, CartesianCommunicator.balancedDims(7, 0, 0));
        assertArrayEquals(new int[] {2, 3, 1}, CartesianCommunicator.balancedDims(6, 0, 3, 0));
        assertArrayEquals(new int[] {4, 1, 3}, CartesianCommunicator.balancedDims(12, 0, 1, 3));
        assertArrayEquals(new int[] {2, 3}, CartesianCommunicator.balancedDims(6, 2, 3));
        assertArrayEquals(new int[0], CartesianCommunicator.balancedDims(1));
        int[] given = {0, 0};
        CartesianCommunicator.balancedDims(6, given);
        assertArrayEquals(new int[2], given);
    }

    @Test
    void whatCannotBeIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> CartesianCommunicator.balancedDims(7, 0, 3, 0));
        assertThrows(IllegalArgumentException.class, () -> CartesianCommunicator.balancedDims(12, 2, 3));
        assertThrows(IllegalArgumentException.class, () -> CartesianCommunicator.balancedDims(2));
        assertThrows(IllegalArgumentException.class, () -> CartesianCommunicator.balancedDims(6, -1, 0));
        assertThrows(IllegalArgumentException.class, () -> CartesianCommunicator.balancedDims(0, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> CartesianCommunicator.balancedDims(-6, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> CartesianCommunicator.balancedDims(6, (int[]) null));
        // Their product is 0 in an int.
        assertThrows(IllegalArgumentException.class, () -> CartesianCommunicator.balancedDims(8, 1 << 16, 1 << 16, 0));
    }

    /** Numbers that have many divisors, or a large one. */
    @Test
    void largeNumbersTakeNoTime() {
        int[] numbers = {2_147_483_647, 2_095_133_040, 1_073_741_824, 735_134_400, 2 * 1_073_741_789, 1_162_261_467};
        assertTimeout(Duration.ofSeconds(10), () -> {
            for (int nodes : numbers) {
                for (int dimensions = 1; dimensions <= 31; dimensions++) {
                    int[] dims = CartesianCommunicator.balancedDims(nodes, new int[dimensions]);
                    assertArrayEquals(new long[] {nodes}, new long[] {
                        Arrays.stream(dims).asLongStream().reduce(1, (a, b) -> a * b)
                    });
                }
            }
        });
    }
}
