package org.sluice.bench.memory;

import java.util.List;
import org.sluice.launch.JavaHome;

/**
 * What a peer takes that nobody has connected to: entries of the completion queue, which is made for all peers at once,
 * and of tables. Jobs of different numbers of ranks in one JVM open and do nothing. What they hold then is a part that
 * a JVM has once, one of each rank, and one of each rank for each other; the third is told from the others by how the
 * growth grows.
 */
final class UnmetPeers {
    /** Of the jobs: as far apart from each other. */
    static final List<Integer> RANKS = List.of(8, 24, 40);

    private UnmetPeers() {}

    /** By three jobs. */
    static double bytesOfEach(JavaHome java, int window) throws InterruptedException {
        long[] held = new long[RANKS.size()];
        for (int i = 0; i < held.length; i++) {
            held[i] = new MemoryRun(java, RANKS.get(i), window).opened();
        }
        return bytesOfEach(held[0], held[1], held[2]);
    }

    /** @param few bytes that the job with the fewest ranks holds, and so on */
    static double bytesOfEach(long few, long some, long many) {
        long peers = pairs(2) - 2 * pairs(1) + pairs(0);
        return (double) (many - 2 * some + few) / peers;
    }

    private static long pairs(int job) {
        return (long) RANKS.get(job) * (RANKS.get(job) - 1);
    }
}
