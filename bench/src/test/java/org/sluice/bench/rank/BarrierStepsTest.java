package org.sluice.bench.rank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.Rewrite;
import org.sluice.bench.plan.Step;

/** The floor of a barrier between threads. */
@Timeout(60)
final class BarrierStepsTest {
    private interface Body {
        Object run(int rank) throws Exception;
    }

    private static List<Object> all(int ranks, Body body) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(ranks);
        try {
            List<Future<Object>> running = new ArrayList<>();
            for (int i = 0; i < ranks; i++) {
                int rank = i;
                running.add(threads.submit(() -> body.run(rank)));
            }
            List<Object> results = new ArrayList<>();
            for (Future<Object> each : running) {
                results.add(each.get(50, TimeUnit.SECONDS));
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }

    /** Nobody leaves before all have come, also where ranks share cores. */
    @ParameterizedTest
    @CsvSource({"2, false", "2, true", "7, true"})
    void nobodyPassesBeforeAllHaveCome(int ranks, boolean yields) throws Exception {
        // Who spins waits for a processor, too, where others have it.
        int rounds = yields && ranks == 2 ? 20_000 : 2_000;
        BarrierSteps.SenseReversing barrier = new BarrierSteps.SenseReversing(ranks, yields);
        AtomicIntegerArray came = new AtomicIntegerArray(ranks);
        all(ranks, rank -> {
            for (int round = 1; round <= rounds; round++) {
                came.set(rank, round);
                barrier.await(rank);
                for (int other = 0; other < ranks; other++) {
                    int there = came.get(other);
                    assertTrue(there == round || there == round + 1, "rank " + other + " is at " + there);
                }
            }
            return null;
        });
        for (int rank = 0; rank < ranks; rank++) {
            assertEquals(rounds, came.get(rank));
        }
    }

    /** Step after step, with the figures of one of the barriers. */
    @ParameterizedTest
    @Tag("once")
    @ValueSource(ints = {2, 5})
    void allRanksTimeEachBatch(int ranks) throws Exception {
        List<Steps> steps = BarrierSteps.ofAll(ranks, 2);
        Step step = new Step(Benchmark.BARRIER, Api.BLOCKING, 0, 3, 10, 5, Rewrite.NO, false, 1);
        List<Object> samples = all(ranks, rank -> {
            steps.get(rank).run(step);
            return steps.get(rank).run(step);
        });
        for (Object ofRank : samples) {
            assertEquals(3, ((long[]) ofRank).length);
            for (long sample : (long[]) ofRank) {
                assertTrue(sample > 0);
            }
        }
    }

    /** A kind that is slow would take minutes for as many iterations as the fastest contestant makes. */
    @Test
    @Tag("once")
    void onlyTheFastestGoesOnAfterTheTrial() throws Exception {
        int ranks = 2;
        BarrierSteps.Barrier fast = new BarrierSteps.SenseReversing(ranks, true);
        BarrierSteps.Barrier slow = new BarrierSteps.SenseReversing(ranks, true);
        AtomicIntegerArray calls = new AtomicIntegerArray(2);
        // Time that passes in calls alone: on a busy machine either may be the slower one by the clock.
        AtomicLong time = new AtomicLong();
        List<Steps> steps = BarrierSteps.ofAll(
                ranks,
                List.of(
                        rank -> {
                            calls.incrementAndGet(0);
                            time.addAndGet(10);
                            slow.await(rank);
                        },
                        rank -> {
                            calls.incrementAndGet(1);
                            time.addAndGet(1);
                            fast.await(rank);
                        }),
                time::get);
        Step step = new Step(Benchmark.BARRIER, Api.BLOCKING, 0, 3, 10, 5, Rewrite.NO, false, 1);
        all(ranks, rank -> {
            steps.get(rank).run(step);
            return steps.get(rank).run(step);
        });
        int trial = ranks * BarrierSteps.TRIAL_PASSES * BarrierSteps.TRIAL_ROUNDS;
        assertEquals(trial, calls.get(0), "of the slow one");
        assertEquals(trial + 2 * ranks * step.iterations(), calls.get(1), "of the fast one");
    }
}
