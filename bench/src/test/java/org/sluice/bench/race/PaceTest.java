package org.sluice.bench.race;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.BenchPlan;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Route;

final class PaceTest {

    private static BenchPlan plan(Benchmark benchmark, int iterations) {
        return new BenchPlan(benchmark, Route.SHM, Api.BLOCKING, BufferKind.ARRAY, 2, List.of(8), iterations, 0, true, List.of(), false,
                false, 0);
    }

    @Test
    void smallMessagesAreTimedInBatchesOfAHundred() {
        Pace pace = Pace.of(plan(Benchmark.LATENCY, 0), 8, 200);
        assertEquals(100, pace.batches().batch());
        assertEquals(400, pace.batches().batches());
        assertEquals(1, pace.tails().batch(), "tails time each round trip by itself");
    }

    @Test
    void largeOrSlowOnesInSmallerBatches() {
        assertEquals(1, Pace.of(plan(Benchmark.LATENCY, 0), 16 << 20, 7e6).batches().batch());
        assertEquals(32, Pace.of(plan(Benchmark.LATENCY, 0), 64 << 10, 15e3).batches().batch());
        Pace slow = Pace.of(plan(Benchmark.NEIGHBOR, 0), 8, 4e6);
        assertTrue(slow.batches().batch() == 1 && slow.batches().batches() == 5, slow.toString());
    }

    @Test
    void theUserMaySayHowMany() {
        Pace pace = Pace.of(plan(Benchmark.LATENCY, 30), 8, 200);
        assertEquals(30, pace.batches().batch() * pace.batches().batches());
        assertEquals(30, pace.tails().batches());
    }

    @Test
    void windowsHaveNoTails() {
        Pace pace = Pace.of(plan(Benchmark.RATE, 0), 8, 5000);
        assertNull(pace.tails());
        assertEquals(64, pace.batches().window());
    }
}
