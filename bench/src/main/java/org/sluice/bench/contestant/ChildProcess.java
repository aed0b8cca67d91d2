package org.sluice.bench.contestant;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.sluice.bench.across.JobVariables;

/**
 * A process that we started, with the last lines of what it printed.
 *
 * <p><i>Thread</i>: any. <i>Owns</i>: the process, all that it starts, and a daemon thread that reads its output.
 */
public final class ChildProcess implements Running {
    private static final long TERM_GRACE_MS = 2_000;

    private final Process process;
    private final LastLines lastLines = new LastLines();
    private final Thread drain;

    private final Consumer<String> lines;

    private ChildProcess(Process process, Consumer<String> lines) {
        this.process = process;
        this.lines = lines;
        drain = new Thread(this::drain, "bench-output");
        drain.setDaemon(true);
        drain.start();
    }

    /** @param folder to run in; null for the harness's own */
    static ChildProcess start(List<String> command, Map<String, String> environment, Path folder) throws IOException {
        return start(command, environment, folder, line -> {});
    }

    /**
     * @param lines gets every line, on a thread of this process's own; {@link #exitStatus} waits until it has got all
     */
    public static ChildProcess start(
            List<String> command, Map<String, String> environment, Path folder, Consumer<String> lines)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        if (Wire.isAcross()) {
            JobVariables.remove(builder.environment());
        }
        builder.environment().putAll(environment);
        if (folder != null) {
            builder.directory(folder.toFile());
        }
        return new ChildProcess(builder.start(), lines);
    }

    private void drain() {
        try (BufferedReader reader = process.inputReader()) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lastLines.add(line);
                lines.accept(line);
            }
        } catch (IOException e) {
            // The process was killed while it printed: what was read so far is all there is.
        }
    }

    @Override
    public boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public String report() {
        if (process.isAlive()) {
            return "still running, " + lastLines;
        }
        return "exit status " + exitStatus() + ", " + lastLines;
    }

    /** Of a process that has ended, after its last line was read. */
    public int exitStatus() {
        try {
            drain.join(TERM_GRACE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return process.exitValue();
    }

    @Override
    public boolean awaitEnd(long timeoutMs) {
        try {
            return process.waitFor(timeoutMs, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void kill() {
        List<ProcessHandle> family = new ArrayList<>(process.descendants().toList());
        process.destroy();
        awaitEnd(TERM_GRACE_MS);
        process.destroyForcibly();
        family.addAll(process.descendants().toList());
        family.forEach(ProcessHandle::destroyForcibly);
        awaitEnd(TERM_GRACE_MS);
    }
}
