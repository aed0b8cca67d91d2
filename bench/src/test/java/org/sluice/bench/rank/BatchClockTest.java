package org.sluice.bench.rank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.Rewrite;
import org.sluice.bench.plan.Step;

@Tag("once")
final class BatchClockTest {

    @ParameterizedTest
    @CsvSource({"0, 1, 1", "0, 3, 4", "1, 1, 1", "5, 2, 3"})
    void theLastOfAllIterationsEndsTheStepAndEachBatchHasItsTime(int leadIn, int batches, int batch)
            throws InterruptedException {
        Step step = new Step(Benchmark.LATENCY, Api.HANDLER, 8, batches, batch, leadIn, Rewrite.NO, false, 1);
        BatchClock clock = new BatchClock(step, new Content());
        long start = System.nanoTime();
        clock.begin();
        int iterations = 1;
        Thread.sleep(1);
        while (!clock.ended()) {
            Thread.sleep(1);
            iterations++;
        }
        long all = System.nanoTime() - start;
        assertEquals(step.iterations(), iterations);
        assertEquals(batches, clock.samples().length);
        assertTrue(
                Arrays.stream(clock.samples()).allMatch(ns -> ns >= batch * 1_000_000L),
                Arrays.toString(clock.samples()));
        assertTrue(
                Arrays.stream(clock.samples()).sum() <= all - leadIn * 1_000_000L,
                "the lead-in is no part of any batch");
    }
}
