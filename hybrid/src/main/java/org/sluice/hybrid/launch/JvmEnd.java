package org.sluice.hybrid.launch;

/** The end of one JVM of a job, and the ranks that lived in it. */
record JvmEnd(int firstRank, int jvmRanks, int status) {

    boolean has(int rank) {
        return rank >= firstRank && rank < firstRank + jvmRanks;
    }

    String ranks() {
        return RankList.range(firstRank, jvmRanks) + (jvmRanks == 1 ? "" : " (one JVM)");
    }

    String text() {
        return ranks() + " " + ExitStatus.text(status);
    }
}
