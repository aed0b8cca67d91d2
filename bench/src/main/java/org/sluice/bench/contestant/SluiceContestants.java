package org.sluice.bench.contestant;

import java.util.HashMap;
import java.util.Map;
import org.sluice.bench.hop.Cores;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.BenchPlan;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Route;
import org.sluice.bench.rank.RankSetup;
import org.sluice.bench.report.Results;
import org.sluice.device.option.Option;

/**
 * Sluice itself, as a program of a user would run: started by {@code ./sluice run}'s launcher, opened by
 * {@code Device.open()}.
 */
public final class SluiceContestants {

    /** One for each rank, or one for all where the route is between threads. */
    static final int AS_ROUTED = 0;

    private SluiceContestants() {}

    /**
     * How it is used: by which calls, out of which buffers, on which way, with which options.
     *
     * @param jvms in which its ranks are, or {@link #AS_ROUTED}
     */
    record Use(String label, Api api, BufferKind buffer, Route route, Map<String, String> options, int jvms) {
        /** As the plan says, but for options. */
        static Use of(BenchPlan plan, String label, Map<String, String> options) {
            return new Use(label, plan.api(), plan.buffer(), plan.route(), options, AS_ROUTED);
        }
    }

    /** Among a crowd where the benchmark has one. */
    public static Contestant of(BenchPlan plan, JavaCommand java, Cores pinned) {
        Use use = Use.of(plan, Results.SLUICE, plan.verbs().options());
        return contestant(use, plan.benchmark().crowded() ? plan.crowd() : 0, plan, java, pinned);
    }

    /** The same without the crowd, to compare with. */
    public static Contestant alone(BenchPlan plan, JavaCommand java, Cores pinned) {
        return variant(Use.of(plan, Results.ALONE, plan.verbs().options()), plan, java, pinned);
    }

    /** The same with its ranks in so many JVMs, in each of which they are threads. */
    public static Contestant inJvms(int jvms, BenchPlan plan, JavaCommand java, Cores pinned) {
        String label = Results.SLUICE + "-" + jvms + (jvms == 1 ? "-jvm" : "-jvms");
        Use use = new Use(label, plan.api(), plan.buffer(), plan.route(), Map.of(), jvms);
        return contestant(use, plan.benchmark().crowded() ? plan.crowd() : 0, plan, java, pinned);
    }

    /** The same by other calls, with options, or over another route. */
    static Contestant variant(Use use, BenchPlan plan, JavaCommand java, Cores pinned) {
        return contestant(use, 0, plan, java, pinned);
    }

    private static Contestant contestant(Use use, int crowd, BenchPlan plan, JavaCommand java, Cores pinned) {
        RankSetup setup = new RankSetup(
                kind(plan.benchmark()), use.api(), use.buffer(), plan.ranks(), 0, 1, "", plan.largestBuffer(), crowd);
        Map<String, String> all = new HashMap<>(use.options());
        all.putAll(needs(plan.benchmark(), use.api(), System.getenv()));
        SluiceStarter starter = new SluiceStarter(java, setup, new SluiceWay(use.route(), plan.nodes()), all);
        return new RankContestant(
                use.label(), plan.ranks(), use.jvms() == AS_ROUTED ? starter : starter.inJvms(use.jvms()), pinned);
    }

    /** As {@link RankSetup} calls it. */
    static String kind(Benchmark benchmark) {
        if (benchmark.isCollective()) {
            return "collective";
        }
        if (benchmark.isAnswered()) {
            return "answered";
        }
        return benchmark.crowded()
                ? "crowd"
                : benchmark.isShare() || benchmark == Benchmark.OBJECTS ? benchmark.label() : "sluice";
    }

    /**
     * A suspended call's end is found by a thread of the device, which spins where it was asked for, and else sleeps;
     * and nobody else moves a message whose receiver computes.
     */
    static Map<String, String> needs(Benchmark benchmark, Api api, Map<String, String> environment) {
        return api == Api.COROUTINE || benchmark.isShare() ? progressThread(environment) : Map.of();
    }

    /** One, unless the user says how many. */
    static Map<String, String> progressThread(Map<String, String> environment) {
        String threads = Option.PROGRESS_THREADS.environmentVariable();
        return environment.containsKey(threads) ? Map.of() : Map.of(threads, "1");
    }
}
