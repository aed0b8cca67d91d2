package org.sluice.bench.report;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.BenchPlan;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Route;
import org.sluice.bench.plan.VerbsUse;

final class TableTest {
    private static final int WINDOW_NANOS = 16_000_000;

    @ParameterizedTest
    @CsvSource({"IB, thousand messages a second, 4.000", "SHM, million messages a second, 0.004"})
    void aRateIsShownInTheUnitThatFitsItsRoute(Route route, String unit, String figure) {
        BenchPlan plan = new BenchPlan(
                Benchmark.RATE,
                route,
                Api.REQUEST,
                BufferKind.ARRAY,
                2,
                List.of(8),
                0,
                0,
                true,
                List.of(),
                false,
                false,
                0,
                1,
                1,
                VerbsUse.CHOSEN);
        Results results = new Results(plan, new Machine("cpu", 2, "6", "17"), true);
        results.add(Measurement.of(
                "sluice", Benchmark.RATE, 8, 1, 60, 60, new long[] {WINDOW_NANOS}, new long[0], 1, BenchPlan.WINDOW));
        results.sortHops();
        String text = new Table(results).toString();
        assertTrue(text.contains(unit) && text.contains(figure), text);
    }

    /** 10 us of which 4 were the sender's, beside 8 of which 5 were. */
    @Test
    void whatSendersTakeToFillTheirBuffersIsToldApart() {
        BenchPlan plan = new BenchPlan(
                Benchmark.LATENCY,
                Route.SHM,
                Api.BLOCKING,
                BufferKind.ARRAY,
                2,
                List.of(8),
                0,
                0,
                true,
                List.of("openmpi"),
                true,
                false,
                0,
                1,
                1,
                VerbsUse.CHOSEN);
        Results results = new Results(plan, new Machine("cpu", 2, "6", "17"), true);
        results.add(latency("sluice", 10_000, 4_000));
        results.add(latency("openmpi", 8_000, 5_000));
        results.sortHops();
        String text = new Table(results).toString();
        assertTrue(text.contains("sluice fills   without   openmpi fills   without"), text);
        assertTrue(text.matches("(?s).* 8 B +4.000 +6.000 +5.000 +3.000 +2.00 .*"), text);
        assertTrue(
                results.json().get(0).endsWith("\"rewrite\":true,\"fillNs\":4000}"),
                results.json().get(0));
    }

    private static Measurement latency(String peer, long ns, long fillNs) {
        return Measurement.of(peer, Benchmark.LATENCY, 8, 1, 60, 60, new long[] {20 * ns}, new long[0], 10, 1)
                .withFill(new long[] {10 * fillNs}, 10);
    }
}
