package org.sluice.bench.gc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.sluice.device.option.Option;
import org.sluice.launch.JavaHome;
import org.sluice.launch.JobResult;
import org.sluice.launch.Launcher;
import org.sluice.launch.Program;
import org.sluice.launch.RankOutput;
import org.sluice.launch.RunningJob;

/**
 * One job of two {@link GcWaitRank}s, and what it read.
 *
 * <p><i>Thread</i>: one. <i>Owns</i>: the job, until {@link #readings} returns. <i>Fails</i>: an
 * {@link IllegalStateException} that says what the ranks said last.
 */
final class GcWaitRun {
    private static final int RANKS = 2;
    private static final int LAST_LINES = 20;

    private final JavaHome java;
    private final List<Integer> sizes;
    private final int seconds;
    private final List<GcWaitReading> readings = Collections.synchronizedList(new ArrayList<>());
    private final Deque<String> lastLines = new ArrayDeque<>();

    GcWaitRun(JavaHome java, List<Integer> sizes, int seconds) {
        this.java = java;
        this.sizes = sizes;
        this.seconds = seconds;
    }

    List<GcWaitReading> readings() throws InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(Integer.toString(seconds)));
        sizes.forEach(size -> arguments.add(Integer.toString(size)));
        Launcher launcher = new Launcher(
                        RANKS, Program.ofClassPath(System.getProperty("java.class.path"), GcWaitRank.class.getName()))
                .java(java)
                .jvmOptions(List.of("-Xms256m", "-Xmx256m"))
                .arguments(arguments)
                .graceSeconds(0)
                .messages(this::note)
                .output(RankOutput.captured((rank, error, line) -> take(line)));
        launcher.environment(Option.CHANNELS.environmentVariable(), "shm");
        RunningJob job = launcher.start();
        JobResult result;
        try {
            result = job.waitFor();
        } catch (InterruptedException e) {
            job.stop();
            throw e;
        }
        if (result.status() != 0) {
            throw new IllegalStateException("the ranks ended with status " + result.status() + "; their last lines:\n  "
                    + String.join("\n  ", lastLines));
        }
        return List.copyOf(readings);
    }

    private void take(String line) {
        GcWaitReading reading = GcWaitReading.parse(line);
        if (reading != null) {
            readings.add(reading);
        } else {
            note(line);
        }
    }

    private synchronized void note(String line) {
        lastLines.add(line);
        if (lastLines.size() > LAST_LINES) {
            lastLines.remove();
        }
    }
}
