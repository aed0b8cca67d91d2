package org.sluice.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM of this machine. */
final class LocalProcess extends RankProcess {
    /** In thousandths of all memory that it may have. */
    private static final int SCORE = 200;

    private static final int MOST_SCORE = 1000;

    private final Process process;
    private final List<LinePump> pumps = new ArrayList<>();

    private LocalProcess(int firstRank, int jvmRanks, Process process) {
        super(firstRank, jvmRanks);
        this.process = process;
    }

    static LocalProcess start(ProcessBuilder builder, int firstRank, int jvmRanks, RankOutput output)
            throws IOException {
        if (output.inherits()) {
            builder.redirectOutput(ProcessBuilder.Redirect.INHERIT).redirectError(ProcessBuilder.Redirect.INHERIT);
        }
        LocalProcess started = new LocalProcess(firstRank, jvmRanks, builder.start());
        endBeforeTheLauncher(started.process);
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
    static void endBeforeTheLauncher(Process process) {
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
                "sluice-" + stream + "-" + firstRank(),
                error ? process.getErrorStream() : process.getInputStream(),
                output.of(firstRank(), jvmRanks(), error)));
    }

    @Override
    JvmEnd end(int status, MemoryKills memoryKills) {
        return new JvmEnd(firstRank(), jvmRanks(), status)
                .because(status == MemoryKills.STATUS ? memoryKills.cause() : "");
    }

    @Override
    long pid() {
        return process.pid();
    }

    @Override
    int waitFor() throws InterruptedException {
        return process.waitFor();
    }

    @Override
    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    void terminate() {
        terminate(process);
    }

    @Override
    void endNow() {
        endNow(process);
    }

    /** By the handle, because Process.destroy also closes the streams, and with them what a rank says last. */
    static void terminate(Process process) {
        process.toHandle().destroy();
    }

    static void endNow(Process process) {
        List<ProcessHandle> descendants = process.descendants().toList();
        process.toHandle().destroyForcibly();
        descendants.forEach(ProcessHandle::destroyForcibly);
    }

    @Override
    List<LinePump> pumps() {
        return pumps;
    }
}
