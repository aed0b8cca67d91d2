package org.sluice.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluice.bench.hop.HopState;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.BenchPlan;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Route;
import org.sluice.bench.plan.VerbsUse;

final class ComparisonTest {
    private static final double NEAR = 60;
    private static final double FAR = 260;
    private final Results results = new Results(
            new BenchPlan(
                    Benchmark.LATENCY,
                    Route.SHM,
                    Api.BLOCKING,
                    BufferKind.ARRAY,
                    2,
                    List.of(8),
                    0,
                    3,
                    true,
                    List.of("limit", "mpich"),
                    false,
                    false,
                    0,
                    1,
                    1,
                    VerbsUse.CHOSEN),
            new Machine("cpu", 2, "6", "17"),
            true);

    private void add(String peer, int round, double before, double after, long ns) {
        results.add(Measurement.of(
                peer, Benchmark.LATENCY, 8, round, before, after, new long[] {2 * ns}, new long[] {2 * ns}, 1, 1));
    }

    private Comparison compare() {
        results.sortHops();
        return results.compare("sluice", "limit", 8);
    }

    @Test
    void onlyRoundsOfOneStateAreCompared() {
        for (int round = 1; round <= 5; round++) {
            add("sluice", round, NEAR, NEAR, 90 + round);
            add("limit", round, NEAR, NEAR, 50);
        }
        for (int round = 6; round <= 20; round++) {
            add("sluice", round, FAR, FAR, 300);
            add("limit", round, FAR, FAR, 290);
        }
        Comparison comparison = compare();
        assertEquals(HopState.NEAR, comparison.state(), "near wins as soon as it has five rounds");
        assertEquals(5, comparison.rounds());
        assertEquals(93.0 / 50, comparison.ratio(), 1e-9, "the ratio of medians");
        assertTrue(comparison.lowQuartile() <= comparison.ratio() && comparison.ratio() <= comparison.highQuartile());
        assertTrue(results.enough());
    }

    @Test
    void aRoundCountsOnlyWhereBothWereInTheSameState() {
        for (int round = 1; round <= 6; round++) {
            add("sluice", round, NEAR, NEAR, 100);
            add("limit", round, round % 2 == 0 ? NEAR : FAR, round % 2 == 0 ? NEAR : FAR, 50);
        }
        Comparison comparison = compare();
        assertEquals(3, comparison.rounds());
        assertFalse(results.enough(), "three rounds are too few");
    }

    @Test
    void mixedRoundsCountForNothing() {
        for (int round = 1; round <= 8; round++) {
            add("sluice", round, NEAR, FAR, 100);
            add("limit", round, FAR, NEAR, 50);
        }
        assertEquals(0, compare().rounds());
        assertTrue(results.comparable("sluice", 8).isEmpty());
    }

    /** Sluice mostly near, the peer mostly far: each one's own commonest rounds would stand side by side. */
    @Test
    void aRowOfTheTableIsOfOneState() {
        for (int round = 1; round <= 12; round++) {
            boolean near = round <= 8;
            add("sluice", round, near ? NEAR : FAR, near ? NEAR : FAR, near ? 75 : 300);
            boolean peerNear = round <= 4;
            add("limit", round, peerNear ? NEAR : FAR, peerNear ? NEAR : FAR, peerNear ? 90 : 360);
        }
        results.sortHops();
        assertEquals(
                "8 B 0.075 0.075 0.075 0.075 near 0.090 0.83 [0.83 0.83; 4]*", row(), "near, where Sluice has more");
        assertEquals(
                0.09,
                results.comparable("limit", 8).get(0).value() / 1000,
                1e-9,
                "the chart shows what the table shows");
    }

    @Test
    void aRowIsOfTheStateThatMostRatiosCanRestOn() {
        for (int round = 1; round <= 12; round++) {
            boolean near = round <= 7;
            add("sluice", round, near ? NEAR : FAR, near ? NEAR : FAR, near ? 75 : 300);
            add("limit", round, near && round > 4 ? NEAR : FAR, near && round > 4 ? NEAR : FAR, near ? 90 : 600);
            add("mpich", round, FAR, FAR, 400);
        }
        results.sortHops();
        assertEquals("8 B 0.300 0.300 0.300 0.300 far 0.600 0.50 [0.50 0.50; 5] 0.400 0.75 [0.75 0.75; 5]", row());
        assertTrue(results.enough());
    }

    @Test
    void aRaceGoesOnUntilAllRatiosOfARowRestOnOneState() {
        for (int round = 1; round <= 10; round++) {
            double hop = round <= 5 ? NEAR : FAR;
            add("sluice", round, hop, hop, 100);
            add("limit", round, NEAR, NEAR, 100);
            add("mpich", round, FAR, FAR, 100);
        }
        assertFalse(results.enough(), "five near beside one peer and five far beside the other");
    }

    /** The first of the table. */
    private String row() {
        return new Table(results)
                .toString()
                .lines()
                .filter(line -> line.strip().startsWith("8 B"))
                .findFirst()
                .orElseThrow()
                .strip()
                .replaceAll(" +", " ");
    }

