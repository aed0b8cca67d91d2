package org.sluice.bench.contestant;

import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.sluice.bench.hop.Cores;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.BenchPlan;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.Route;
import org.sluice.device.option.Option;

/** Sluice itself, otherwise used or set up than what is measured: to be raced with. */
final class SluiceVariant {
    /** The calls that it uses in the place of those that are measured; null: the same. */
    private final Api api;
    /** Nothing but the calls differs. */
    private final boolean isPlain;

    private final Map<String, String> options;
    /** The way that its messages take; null: the same. */
    private final Route over;

    private final Set<Route> routes;
    private final Set<Benchmark> benchmarks;

    private SluiceVariant(
            Api api,
            boolean isPlain,
            Map<String, String> options,
            Route over,
            Set<Route> routes,
            Set<Benchmark> benchmarks) {
        this.api = api;
        this.isPlain = isPlain;
        this.options = options;
        this.over = over;
        this.routes = routes;
        this.benchmarks = benchmarks;
    }

    /** By other calls. */
    static SluiceVariant by(Api api) {
        return new SluiceVariant(api, true, Map.of(), null, EnumSet.allOf(Route.class), EnumSet.allOf(Benchmark.class));
    }

    /** By blocking calls, with the progress thread that suspended calls have: their callers wait for what it finds. */
    static SluiceVariant blockingBesideThread() {
        return new SluiceVariant(
                Api.BLOCKING,
                false,
                SluiceContestants.progressThread(System.getenv()),
                null,
                EnumSet.allOf(Route.class),
                EnumSet.allOf(Benchmark.class));
    }

    /** With no channel but that of processes that share memory. */
    static SluiceVariant shmOnly() {
        return new SluiceVariant(
                null,
                false,
                Map.of(Option.CHANNELS.environmentVariable(), "shm"),
                Route.SHM,
                EnumSet.of(Route.SHM, Route.ALL),
                EnumSet.allOf(Benchmark.class));
    }

    /** Between processes, where what is measured is between threads. */
    static SluiceVariant processes() {
        return new SluiceVariant(
                null, false, Map.of(), Route.SHM, EnumSet.of(Route.THREADS), EnumSet.allOf(Benchmark.class));
    }

    /** As where the JVM refuses {@code sun.misc.Unsafe}. */
    static SluiceVariant withoutUnsafe() {
        return new SluiceVariant(
                null,
                false,
                Map.of(Option.UNSAFE.environmentVariable(), "off"),
                null,
                EnumSet.of(Route.SHM, Route.IB, Route.ALL),
                EnumSet.allOf(Benchmark.class));
    }

    /** Over verbs, with each message in a packet of its own. */
    static SluiceVariant separate() {
        return new SluiceVariant(
                null,
                false,
                Map.of(Option.IB_COALESCE.environmentVariable(), "off"),
                null,
                EnumSet.of(Route.IB),
                EnumSet.of(Benchmark.RATE));
    }

    boolean runsOver(Route route) {
        return routes.contains(route);
    }

    /** As {@link Peer#refuses}. */
    Optional<String> refuses(BenchPlan plan) {
        if (isPlain && api == plan.api()) {
            return Optional.of("is what is measured");
        }
        if (!benchmarks.contains(plan.benchmark())) {
            return Optional.of("has no " + plan.benchmark().label());
        }
        return api == null
                ? Optional.empty()
                : api.refuses(plan.benchmark()).or(() -> api.refuses(plan.buffer(), plan.route()));
    }

    Contestant contestant(String label, BenchPlan plan, JavaCommand java, Cores pinned) {
        SluiceContestants.Use use = new SluiceContestants.Use(
                label, api == null ? plan.api() : api, over == null ? plan.route() : over, options);
        return SluiceContestants.variant(use, plan, java, pinned);
    }
}
