package org.sluice.bench.race;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluice.bench.contestant.Contestant;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.BenchPlan;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Route;
import org.sluice.bench.plan.VerbsUse;

final class PaceTest {

    private static BenchPlan plan(Benchmark benchmark, int iterations) {
        return new BenchPlan(
                benchmark,
                Route.SHM,
                Api.BLOCKING,
                BufferKind.ARRAY,
                2,
                List.of(8),
                iterations,
                0,
                true,
                List.of(),
                false,
                false,
                0,
                1,
                1,
                VerbsUse.CHOSEN);
    }

    @Test
    void smallMessagesAreTimedInBatchesOfAHundred() {
        Pace pace = Pace.of(plan(Benchmark.LATENCY, 0), 8, 200, Contestant.Timing.BATCHES);
        assertEquals(100, pace.batches().batch());
        assertEquals(400, pace.batches().batches());
        assertEquals(1, pace.tails().batch(), "tails time each round trip by itself");
    }

    @Test
    void largeOrSlowOnesInSmallerBatches() {
        assertEquals(
                1,
                Pace.of(plan(Benchmark.LATENCY, 0), 16 << 20, 7e6, Contestant.Timing.BATCHES)
                        .batches()
                        .batch());
        assertEquals(
                32,
                Pace.of(plan(Benchmark.LATENCY, 0), 64 << 10, 15e3, Contestant.Timing.BATCHES)
                        .batches()
                        .batch());
        Pace slow = Pace.of(plan(Benchmark.NEIGHBOR, 0), 8, 4e6, Contestant.Timing.BATCHES);
        assertTrue(slow.batches().batch() == 1 && slow.batches().batches() == 5, slow.toString());
    }

    @Test
    void theUserMaySayHowMany() {
        Pace pace = Pace.of(plan(Benchmark.LATENCY, 30), 8, 200, Contestant.Timing.BATCHES);
        assertEquals(30, pace.batches().batch() * pace.batches().batches());
        assertEquals(30, pace.tails().batches());
    }

    @Test
    void windowsHaveNoTails() {
        Pace pace = Pace.of(plan(Benchmark.RATE, 0), 8, 5000, Contestant.Timing.BATCHES);
        assertNull(pace.tails());
        assertEquals(64, pace.batches().window());
    }

    @Test
    void overVerbsEveryRoundTripIsTimedByItselfAsThePeersDo() {
        BenchPlan plan = new BenchPlan(
                Benchmark.LATENCY,
                Route.IB,
                Api.BLOCKING,
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
        for (Contestant.Timing timing : List.of(Contestant.Timing.BATCHES, Contestant.Timing.EACH)) {
            Pace pace = Pace.of(plan, 8, 100e3, timing);
            assertTrue(
                    pace.timesEach() && pace.tails() == null && pace.batches().batch() == 1, pace.toString());
            assertEquals(2000, pace.batches().batches(), timing.toString());
        }
        Pace mean = Pace.of(plan, 8, 100e3, Contestant.Timing.TOTAL);
        assertTrue(
                !mean.timesEach()
                        && mean.batches().batches() == 1
                        && mean.batches().batch() == 2000,
                mean.toString());
    }
}