    @Test
    void theTableShowsRatioRoundsAndThatTheyAreTooFew() {
        for (int round = 1; round <= 3; round++) {
            add("sluice", round, NEAR, NEAR, 90);
            add("limit", round, NEAR, NEAR, 60);
        }
        results.sortHops();
        String table = new Table(results).toString();
        assertTrue(table.contains("1.50 [1.50 1.50; 3]*"), table);
        assertTrue(
                table.contains("* fewer than 5 comparable rounds: only 3 rounds in 3 s; run longer (--seconds)\n"),
                table);
        assertFalse(table.contains("the cores moved"), table);
        assertTrue(table.contains("8 B") && table.contains("0.090") && table.contains("near"), table);
    }

    @Test
    void aSizeWithoutOneComparableRoundSaysSo() {
        for (int round = 1; round <= 6; round++) {
            add("sluice", round, NEAR, NEAR, 75);
            add("limit", round, FAR, FAR, 360);
        }
        results.sortHops();
        assertEquals("8 B 0.075 0.075 0.075 0.075 near - - *", row());
        assertTrue(
                new Table(results).toString().contains("* fewer than 5 comparable rounds: the cores moved too often"),
                row());
    }

    @Test
    void aPeerThatDoesNotRunASizeHasNoRatioAndNoFootnote() {
        for (int round = 1; round <= 6; round++) {
            add("sluice", round, NEAR, NEAR, 75);
            results.add(Measurement.of(
                    "limit", Benchmark.LATENCY, 16, round, NEAR, NEAR, new long[] {100}, new long[] {100}, 1, 1));
        }
        results.sortHops();
        assertEquals("8 B 0.075 0.075 0.075 0.075 near - -", row());
        assertFalse(new Table(results).toString().contains("*"), row());
    }

    @Test
    void aPeerThatLeftEarlyIsWhyItsRoundsAreFew() {
        for (int round = 1; round <= 6; round++) {
            add("sluice", round, NEAR, NEAR, 75);
            if (round <= 2) {
                add("limit", round, NEAR, NEAR, 50);
            }
        }
        results.sortHops();
        String table = new Table(results).toString();
        assertTrue(
                table.contains("* fewer than 5 comparable rounds: limit left the race after 2 of 6 rounds\n"), table);
        assertFalse(table.contains("the cores moved"), table);
    }

    @Test
    void whoFailedInTheFirstOfTwoStartsIsComparedByTheSecond() {
        results.begin();
        for (int round = 1; round <= 6; round++) {
            add("limit", round, NEAR, NEAR, 50);
            add("mpich", round, NEAR, NEAR, 60);
        }
        results.begin();
        for (int round = 7; round <= 12; round++) {
            add("limit", round, NEAR, NEAR, 50);
            add("sluice", round, NEAR, NEAR, 75);
        }
        results.begin();
        assertEquals(1.5, compare().ratio(), 1e-9);
        assertEquals(List.of("sluice", "limit", "mpich"), results.peers());
        String table = new Table(results).toString();
        assertTrue(table.contains(", 12 rounds in 2 starts\n"), table);
        assertTrue(
                table.contains("* fewer than 5 comparable rounds: sluice and mpich were both in only 0 of 12 rounds\n"),
                table);
    }

    @Test
    void whoIsMissingInStartsIsSaidToHaveBeenInSoManyRounds() {
        for (int start = 0; start < 2; start++) {
            results.begin();
            for (int round = 3 * start + 1; round <= 3 * start + 3; round++) {
                add("sluice", round, NEAR, NEAR, 75);
                if (start == 1) {
                    add("limit", round, NEAR, NEAR, 50);
                }
            }
        }
        results.sortHops();
        String table = new Table(results).toString();
        assertTrue(table.contains("* fewer than 5 comparable rounds: limit was in 3 of 6 rounds\n"), table);
    }

    /** As in a record. */
    @Test
    void noPercentileOfALineIsBelowTheOneBefore() {
        for (int round = 1; round <= 5; round++) {
            results.add(Measurement.of(
                    "sluice", Benchmark.LATENCY, 8, round, NEAR, NEAR, new long[] {300}, new long[] {200}, 1, 1));
        }
        results.sortHops();
        assertEquals("8 B 0.150 0.150 0.150 0.150 near", row());
    }

    @Test
    void aTableWithoutPeersSaysWhyItShowsNothing() {
        for (int round = 1; round <= 6; round++) {
            add("sluice", round, NEAR, FAR, 75);
        }
        results.sortHops();
        assertEquals("8 B - - - - - *", row());
        String table = new Table(results).toString();
        assertTrue(
                table.endsWith("\n"
                        + "* fewer than 5 comparable rounds: the cores moved too often for figures one can rely"
                        + " on; run again, or longer (--seconds)\n"),
                table);
    }

    @Test
    void ownFiguresOfFewRoundsAreMarkedWithoutPeersToo() {
        for (int round = 1; round <= 4; round++) {
            add("sluice", round, NEAR, NEAR, 75);
        }
        results.sortHops();
        assertEquals("8 B 0.075 0.075 0.075 0.075 near *", row());
        String table = new Table(results).toString();
        assertTrue(
                table.endsWith("\n* fewer than 5 comparable rounds: only 4 rounds in 3 s; run longer (--seconds)\n"),
                table);
        add("sluice", 5, NEAR, NEAR, 75);
        results.sortHops();
        assertFalse(new Table(results).toString().contains("*"), row());
    }

    @Test
    void aPeerThatNeverRanLeavesTheTableWhole() {
        add("sluice", 1, NEAR, NEAR, 90);
        results.sortHops();
        String table = new Table(results).toString();
        assertTrue(table.contains("0.090") && !table.contains("ratio"), table);
    }
}
