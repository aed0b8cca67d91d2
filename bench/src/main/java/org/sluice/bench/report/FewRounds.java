package org.sluice.bench.report;

import java.text.NumberFormat;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;

/** Why a ratio, or Sluice's own figures, rest on too few rounds: each reason that a table has, once. */
final class FewRounds {
    private final Results results;

    FewRounds(Results results) {
        this.results = results;
    }

    /** A line each; nothing where all rounds suffice. */
    String footnotes() {
        Set<String> reasons = new LinkedHashSet<>();
        for (int size : results.plan().sizes()) {
            for (String peer : results.peers()) {
                if (isAt(peer, size)) {
                    reasons.add(reason(peer, size));
                }
            }
        }
        StringBuilder text = new StringBuilder();
        reasons.forEach(reason -> text.append("* fewer than ")
                .append(Comparison.ROUNDS_LEAST)
                .append(" comparable rounds: ")
                .append(reason)
                .append('\n'));
        return text.toString();
    }

    /**
     * Of Sluice its own rounds count, of a peer those that both have; who didn't run the size has no figure that could
     * need more.
     */
    boolean isAt(String peer, int size) {
        int rounds = peer.equals(Results.SLUICE)
                ? results.comparable(peer, size).size()
                : results.compare(Results.SLUICE, peer, size).rounds();
        return !results.of(peer, size).isEmpty() && rounds < Comparison.ROUNDS_LEAST;
    }

    private String reason(String peer, int size) {
        int all = results.rounds();
        if (all < Comparison.ROUNDS_LEAST) {
            double seconds = results.plan().seconds();
            return "only " + all + (all == 1 ? " round" : " rounds")
                    + (seconds == 0
                            ? ""
                            : " in "
                                    + NumberFormat.getInstance(Locale.ROOT)
                                            .format(seconds * Math.max(1, results.starts()))
                                    + " s")
                    + "; run longer (--seconds)";
        }
        for (String contestant : new String[] {Results.SLUICE, peer}) {
            int rounds = results.of(contestant, size).size();
            if (rounds < Comparison.ROUNDS_LEAST) {
                return contestant + (results.starts() > 1 ? " was in " : " left the race after ") + rounds + " of "
                        + all + " rounds";
            }
        }
        long both = results.of(Results.SLUICE, size).stream()
                .filter(our -> results.of(peer, size).stream().anyMatch(their -> their.round() == our.round()))
                .count();
        if (both < Comparison.ROUNDS_LEAST) {
            return Results.SLUICE + " and " + peer + " were both in only " + both + " of " + all + " rounds";
        }
        return "the cores moved too often for figures one can rely on; run again, or longer (--seconds)";
    }
}
