package org.sluice.bench.report;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.BenchPlan;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Route;

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
                0);
        Results results = new Results(plan, new Machine("cpu", 2, "6", "17"), true);
        results.add(Measurement.of(
                "sluice", Benchmark.RATE, 8, 1, 60, 60, new long[] {WINDOW_NANOS}, new long[0], 1, BenchPlan.WINDOW));
        results.sortHops();
        String text = new Table(results).toString();
        assertTrue(text.contains(unit) && text.contains(figure), text);
    }
}
