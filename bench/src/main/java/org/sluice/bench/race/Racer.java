package org.sluice.bench.race;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.IntPredicate;
import org.sluice.bench.contestant.Contestant;
import org.sluice.bench.contestant.ContestantFailure;
import org.sluice.bench.plan.BenchPlan;
import org.sluice.bench.plan.Step;
import org.sluice.bench.report.Measurement;

/** One contestant on its way through the race, with the pace that its warm-up showed for each size. */
final class Racer {
    /** Compilers need a while until they have seen enough; native peers only touch their memory. */
    private static final double WARM_UP_NS = 300e6;

    private static final double WARM_UP_AGAIN_NS = 120e6;
    /**
     * All sizes together at least: where a rank's compilers share its core, a single size would begin half compiled.
     */
    private static final double WARM_UP_LEAST_NS = 4e9;

    private static final double WARM_UP_AGAIN_LEAST_NS = 1e9;
    private static final long STEP_MS = 60_000;

    private final Contestant contestant;
    private final IntPredicate runs;
    private final BenchPlan plan;
    private final Map<Integer, Pace> paces = new HashMap<>();

    /** @param runs at which sizes it takes part */
    Racer(Contestant contestant, IntPredicate runs, BenchPlan plan) {
        this.contestant = contestant;
        this.runs = runs;
        this.plan = plan;
    }

    Contestant contestant() {
        return contestant;
    }

    boolean runs(int size) {
        return runs.test(size);
    }

    /**
     * All sizes, and all once more, until the compilers rest: what the larger ones taught them may have undone code of
     * the smaller ones.
     */
    void warmUp() throws ContestantFailure {
        if (contestant.timing() != Contestant.Timing.BATCHES) {
            lookAtPace();
            return;
        }
        warmUp(Math.max(WARM_UP_NS, WARM_UP_LEAST_NS / plan.sizes().size()));
        CompilerRest rest = new CompilerRest(
                Runtime.getRuntime().availableProcessors(), System.nanoTime(), contestant.compilerMs(STEP_MS));
        do {
            warmUp(Math.max(
                    WARM_UP_AGAIN_NS, WARM_UP_AGAIN_LEAST_NS / plan.sizes().size()));
        } while (plan.iterations() == 0 && rest.isToGoOn(System.nanoTime(), contestant.compilerMs(STEP_MS)));
        contestant.collectGarbage(STEP_MS);
    }

    /** Of somebody who starts anew for each step, and so can't be warmed up. */
    private void lookAtPace() throws ContestantFailure {
        for (int size : plan.sizes()) {
            if (runs(size)) {
                Step look = Pace.look(plan, size, contestant.timing());
                double ns =
                        Arrays.stream(contestant.run(look, STEP_MS)).average().orElseThrow();
                paces.put(size, Pace.of(plan, size, ns / look.batch(), contestant.timing()));
            }
        }
    }

    private void warmUp(double budget) throws ContestantFailure {
        for (int size : plan.sizes()) {
            if (runs(size)) {
                Pace pace = Pace.of(plan, size, iterationNs(size, budget), Contestant.Timing.BATCHES);
                paces.put(size, pace);
                if (pace.rewriting() != null) {
                    contestant.run(pace.rewriting(), STEP_MS);
                }
            }
        }
    }

    private double iterationNs(int size, double budget) throws ContestantFailure {
        WarmUp warmUp = new WarmUp(plan.iterations() > 0 ? Math.min(budget, WarmUp.SLICE_NS) : budget);
        while (warmUp.goesOn()) {
            warmUp.took(contestant.run(plan.step(size, 1, warmUp.iterations(), 1), STEP_MS)[0]);
        }
        return warmUp.iterationNs();
    }

    Measurement run(int size, int round, double hopBefore, DoubleSupplier hop) throws ContestantFailure {
        Pace pace = paces.get(size);
        long processorBefore = contestant.processorNs(STEP_MS);
        long[] batches = contestant.run(pace.batches(), STEP_MS);
        long processorNs = contestant.processorNs(STEP_MS) - processorBefore;
        long[] tails =
                pace.timesEach() ? batches : pace.tails() == null ? new long[0] : contestant.run(pace.tails(), STEP_MS);
        long[] rewriting = pace.rewriting() == null ? new long[0] : contestant.run(pace.rewriting(), STEP_MS);
        double hopAfter = hop.getAsDouble();
        Measurement measurement = Measurement.of(
                contestant.peer(),
                plan.benchmark(),
                size,
                round,
                hopBefore,
                hopAfter,
                batches,
                tails,
                pace.batches().batch(),
                pace.batches().window());
        if (processorBefore != Contestant.NO_TIME) {
            measurement = measurement.withProcessor(
                    (double) processorNs / pace.batches().units());
        }
        return rewriting.length == 0
                ? measurement
                : measurement.withFill(rewriting, pace.rewriting().batch());
    }

    @Override
    public String toString() {
        return contestant.peer() + " " + Arrays.toString(paces.values().toArray());
    }
}
