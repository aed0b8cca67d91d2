package org.sluice.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One JVM of a job, with the ranks that live in it.
 *
 * <p>Thread: the job's supervisor; {@link #endNow} from any.
 *
 * <p>Owns: the process and the pumps of its output.
 */
final class RankProcess {
    /** In thousandths of all memory that it may have. */
    private static final int SCORE = 200;

    private static final int MOST_SCORE = 1000;

    private final int firstRank;
    private final int jvmRanks;
    private final Process process;
    private final List<LinePump> pumps = new ArrayList<>();

    private RankProcess(int firstRank, int jvmRanks, Process process) {
        this.firstRank = firstRank;
        this.jvmRanks = jvmRanks;
        this.process = process;
    }

    static RankProcess start(ProcessBuilder builder, int firstRank, int jvmRanks, RankOutput output)
            throws IOException {
        if (output.inherits()) {
            builder.redirectOutput(ProcessBuilder.Redirect.INHERIT).redirectError(ProcessBuilder.Redirect.INHERIT);
        }
        RankProcess started = new RankProcess(firstRank, jvmRanks, builder.start());
        started.endBeforeTheLauncher();
        if (!output.inherits()) {
            started.pump("out", false, output);
            started.pump("err", true, output);
        }
        return started;
    }

    /**
     * Where memory is out the kernel ends the process that scores highest: not the launcher, which is to say what
     * happened.
     */
    private void endBeforeTheLauncher() {
        try {
            int own = Integer.parseInt(
                    Files.readString(Path.of("/proc/self/oom_score_adj")).trim());
            Files.writeString(
                    Path.of("/proc/" + process.pid() + "/oom_score_adj"),
                    Integer.toString(Math.min(MOST_SCORE, own + SCORE)));
        } catch (IOException | NumberFormatException e) {
            // It has ended already, or the kernel has no such thing.
            return;
        }
    }

    private void pump(String stream, boolean error, RankOutput output) {
        pumps.add(LinePump.start(
                "sluice-" + stream + "-" + firstRank,
                error ? process.getErrorStream() : process.getInputStream(),
                output.of(firstRank, jvmRanks, error)));
    }

    int firstRank() {
        return firstRank;
    }

    int jvmRanks() {
        return jvmRanks;
    }

    JvmEnd end(int status) {
        return new JvmEnd(firstRank, jvmRanks, status);
    }

    String ranks() {
        return end(0).ranks();
    }

    long pid() {
        return process.pid();
    }

    int waitFor() throws InterruptedException {
        return process.waitFor();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** SIGTERM by the handle, because Process.destroy also closes the streams, and with them what a rank says last. */
    void terminate() {
        process.toHandle().destroy();
    }

    /** SIGKILL, also for what the rank, or a wrapper around it, has started. */
    void endNow() {
        List<ProcessHandle> descendants = process.descendants().toList();
        process.toHandle().destroyForcibly();
        descendants.forEach(ProcessHandle::destroyForcibly);
    }

    List<LinePump> pumps() {
        return pumps;
    }
}
