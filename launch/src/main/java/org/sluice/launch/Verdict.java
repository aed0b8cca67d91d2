package org.sluice.launch;

import java.util.ArrayList;
import java.util.List;

/**
 * Which JVM a job's failure is put down to. It is seldom clear which ended first: a rank that fails closes its device,
 * and its peers may be gone before it is. So one that failed by itself comes before one that failed of another's end,
 * and only among equals the first that ended.
 *
 * <p>Thread: one.
 *
 * <p>Proof: {@code VerdictTest}.
 */
final class Verdict {
    private static final int CUT_OFF_STATUS = 1;
    /** How little a JVM has to do with it. */
    private static final int FAILED_BY_ITSELF = 0;

    private static final int CUT_RANKS_OFF = 1;
    private static final int PERHAPS_VICTIM = 2;
    private static final int VICTIM = 3;

    private final List<JvmEnd> ended;
    private final RankEnds ends;

    /** @param ended in the order in which they ended, but for those that the launcher has ended */
    Verdict(List<JvmEnd> ended, RankEnds ends) {
        this.ended = ended;
        this.ends = ends;
    }

    /** @return null where nothing failed */
    JvmEnd cause() {
        JvmEnd cause = null;
        for (JvmEnd end : ended) {
            if (hasFailed(end) && (cause == null || distance(end) < distance(cause))) {
                cause = end;
            }
        }
        return cause;
    }

    /** The job's, of which this is the cause. */
    int status(JvmEnd cause) {
        return cause.status() == 0 ? CUT_OFF_STATUS : cause.status();
    }

    String text(JvmEnd cause) {
        if (cause.status() == 0) {
            List<Integer> ranks = cutOff(cause);
            return cause.text() + " while " + RankList.text(ranks)
                    + (ranks.size() == 1 ? " had its device" : " had their devices")
                    + " open: System.exit of one rank ends them all";
        }
        Blame blame = blame(cause);
        if (blame != null && hasEndedWell(blame.peer()) && ends.wentWithDeviceOpen(blame.peer())) {
            return cause.text() + ", as rank " + blame.peer() + " had ended with its device open";
        }
        String unopened = ends.whyUnopened(cause.firstRank());
        if (blame == null && unopened != null) {
            return cause.text() + ", as " + unopened;
        }
        String reason = reason(cause);
        return reason.isEmpty() ? cause.text() : cause.text() + ": " + reason;
    }

    private String reason(JvmEnd end) {
        String reason = "";
        for (int rank = end.firstRank(); end.has(rank) && reason.isEmpty(); rank++) {
            reason = ends.reason(rank);
        }
        return reason;
    }

    /** While others may be to end that it failed of: as the cause it may not stand at the end. */
    String textSoFar(JvmEnd end) {
        Blame blame = blame(end);
        return blame == null || !blame.certain()
                ? end.text()
                : end.text() + ", as rank " + blame.peer() + " had closed its device or died";
    }

    private boolean hasFailed(JvmEnd end) {
        return end.status() != 0 || !cutOff(end).isEmpty();
    }

    /** A rank that is a thread may have, in a JVM that failed. */
    private boolean hasEndedWell(int rank) {
        JvmEnd jvm = jvmOf(rank);
        return ends.hasReturned(rank) || (jvm != null && !hasFailed(jvm));
    }

    private int distance(JvmEnd end) {
        if (end.status() == 0) {
            return CUT_RANKS_OFF;
        }
        Blame blame = blame(end);
        // Who fails of the end of a rank that ended well, or of one that nobody here knows, is the nearest to the
        // cause.
        if (blame == null && ends.whyUnopened(end.firstRank()) != null) {
            return PERHAPS_VICTIM;
        }
        if (blame == null || hasEndedWell(blame.peer()) || jvmOf(blame.peer()) == null) {
            return FAILED_BY_ITSELF;
        }
        return blame.certain() ? VICTIM : PERHAPS_VICTIM;
    }

    /** Of its ranks, those that were cut off: where a rank is a JVM, it may do so by itself. */
    private List<Integer> cutOff(JvmEnd end) {
        List<Integer> ranks = new ArrayList<>();
        for (int rank = end.firstRank(); end.jvmRanks() > 1 && end.status() == 0 && end.has(rank); rank++) {
            if (ends.wasCutOff(rank)) {
                ranks.add(rank);
            }
        }
        return ranks;
    }

    /** What its ranks say of ranks elsewhere. */
    private Blame blame(JvmEnd end) {
        for (int rank = end.firstRank(); end.has(rank); rank++) {
            Blame blame = ends.blame(rank);
            if (blame != null && !end.has(blame.peer())) {
                return blame;
            }
        }
        return null;
    }

    private JvmEnd jvmOf(int rank) {
        for (JvmEnd end : ended) {
            if (end.has(rank)) {
                return end;
            }
        }
        return null;
    }
}
