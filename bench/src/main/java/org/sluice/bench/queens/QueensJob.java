package org.sluice.bench.queens;

import java.util.List;
import org.sluice.bench.contestant.ReadingJob;
import org.sluice.bench.plan.Route;
import org.sluice.launch.JavaHome;
import org.sluice.launch.Launcher;
import org.sluice.launch.Program;

/**
 * One job of {@link QueensRank}s, and what it read.
 *
 * <p><i>Thread</i>: one. <i>Fails</i>: as {@link ReadingJob}.
 */
final class QueensJob {
    private final JavaHome java;
    private final Route route;
    private final int ranks;

    QueensJob(JavaHome java, Route route, int ranks) {
        this.java = java;
        this.route = route;
        this.ranks = ranks;
    }

    List<QueensReading> readings(QueensProblem problem, int times) throws InterruptedException {
        Launcher launcher = new Launcher(
                        ranks, Program.ofClassPath(System.getProperty("java.class.path"), QueensRank.class.getName()))
                .jvms(route == Route.THREADS ? 1 : ranks)
                .java(java)
                .jvmOptions(List.of("-Xms256m", "-Xmx256m"))
                .arguments(List.of(
                        Integer.toString(problem.queens()),
                        Integer.toString(problem.threshold()),
                        problem.api().label(),
                        Boolean.toString(problem.verify()),
                        Integer.toString(times)));
        return new ReadingJob<>(QueensReading::parse).readings(launcher, times, "solutions");
    }
}
