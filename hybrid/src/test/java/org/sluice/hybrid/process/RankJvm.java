package org.sluice.hybrid.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * One rank's process as a test sees it: what it printed, and what can be done to it.
 *
 * <p><i>Thread</i>: any. <i>Owns</i>: the process.
 */
public final class RankJvm {
    private static final int USER_TIME_FIELD = 11;
    private static final long TICK_MS = 10;
    private static final int DUMP_S = 5;
    private static final String UNCAUGHT = "Exception in thread ";
    private static final String SLEEPS = "voluntary_ctxt_switches:";

    private final int rank;
    private final Process process;
    private final List<String> lines = new ArrayList<>();
    private final Thread reader;
    private boolean ended;

    public RankJvm(int rank, Process process) {
        this.rank = rank;
        this.process = process;
        this.reader = new Thread(this::read, "output-of-rank-" + rank);
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                add(line);
            }
        } catch (IOException e) {
            add("(output ends: " + e + ")");
        } finally {
            end();
        }
    }

    private synchronized void add(String line) {
        lines.add(line);
        notifyAll();
    }

    private synchronized void end() {
        ended = true;
        notifyAll();
    }

    public synchronized String output() {
        return "--- rank " + rank + (process.isAlive() ? " (alive)" : " (status " + process.exitValue() + ")") + "\n"
                + String.join("\n", lines);
    }

    /** The first line that begins so, without its beginning; fails when it doesn't come in time. */
    public synchronized String await(String beginning, long timeoutMs) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        while (true) {
            for (String line : lines) {
                if (line.startsWith(beginning)) {
                    return line.substring(beginning.length()).trim();
                }
            }
            long leftMs = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (ended || leftMs <= 0) {
                askForThreads();
                throw new AssertionError("rank " + rank + (ended ? " ended and" : "") + " did not print '" + beginning
                        + "' within " + timeoutMs + " ms" + thrown() + "\n" + String.join("\n", lines));
            }
            wait(leftMs);
        }
    }

    /** What ended it, for the first line: a report of many tests shows that one alone. */
    private String thrown() {
        for (String line : lines) {
            if (line.startsWith(UNCAUGHT)) {
                return ": " + line.substring(UNCAUGHT.length());
            }
        }
        return "";
    }

    /** One that still lives may hang: where, its JVM prints with the rest of its output. */
    private void askForThreads() throws InterruptedException {
        if (!ended && process.isAlive()) {
            try {
                new ProcessBuilder("sh", "-c", "kill -QUIT " + process.pid())
                        .start()
                        .waitFor();
            } catch (IOException e) {
                lines.add("(can't be asked for its threads: " + e + ")");
            }
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DUMP_S);
            for (long leftMs = 1;
                    leftMs > 0 && !ended;
                    leftMs = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())) {
                wait(leftMs);
            }
        }
    }

    /** Writes a line to the rank's standard input. */
    public void tell(String line) {
        try {
            process.outputWriter(StandardCharsets.UTF_8)
                    .append(line)
                    .append('\n')
                    .flush();
        } catch (IOException e) {
            throw new UncheckedIOException("rank " + rank + " can't be told " + line + "\n" + output(), e);
        }
    }

    /** The exit status, 128 + signal where one ended it. */
    public int exit(long timeoutMs) throws InterruptedException {
        if (!process.waitFor(timeoutMs, TimeUnit.MILLISECONDS)) {
            throw new AssertionError("rank " + rank + " did not end within " + timeoutMs + " ms\n" + output());
        }
        reader.join(timeoutMs);
        return process.exitValue();
    }

    public void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public void signal(String name) throws IOException, InterruptedException {
        int status = new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
                .start()
                .waitFor();
        if (status != 0) {
            throw new AssertionError("kill -" + name + " of rank " + rank + " exited with status " + status);
        }
    }

    public long pid() {
        return process.pid();
    }

    /** User and system time used so far. */
    public long processorMs() throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
        String[] afterName = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(afterName[USER_TIME_FIELD]) + Long.parseLong(afterName[USER_TIME_FIELD + 1])) * TICK_MS;
    }

    /** How often its threads have gone to sleep so far, by their numbers. */
    public Map<String, Long> sleeps() throws IOException {
        Map<String, Long> all = new HashMap<>();
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(process.pid()), "task"))) {
            for (Path thread : threads.toList()) {
                all.put(thread.getFileName().toString(), sleepsOf(thread));
            }
        }
        return all;
    }

    private static long sleepsOf(Path thread) throws IOException {
        try (Stream<String> lines = Files.lines(thread.resolve("status"))) {
            return lines.filter(line -> line.startsWith(SLEEPS))
                    .mapToLong(line ->
                            Long.parseLong(line.substring(SLEEPS.length()).trim()))
                    .sum();
        } catch (NoSuchFileException | UncheckedIOException e) {
            // It has ended in between.
            return 0;
        }
    }
}
