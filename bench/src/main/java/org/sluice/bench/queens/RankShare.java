package org.sluice.bench.queens;

/** What one rank did for one solution: tasks, those that it sent away, and where its time went. */
record RankShare(long solutions, long tasks, long sent, long usefulNs, long idleNs, long overheadNs) {
    static final int NUMBERS = 6;

    long[] encode() {
        return new long[] {solutions, tasks, sent, usefulNs, idleNs, overheadNs};
    }

    static RankShare decode(long[] numbers, int first) {
        return new RankShare(
                numbers[first],
                numbers[first + 1],
                numbers[first + 2],
                numbers[first + 3],
                numbers[first + 4],
                numbers[first + 5]);
    }
}
