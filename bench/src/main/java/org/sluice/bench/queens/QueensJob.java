package org.sluice.bench.queens;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.sluice.bench.plan.Route;
import org.sluice.launch.JavaHome;
import org.sluice.launch.JobResult;
import org.sluice.launch.Launcher;
import org.sluice.launch.Program;
import org.sluice.launch.RankOutput;
import org.sluice.launch.RunningJob;

/**
 * One job of {@link QueensRank}s, and what it read.
 *
 * <p><i>Thread</i>: one. <i>Owns</i>: the job, until {@link #readings} returns. <i>Fails</i>: an
 * {@link IllegalStateException} that says what the ranks said last.
 */
final class QueensJob {
    private static final int LAST_LINES = 20;

    private final JavaHome java;
    private final Route route;
    private final int ranks;
    private final List<QueensReading> readings = Collections.synchronizedList(new ArrayList<>());
    private final Deque<String> lastLines = new ArrayDeque<>();

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
                        Integer.toString(times)))
                .graceSeconds(0)
                .messages(this::note)
                .output(RankOutput.captured((rank, error, line) -> take(line)));
        RunningJob job = launcher.start();
        JobResult result;
        try {
            result = job.waitFor();
        } catch (InterruptedException e) {
            job.stop();
            throw e;
        }
        if (result.status() != 0 || readings.size() != times) {
            throw new IllegalStateException("the ranks ended with status " + result.status() + " and told "
                    + readings.size() + " solutions of " + times + "; their last lines:\n  "
                    + lastLines());
        }
        return List.copyOf(readings);
    }

    private void take(String line) {
        QueensReading reading = QueensReading.parse(line);
        if (reading != null) {
            readings.add(reading);
        } else {
            note(line);
        }
    }

    private synchronized String lastLines() {
        return String.join("\n  ", lastLines);
    }

    private synchronized void note(String line) {
        lastLines.add(line);
        if (lastLines.size() > LAST_LINES) {
            lastLines.remove();
        }
    }
}
