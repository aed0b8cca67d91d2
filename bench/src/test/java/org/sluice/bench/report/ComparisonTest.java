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

final class ComparisonTest {
    private static final double NEAR = 60;
    private static final double FAR = 260;
    private final Results results = new Results(
            new BenchPlan(Benchmark.LATENCY, Route.SHM, Api.BLOCKING, BufferKind.ARRAY, 2, List.of(8), 0, 0, true, List.of("limit"), false,
                    false, 0), new Machine("cpu", 2, "6", "17"), true);

    private void add(String peer, int round, double before, double after, long ns) {
        results.add(Measurement.of(peer, Benchmark.LATENCY, 8, round, before, after, new long[] {2 * ns}, new long[] {2 * ns}, 1, 1));
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

    @Test
    void theTableShowsRatioRoundsAndThatTheyAreTooFew() {
        for (int round = 1; round <= 3; round++) {
            add("sluice", round, NEAR, NEAR, 90);
            add("limit", round, NEAR, NEAR, 60);
        }
        results.sortHops();
        String table = new Table(results).toString();
        assertTrue(table.contains("1.50 [1.50 1.50; 3]*"), table);
        assertTrue(table.contains("fewer than 5 comparable rounds"), table);
        assertTrue(table.contains("8 B") && table.contains("0.090") && table.contains("near"), table);
    }

    @Test
    void aPeerThatNeverRanLeavesTheTableWhole() {
        add("sluice", 1, NEAR, NEAR, 90);
        results.sortHops();
        String table = new Table(results).toString();
        assertTrue(table.contains("0.090") && !table.contains("ratio"), table);
    }
}
