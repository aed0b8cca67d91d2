package org.sluice.bench.kernels;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.sluice.bench.contestant.SluiceWay;
import org.sluice.bench.plan.Route;
import org.sluice.launch.JavaHome;
import org.sluice.launch.JobResult;
import org.sluice.launch.Launcher;
import org.sluice.launch.Program;
import org.sluice.launch.RankOutput;
import org.sluice.launch.RunningJob;

/**
 * One job of {@link KernelRank}s, and what it read.
 *
 * <p><i>Thread</i>: one. <i>Owns</i>: the job, until {@link #readings} returns. <i>Fails</i>: an
 * {@link IllegalStateException} that says what the ranks said last.
 */
final class KernelJob {
    private static final int LAST_LINES = 20;
    /** What all JVMs of a job may take of the machine's memory, in percent. */
    private static final int HEAPS = 60;

    private final JavaHome java;
    private final Route route;
    private final int ranks;
    private final List<KernelReading> readings = Collections.synchronizedList(new ArrayList<>());
    private final Deque<String> lastLines = new ArrayDeque<>();

    KernelJob(JavaHome java, Route route, int ranks) {
        this.java = java;
        this.route = route;
        this.ranks = ranks;
    }

    List<KernelReading> readings(boolean pin, ProblemClass size, List<NasKernel> kernels) throws InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(Boolean.toString(pin), size.name()));
        kernels.forEach(kernel -> arguments.add(kernel.name()));
        int jvms = route == Route.THREADS ? 1 : ranks;
        Launcher launcher = new Launcher(
                        ranks, Program.ofClassPath(System.getProperty("java.class.path"), KernelRank.class.getName()))
                .jvms(jvms)
                .java(java)
                .jvmOptions(List.of("-XX:MaxRAMPercentage=" + Math.max(1, HEAPS / jvms)))
                .arguments(arguments)
                .graceSeconds(0)
                .messages(this::note)
                .output(RankOutput.captured((rank, error, line) -> take(line)));
        SluiceWay.set(launcher, route, ranks);
        RunningJob job = launcher.start();
        JobResult result;
        try {
            result = job.waitFor();
        } catch (InterruptedException e) {
            job.stop();
            throw e;
        }
        if (result.status() != 0 || readings.size() != kernels.size()) {
            throw new IllegalStateException("the ranks ended with status " + result.status() + " after "
                    + readings.size() + " of " + kernels.size() + " kernels; their last lines:\n  "
                    + lastLines());
        }
        return List.copyOf(readings);
    }

    private void take(String line) {
        KernelReading reading = KernelReading.parse(line);
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
