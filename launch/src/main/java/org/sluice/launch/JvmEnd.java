package org.sluice.launch;

import java.util.BitSet;

/**
 * The end of one JVM of a job, and the ranks that lived in it; or of one rank that was a thread of a JVM, and failed
 * before it ended.
 */
record JvmEnd(int firstRank, int jvmRanks, int status, String cause, boolean isLost) {
    JvmEnd(int firstRank, int jvmRanks, int status) {
        this(firstRank, jvmRanks, status, "", false);
    }

    /** Nobody knows how it ended, nor whether it has. */
    static JvmEnd lost(int firstRank, int jvmRanks, int status, String cause) {
        return new JvmEnd(firstRank, jvmRanks, status, cause, true);
    }

    /** @param newCause a clause; empty if none is known */
    JvmEnd because(String newCause) {
        return new JvmEnd(firstRank, jvmRanks, status, newCause, isLost);
    }

    boolean has(int rank) {
        return rank >= firstRank && rank < firstRank + jvmRanks;
    }

    boolean hasAnyOf(BitSet ranks) {
        int next = ranks.nextSetBit(firstRank);
        return next >= 0 && has(next);
    }

    String ranks() {
        return RankList.range(firstRank, jvmRanks) + (jvmRanks == 1 ? "" : " (one JVM)");
    }

    String text() {
        String how =
                !isLost ? ExitStatus.text(status, jvmRanks) : jvmRanks == 1 ? "is out of reach" : "are out of reach";
        return ranks() + " " + how + (cause.isEmpty() ? "" : ", " + cause);
    }
}
