package org.sluice.bench.reuse;

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
 * One job of two {@link ReuseRank}s, and what it read.
 *
 * <p><i>Thread</i>: one. <i>Owns</i>: the job, until {@link #readings} returns. <i>Fails</i>: an
 * {@link IllegalStateException} that says what the ranks said last.
 */
final class ReuseRun {
    /** Of the buffers that are used one after the other: four times what stays registered. */
    static final int RING_BYTES = 16 << 20;

    private static final int CACHE_BYTES = RING_BYTES / 4;
    private static final int RANKS = 2;
    private static final int LAST_LINES = 20;

    private final JavaHome java;
    private final List<Integer> sizes;
    private final long milliseconds;
    private final boolean isCached;
    private final List<ReuseReading> readings = Collections.synchronizedList(new ArrayList<>());
    private final Deque<String> lastLines = new ArrayDeque<>();

    ReuseRun(JavaHome java, List<Integer> sizes, long milliseconds, boolean isCached) {
        this.java = java;
        this.sizes = sizes;
        this.milliseconds = milliseconds;
        this.isCached = isCached;
    }

    List<ReuseReading> readings() throws InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(Long.toString(milliseconds)));
        sizes.forEach(size -> arguments.add(Integer.toString(size)));
        Launcher launcher = new Launcher(
                        RANKS, Program.ofClassPath(System.getProperty("java.class.path"), ReuseRank.class.getName()))
                .java(java)
                .arguments(arguments)
                .graceSeconds(0)
                .messages(this::note)
                .output(RankOutput.captured((rank, error, line) -> take(line)));
        launcher.environment(Option.CHANNELS.environmentVariable(), "ib");
        launcher.environment(Option.IB_CACHE_BYTES.environmentVariable(), Integer.toString(isCached ? CACHE_BYTES : 0));
        RunningJob job = launcher.start();
        JobResult result;
        try {
            result = job.waitFor();
        } catch (InterruptedException e) {
            job.stop();
            throw e;
        }
        int wanted = sizes.size() * ReuseBench.USES.size();
        if (result.status() != 0 || readings.size() != wanted) {
            throw new IllegalStateException("the ranks ended with status " + result.status() + " after "
                    + readings.size() + " of " + wanted + " readings; their last lines:\n  "
                    + String.join("\n  ", lastLines));
        }
        return List.copyOf(readings);
    }

    private void take(String line) {
        ReuseReading reading = ReuseReading.parse(line);
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
