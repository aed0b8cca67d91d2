package org.sluice.bench.plan;

import java.util.Arrays;

/** Times that every rank has taken of the same batches: their mean, the fastest rank's, the slowest's. */
public final class RankTimes {
    private static final int PARTS = 3;

    private RankTimes() {}

    /** @return the means of all batches, then the shortest, then the longest */
    public static long[] combined(long[][] ofRanks) {
        int batches = ofRanks[0].length;
        long[] all = new long[PARTS * batches];
        for (int batch = 0; batch < batches; batch++) {
            long sum = 0;
            long least = Long.MAX_VALUE;
            long most = 0;
            for (long[] ofRank : ofRanks) {
                sum += ofRank[batch];
                least = Math.min(least, ofRank[batch]);
                most = Math.max(most, ofRank[batch]);
            }
            all[batch] = sum / ofRanks.length;
            all[batches + batch] = least;
            all[2 * batches + batch] = most;
        }
        return all;
    }

    public static long[] means(long[] combined) {
        return Arrays.copyOfRange(combined, 0, combined.length / PARTS);
    }

    /** The median over batches of the fastest rank's time of one call. */
    public static double fastest(long[] combined, int batch) {
        int batches = combined.length / PARTS;
        return median(Arrays.copyOfRange(combined, batches, 2 * batches)) / batch;
    }

    /** As {@link #fastest}, of the slowest. */
    public static double slowest(long[] combined, int batch) {
        int batches = combined.length / PARTS;
        return median(Arrays.copyOfRange(combined, 2 * batches, combined.length)) / batch;
    }

    private static double median(long[] times) {
        Arrays.sort(times);
        return times[times.length / 2];
    }
}
