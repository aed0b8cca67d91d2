package org.sluice.shm.segment;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Ascending ranks as bytes: runs of ranks that are equally far from each other, as those of a node are but for the one
 * whose peers they are. Each rank is told of the peers of all others, so one by one they would come to n³ numbers in a
 * job of n.
 *
 * <pre>
 *   runs 4 | for each: first 4 | step 4 | count 4
 * </pre>
 *
 * <p><i>Thread</i>: any. <i>Proof</i>: {@code RankRunsTest}.
 */
final class RankRuns {
    private static final int FIELDS = 3;
    /** As large as a job may be. */
    private static final int MOST = 1 << 20;

    private RankRuns() {}

    static void write(DataOutputStream out, int[] ranks) throws IOException {
        List<int[]> runs = new ArrayList<>();
        for (int at = 0; at < ranks.length; ) {
            int step = at + 1 < ranks.length ? ranks[at + 1] - ranks[at] : 1;
            int end = at + 1;
            while (end < ranks.length && ranks[end] - ranks[end - 1] == step) {
                end++;
            }
            runs.add(new int[] {ranks[at], step, end - at});
            at = end;
        }
        out.writeInt(runs.size());
        for (int[] run : runs) {
            for (int field : run) {
                out.writeInt(field);
            }
        }
    }

    /** @throws IllegalArgumentException where no ranks of a job are written so */
    static int[] read(DataInputStream in) throws IOException {
        int runs = in.readInt();
        if (runs < 0 || runs > in.available() / (FIELDS * Integer.BYTES)) {
            throw new IllegalArgumentException(runs + " runs of ranks");
        }
        int[] ranks = new int[runs];
        int size = 0;
        for (int run = 0; run < runs; run++) {
            int first = in.readInt();
            int step = in.readInt();
            int count = in.readInt();
            boolean isAscending = first >= 0 && (size == 0 || first > ranks[size - 1]);
            if (!isAscending || step < 1 || count < 1 || first + (count - 1L) * step >= MOST) {
                throw new IllegalArgumentException(count + " ranks from " + first + " on, by " + step);
            }
            if (count > ranks.length - size) {
                ranks = Arrays.copyOf(ranks, Math.max(size + count, 2 * size));
            }
            for (int i = 0; i < count; i++) {
                ranks[size++] = first + i * step;
            }
        }
        return Arrays.copyOf(ranks, size);
    }
}
