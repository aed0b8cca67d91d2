package org.sluice.bench.contestant;

import java.util.HashMap;
import java.util.Map;
import org.sluice.bench.hop.Cores;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.BenchPlan;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.Route;
import org.sluice.bench.rank.RankSetup;
import org.sluice.bench.report.Results;
import org.sluice.device.option.Option;

/**
 * Sluice itself, as a program of a user would run: started by {@code ./sluice run}'s launcher, opened by
 * {@code Device.open()}.
 */
public final class SluiceContestants {

    private SluiceContestants() {}

    /** Among a crowd where the benchmark has one. */
    public static Contestant of(BenchPlan plan, JavaCommand java, Cores pinned) {
        return contestant(
                Results.SLUICE,
                plan.benchmark().crowded() ? plan.crowd() : 0,
                plan.api(),
                plan.route(),
                plan,
                java,
                pinned,
                Map.of());
    }

    /** The same without the crowd, to compare with. */
    public static Contestant alone(BenchPlan plan, JavaCommand java, Cores pinned) {
        return contestant(Results.ALONE, 0, plan.api(), plan.route(), plan, java, pinned, Map.of());
    }

    /** The same by other calls, with options, or over another route. */
    static Contestant variant(
            String label,
            Api api,
            Map<String, String> options,
            Route route,
            BenchPlan plan,
            JavaCommand java,
            Cores pinned) {
        return contestant(label, 0, api, route, plan, java, pinned, options);
    }

    private static Contestant contestant(
            String name,
            int crowd,
            Api api,
            Route route,
            BenchPlan plan,
            JavaCommand java,
            Cores pinned,
            Map<String, String> options) {
        RankSetup setup = new RankSetup(
                kind(plan.benchmark()), api, plan.buffer(), plan.ranks(), 0, 1, "", plan.largestBuffer(), crowd);
        Map<String, String> all = new HashMap<>(options);
        all.putAll(needs(plan.benchmark(), api, System.getenv()));
        return new RankContestant(name, plan.ranks(), new SluiceStarter(java, setup, route, all), pinned);
    }

    /** As {@link RankSetup} calls it. */
    static String kind(Benchmark benchmark) {
        if (benchmark.isCollective()) {
            return "collective";
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
