package org.sluice.bench.kernels;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.sluice.bench.contestant.ReadingJob;
import org.sluice.bench.contestant.SluiceWay;
import org.sluice.bench.plan.Route;
import org.sluice.launch.JavaHome;
import org.sluice.launch.Launcher;
import org.sluice.launch.Program;

/**
 * One job of {@link KernelRank}s, and what it read.
 *
 * <p><i>Thread</i>: one. <i>Fails</i>: as {@link ReadingJob}.
 */
final class KernelJob {
    /** What all JVMs of a job may take of the machine's memory, in percent. */
    private static final int HEAPS = 60;

    private final JavaHome java;
    private final Route route;
    private final int ranks;
    private final int jvms;
    private final Map<String, String> options;

    KernelJob(JavaHome java, Route route, int ranks) {
        this(java, route, ranks, route == Route.THREADS ? 1 : ranks, Map.of());
    }

    /**
     * @param jvms in each of which ranks are threads
     * @param options by environment variable
     */
    KernelJob(JavaHome java, Route route, int ranks, int jvms, Map<String, String> options) {
        this.options = options;
        this.java = java;
        this.route = route;
        this.ranks = ranks;
        this.jvms = jvms;
    }

    List<KernelReading> readings(boolean pin, Problem problem, List<KernelName> kernels) throws InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(Boolean.toString(pin), problem.encode()));
        kernels.forEach(kernel -> arguments.add(kernel.name()));
        // There is hardly any garbage. A heap that is large from the start, and no collector's threads beside ranks.
        int share = Math.max(1, HEAPS / jvms);
        Launcher launcher = new Launcher(
                        ranks, Program.ofClassPath(System.getProperty("java.class.path"), KernelRank.class.getName()))
                .jvms(jvms)
                .java(java)
                .jvmOptions(List.of(
                        "-XX:MaxRAMPercentage=" + share, "-XX:InitialRAMPercentage=" + share, "-XX:+UseSerialGC"))
                .arguments(arguments);
        options.forEach(launcher::environment);
        new SluiceWay(route, 1).set(launcher, ranks);
        return new ReadingJob<>(KernelReading::parse).readings(launcher, kernels.size(), "kernels");
    }
}
