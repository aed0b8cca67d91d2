package org.sluice.bench.contestant;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.BenchPlan;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Route;
import org.sluice.bench.rank.RankSetup;

/** How MPJ Express runs the program that Sluice's dialect runs, too: with blocking calls, on arrays. */
enum MpjExpress {
    /** Threads of one JVM. */
    MULTICORE(Route.THREADS),
    /** Processes that are joined by sockets. */
    NIODEV(Route.SHM),
    /** Processes, with Sluice as its device. */
    SLUICE(Route.SHM);

    static final String PACKAGES = "libmpj-java";

    static final Path HOME = Path.of("/usr/share/mpj");
    static final Path LIBRARY = Path.of("/usr/share/java/mpj.jar");
    /** Its device logs, and Debian's class path lacks what it logs with. */
    static final Path LOGGING = Path.of("/usr/share/java/log4j-1.2.jar");

    private final Route route;

    MpjExpress(Route route) {
        this.route = route;
    }

    boolean runsOver(Route asked) {
        return asked == route || this == NIODEV && asked == Route.TCP;
    }

    /** Why it isn't raced there, as the rest of a sentence. */
    String elsewhere() {
        return (route == Route.THREADS ? "runs between threads of one JVM" : "runs between processes")
                + ": name --channel " + route.label();
    }

    static boolean isInstalled() {
        return Stream.concat(Stream.of(LIBRARY, LOGGING), MulticoreStarter.shared())
                .allMatch(Files::isReadable);
    }

    static boolean knows(Benchmark benchmark) {
        return benchmark.isCollective() || Api.MPIJAVA.refuses(benchmark).isEmpty();
    }

    /** As {@link Peer#refuses}. */
    Optional<String> refuses(BenchPlan plan) {
        if (plan.api() != Api.BLOCKING
                && plan.api() != Api.COMMUNICATOR
                && plan.api() != Api.ROUTE
                && !plan.api().isDialect()) {
            return Optional.of("is raced with calls that block: name --api blocking or --api mpijava");
        }
        if (plan.benchmark() == Benchmark.REDUCE_SCATTER && plan.ranks() > 2) {
            return Optional.of("computes wrong results in reduce-scatter of more than 2 ranks (0.44)");
        }
        return plan.buffer() == BufferKind.ARRAY
                ? Optional.empty()
                : Optional.of("takes arrays alone: name --buffer array");
    }

    Starter starter(JavaCommand java, RankSetup setup, Wire wire) {
        switch (this) {
            case MULTICORE:
                return new MulticoreStarter(java, setup);
            case NIODEV:
                return new NiodevStarter(java, setup, wire);
            default:
                return SluiceStarter.underMpjExpress(java, setup);
        }
    }
}
