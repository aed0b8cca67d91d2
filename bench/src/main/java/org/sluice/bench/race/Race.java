package org.sluice.bench.race;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import org.sluice.bench.contestant.Contestant;
import org.sluice.bench.contestant.ContestantFailure;
import org.sluice.bench.hop.HopProbe;
import org.sluice.bench.plan.BenchPlan;
import org.sluice.bench.plan.Route;
import org.sluice.bench.plan.Sizes;
import org.sluice.bench.report.Results;

/**
 * Runs the rounds of one plan. Within a round, size after size, the contestants take turns with a hop probe between any
 * two of them; who begins changes from round to round. A contestant that fails is reported and the race goes on without
 * it.
 *
 * <p><i>Thread</i>: one. <i>Lends</i>: contestants and probe from the caller, who closes them.
 */
public final class Race {
    static final int ROUNDS_LEAST = 15;
    /**
     * Over verbs, where a peer's start takes seconds in each round. They are run whatever they take: three minutes may
     * hold too few for any ratio.
     */
    static final int ROUNDS_LEAST_VERBS = 7;

    private static final double SECOND = 1e9;
    /** After this a machine that is slow, or whose cores never rest, is taken as it is. */
    static final int SECONDS_MOST = 180;

    private static final long START_MS = 30_000;
    /**
     * In a guest, where a JVM takes seconds to start and to find its adapter, and minutes if other programs leave its
     * processor a tenth of a core.
     */
    private static final long START_MS_VERBS = 240_000;

    private final BenchPlan plan;
    private final HopProbe probe;
    private final Progress progress;
    private final List<Racer> racers = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    public Race(BenchPlan plan, HopProbe probe, Progress progress) {
        this.plan = plan;
        this.probe = probe;
        this.progress = progress;
    }

    /**
     * Starts it and warms it up.
     *
     * @param runs at which sizes it takes part
     */
    public void enter(Contestant contestant, IntPredicate runs) {
        progress.say("starting " + contestant.peer());
        Racer racer = new Racer(contestant, runs, plan);
        try {
            contestant.start(plan.route().needsVerbs() ? START_MS_VERBS : START_MS);
            progress.say("warming up " + contestant.peer());
            racer.warmUp();
            racers.add(racer);
        } catch (ContestantFailure e) {
            drop(contestant, e);
        }
    }

    private void drop(Contestant contestant, ContestantFailure failure) {
        failures.add(failure.getMessage());
        progress.warn(failure.getMessage());
        contestant.close();
    }

    /** What went wrong, by contestant, in words. */
    public List<String> failures() {
        return failures;
    }

    public boolean isEmpty() {
        return racers.isEmpty();
    }

    /** @param results may have the rounds of earlier races, which count as rounds enough */
    public void run(Results results) {
        long start = System.nanoTime();
        int before = results.rounds();
        int round = 0;
        results.begin();
        while (!racers.isEmpty() && goesOn(plan, round, (System.nanoTime() - start) / SECOND, results::enough)) {
            round++;
            round(results, before + round, start);
            Collections.rotate(racers, 1);
        }
        results.sortHops();
        progress.done();
    }

    /** @param enough whether the rounds so far suffice for each ratio; asked only where that decides */
    static boolean goesOn(BenchPlan plan, int rounds, double seconds, BooleanSupplier enough) {
        if (rounds == 0) {
            return true;
        }
        if (plan.seconds() > 0) {
            return seconds < plan.seconds();
        }
        boolean overVerbs = plan.route() == Route.IB;
        boolean few = rounds < (overVerbs ? ROUNDS_LEAST_VERBS : ROUNDS_LEAST);
        if (seconds >= SECONDS_MOST) {
            return overVerbs && few;
        }
        return few || !enough.getAsBoolean();
    }

    private void round(Results results, int round, long start) {
        double hop = hop();
        for (int size : plan.sizes()) {
            progress.say(String.format(
                    "round %d, %s, %.0f s", round, Sizes.format(size), (System.nanoTime() - start) / SECOND));
            for (Racer racer : List.copyOf(racers)) {
                if (racer.runs(size)) {
                    hop = turn(results, racer, size, round, hop);
                }
            }
        }
    }

    /** How near the cores are doesn't show in what goes through an adapter, so over verbs there is one state. */
    private double hop() {
        return plan.route() == Route.IB ? 0 : probe.hopNs();
    }

    /** The hop after it, which is the hop before the next. */
    private double turn(Results results, Racer racer, int size, int round, double hopBefore) {
        try {
            var measurement = racer.run(size, round, hopBefore, this::hop);
            results.add(measurement);
            return measurement.hopAfter();
        } catch (ContestantFailure e) {
            racers.remove(racer);
            drop(racer.contestant(), e);
            return hop();
        }
    }
}
