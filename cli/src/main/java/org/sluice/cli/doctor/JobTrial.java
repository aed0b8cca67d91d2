package org.sluice.cli.doctor;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.sluice.device.option.Option;
import org.sluice.launch.JobResult;
import org.sluice.launch.Launcher;
import org.sluice.launch.Program;
import org.sluice.launch.RankOutput;
import org.sluice.launch.RunningJob;

/**
 * Starts a job of two ranks as {@code ./sluice run} does: whatever limit of this shell, user or container would make
 * that fail does so here.
 *
 * <p>Thread: one.
 *
 * <p>Proof: {@code JobTrialProcessTest}.
 */
final class JobTrial {
    static final String TOPIC = "trial";
    private static final String OPTIONS = "sluice.";
    private static final long PATIENCE_MS = TimeUnit.SECONDS.toMillis(60);
    private static final int SHOWN_LINES = 3;

    private final Map<String, String> properties;
    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());

    /** @param properties of which the ranks get Sluice's options */
    JobTrial(Map<String, String> properties) {
        this.properties = properties;
    }

    Finding examine() {
        long start = System.nanoTime();
        try {
            JobResult result = run();
            return result.status() == 0
                    ? Finding.ok(
                            TOPIC,
                            String.format(
                                    Locale.ROOT,
                                    "a job of 2 ranks in JVMs of their own ran, in %.1f s",
                                    (System.nanoTime() - start) / 1e9))
                    : failed(result.lastLine() + printed());
        } catch (UncheckedIOException e) {
            return failed(e.getMessage() + printed());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Finding.information(TOPIC, "interrupted");
        }
    }

    private JobResult run() throws InterruptedException {
        String classPath = System.getProperty("java.class.path");
        Launcher launcher = new Launcher(2, Program.ofClassPath(classPath, TrialRanks.class.getName()))
                .graceSeconds(1)
                .messages(lines::add)
                .output(RankOutput.captured((rank, error, line) -> lines.add("[" + rank + "] " + line)));
        List<String> given = new ArrayList<>();
        properties.forEach((name, value) -> {
            if (name.startsWith(OPTIONS) && Option.ofProperty(name).isPresent()) {
                given.add("-D" + name + "=" + value);
            }
        });
        RunningJob job = launcher.jvmOptions(given).start();
        Thread watch = new Thread(null, () -> stopLate(job), "sluice-trial", 0, false);
        watch.setDaemon(true);
        watch.start();
        try {
            return job.waitFor();
        } finally {
            watch.interrupt();
        }
    }

    private static void stopLate(RunningJob job) {
        try {
            Thread.sleep(PATIENCE_MS);
            job.stop();
        } catch (InterruptedException e) {
            // It has ended.
            return;
        }
    }

    /** What says most: the first lines of those that are no frames of a stack. */
    private String printed() {
        List<String> telling = List.copyOf(lines).stream()
                .filter(line -> line.startsWith("[") && !line.contains("\tat "))
                .limit(SHOWN_LINES)
                .toList();
        return telling.isEmpty() ? "" : "; " + String.join("; ", telling);
    }

    private static Finding failed(String how) {
        return Finding.unusable(
                TOPIC,
                "a job of 2 ranks in JVMs of their own failed: " + how,
                "./sluice run will fail in the same way: look at " + Limits.text());
    }
}
