package org.sluice.bench.contestant;

import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.sluice.bench.hop.Cores;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.BenchPlan;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Route;
import org.sluice.device.option.Option;

/** Sluice itself, otherwise used or set up than what is measured: to be raced with. */
final class SluiceVariant {
    /**
     * What differs.
     *
     * @param api the calls that it uses in the place of those that are measured; null: the same
     * @param buffer what its messages lie in; null: the same
     * @param over the way that its messages take; null: the same
     */
    private record Change(Api api, BufferKind buffer, Route over, Map<String, String> options) {
        static Change options(Map<String, String> options) {
            return new Change(null, null, null, options);
        }

        boolean isNone(BenchPlan plan) {
            return options.isEmpty()
                    && over == null
                    && (api == null || api == plan.api())
                    && (buffer == null || buffer == plan.buffer());
        }
    }

    private final Change change;
    private final Set<Route> routes;
    private final Set<Benchmark> benchmarks;

    private SluiceVariant(Change change, Set<Route> routes, Set<Benchmark> benchmarks) {
        this.change = change;
        this.routes = routes;
        this.benchmarks = benchmarks;
    }

    /** By other calls. */
    static SluiceVariant by(Api api) {
        return new SluiceVariant(
                new Change(api, null, null, Map.of()), EnumSet.allOf(Route.class), EnumSet.allOf(Benchmark.class));
    }

    /** Out of other buffers. */
    static SluiceVariant of(BufferKind buffer) {
        return new SluiceVariant(
                new Change(null, buffer, null, Map.of()),
                EnumSet.allOf(Route.class),
                EnumSet.of(Benchmark.LATENCY, Benchmark.BANDWIDTH, Benchmark.RATE));
    }

    /** By blocking calls, with the progress thread that suspended calls have: their callers wait for what it finds. */
    static SluiceVariant blockingBesideThread() {
        return new SluiceVariant(
                new Change(Api.BLOCKING, null, null, SluiceContestants.progressThread(System.getenv())),
                EnumSet.allOf(Route.class),
                EnumSet.allOf(Benchmark.class));
    }

    /** With no channel but that of processes that share memory. */
    static SluiceVariant shmOnly() {
        return new SluiceVariant(
                new Change(null, null, Route.SHM, Map.of(Option.CHANNELS.environmentVariable(), "shm")),
                EnumSet.of(Route.SHM, Route.ALL),
                EnumSet.allOf(Benchmark.class));
    }

    /** Between processes, where what is measured is between threads. */
    static SluiceVariant processes() {
        return new SluiceVariant(
                new Change(null, null, Route.SHM, Map.of()), EnumSet.of(Route.THREADS), EnumSet.allOf(Benchmark.class));
    }

    /** As where the JVM refuses {@code sun.misc.Unsafe}. */
    static SluiceVariant withoutUnsafe() {
        return new SluiceVariant(
                Change.options(Map.of(Option.UNSAFE.environmentVariable(), "off")),
                EnumSet.of(Route.SHM, Route.IB, Route.ALL),
                EnumSet.allOf(Benchmark.class));
    }

    /** Between processes, with long messages copied by the kernel wherever it can, or never. */
    static SluiceVariant copiedByKernel(boolean isCopied) {
        return new SluiceVariant(
                Change.options(Map.of(Option.SHM_CMA.environmentVariable(), isCopied ? "on" : "off")),
                EnumSet.of(Route.SHM),
                EnumSet.allOf(Benchmark.class));
    }

    /** Over TCP, where what is measured is over verbs. */
    static SluiceVariant overTcp() {
        return new SluiceVariant(
                new Change(null, null, Route.TCP, Map.of()), EnumSet.of(Route.IB), EnumSet.allOf(Benchmark.class));
    }

    /** Over verbs, with each message in a packet of its own. */
    static SluiceVariant separate() {
        return new SluiceVariant(
                Change.options(Map.of(Option.IB_COALESCE.environmentVariable(), "off")),
                EnumSet.of(Route.IB),
                EnumSet.of(Benchmark.RATE));
    }

    /** Over verbs, with long messages, and short ones too, by one way: read, write or stream. */
    static SluiceVariant rendezvousBy(String way) {
        return overVerbs(
                Map.of(Option.IB_RENDEZVOUS.environmentVariable(), way, Option.EAGER_LIMIT.environmentVariable(), "0"));
    }

    /** Over verbs, with such an option at 0: what it gives memory to has none. */
    static SluiceVariant without(Option memory) {
        return overVerbs(Map.of(memory.environmentVariable(), "0"));
    }

    private static SluiceVariant overVerbs(Map<String, String> options) {
        return new SluiceVariant(
                Change.options(options),
                EnumSet.of(Route.IB),
                EnumSet.of(Benchmark.LATENCY, Benchmark.BANDWIDTH, Benchmark.BIBANDWIDTH));
    }

    boolean runsOver(Route route) {
        return routes.contains(route);
    }

    /** As {@link Peer#refuses}. */
    Optional<String> refuses(BenchPlan plan) {
        if (change.isNone(plan)) {
            return Optional.of("is what is measured");
        }
        if (!benchmarks.contains(plan.benchmark())) {
            return Optional.of("has no " + plan.benchmark().label());
        }
        return api(plan).refuses(plan.benchmark()).or(() -> api(plan).refuses(buffer(plan), plan.route()));
    }

    private Api api(BenchPlan plan) {
        return change.api() == null ? plan.api() : change.api();
    }

    private BufferKind buffer(BenchPlan plan) {
        return change.buffer() == null ? plan.buffer() : change.buffer();
    }

    Contestant contestant(String label, BenchPlan plan, JavaCommand java, Cores pinned) {
        SluiceContestants.Use use = new SluiceContestants.Use(
                label,
                api(plan),
                buffer(plan),
                change.over() == null ? plan.route() : change.over(),
                change.options(),
                SluiceContestants.AS_ROUTED);
        return SluiceContestants.variant(use, plan, java, pinned);
    }
}
