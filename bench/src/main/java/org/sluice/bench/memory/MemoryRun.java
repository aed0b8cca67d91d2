package org.sluice.bench.memory;

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
 * One job of {@link MemoryRank}s with one send window, and what it read.
 *
 * <p><i>Thread</i>: one. <i>Owns</i>: the job, until {@link #readings} returns. <i>Fails</i>: an
 * {@link IllegalStateException} that says what the ranks said last.
 */
final class MemoryRun {
    /** Ranks that make more than 512 ends of connections. */
    static final int RANKS = 24;

    private static final int HEAP_MB = 256;
    private static final int LAST_LINES = 20;

    private final JavaHome java;
    private final int ranks;
    private final int window;
    private final List<MemoryReading> readings = Collections.synchronizedList(new ArrayList<>());
    private final Deque<String> lastLines = new ArrayDeque<>();

    MemoryRun(JavaHome java, int ranks, int window) {
        this.java = java;
        this.ranks = ranks;
        this.window = window;
    }

    List<MemoryReading> readings() throws InterruptedException {
        Launcher launcher = new Launcher(
                        ranks, Program.ofClassPath(System.getProperty("java.class.path"), MemoryRank.class.getName()))
                .jvms(1)
                .java(java)
                .jvmOptions(steady())
                .graceSeconds(0)
                .messages(this::note)
                .output(RankOutput.captured((rank, error, line) -> take(line)));
        launcher.environment(Option.CHANNELS.environmentVariable(), "ib");
        launcher.environment(Option.IB_WINDOW.environmentVariable(), Integer.toString(window));
        launcher.environment("MALLOC_ARENA_MAX", "1");
        RunningJob job = launcher.start();
        JobResult result;
        try {
            result = job.waitFor();
        } catch (InterruptedException e) {
            job.stop();
            throw e;
        }
        if (result.status() != 0 || readings.size() != MemoryRank.steps(ranks)) {
            throw new IllegalStateException("the ranks ended with status " + result.status() + " after "
                    + readings.size() + " of " + MemoryRank.steps(ranks) + " readings; their last lines:\n  "
                    + String.join("\n  ", lastLines));
        }
        return List.copyOf(readings);
    }

    /** No compiler, and a heap that neither grows nor shrinks: what grows then is what connections take. */
    private static List<String> steady() {
        return List.of(
                "-Xint", "-XX:+UseSerialGC", "-XX:+AlwaysPreTouch", "-Xms" + HEAP_MB + "m", "-Xmx" + HEAP_MB + "m");
    }

    private void take(String line) {
        MemoryReading reading = MemoryReading.parse(line);
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
