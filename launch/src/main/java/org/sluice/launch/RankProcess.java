package org.sluice.launch;

import java.util.List;

/**
 * One JVM of a job, with the ranks that live in it, on this machine or another.
 *
 * <p>Thread: the job's supervisor; {@link #endNow} from any.
 *
 * <p>Owns: the process and the pumps of its output.
 */
abstract class RankProcess {
    private final int firstRank;
    private final int jvmRanks;

    RankProcess(int firstRank, int jvmRanks) {
        this.firstRank = firstRank;
        this.jvmRanks = jvmRanks;
    }

    final int firstRank() {
        return firstRank;
    }

    final int jvmRanks() {
        return jvmRanks;
    }

    final String ranks() {
        return new JvmEnd(firstRank, jvmRanks, 0).ranks();
    }

    /** @param memoryKills of this machine */
    abstract JvmEnd end(int status, MemoryKills memoryKills);

    /** On its machine. */
    abstract long pid();

    abstract int waitFor() throws InterruptedException;

    abstract boolean isAlive();

    /** Whether nobody knows what became of it, as what watched it is gone: it is to be told to end by other ways. */
    boolean isOutOfReach() {
        return false;
    }

    /** SIGTERM. */
    abstract void terminate();

    /** SIGKILL, also for what the rank, or a wrapper around it, has started. */
    abstract void endNow();

    /** It did not end: nobody waits for it any more, where that can be. */
    void giveUp() {
        // The kernel ends what is on this machine, sooner or later.
    }

    abstract List<LinePump> pumps();
}
