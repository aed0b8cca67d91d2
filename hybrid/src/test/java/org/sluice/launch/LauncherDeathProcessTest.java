package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.device.option.Option;
import org.sluice.device.tier.MoreWithAll;
import org.sluice.hybrid.process.ProcessGroup;

/** However a job ends in the middle of its messages, no process of it stays behind, no segment, and no file. */
@Tag("once")
@Timeout(120)
final class LauncherDeathProcessTest {
    private static final int RANKS = 4;
    private static final int JVMS = 3;
    private static final long PATIENCE_S = 20;

    @TempDir
    private Path temporary;
    /** Of the launcher and its ranks: a pipe would end with the launcher. */
    @TempDir
    private Path outputs;

    private Path segments;
    private Process launcher;
    private ProcessGroup group;

    /**
     * Runs as a process of its own, which the test then ends; called with the folder for temporary files, and whether
     * ranks live on.
     */
    static final class Main {
        private Main() {}

        public static void main(String[] args) throws Exception {
            Program program = Program.ofClassPath(System.getProperty("java.class.path"), "example.ranks.FlowingRanks");
            RunningJob job = new Launcher(RANKS, program)
                    .jvms(JVMS)
                    .survive(Boolean.parseBoolean(args[1]))
                    .jvmOptions(List.of(
                            "-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Djava.io.tmpdir=" + args[0]))
                    .start();
            JvmExit.with(job.waitFor().status());
        }
    }

    @BeforeEach
    void makeFolder() throws IOException {
        segments = Files.createTempDirectory(Path.of("/dev/shm"), "sluice-test-");
    }

    @AfterEach
    void endAll() throws Exception {
        if (group != null) {
            group.endAll();
        }
        try (Stream<Path> all = Files.walk(segments)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    /** A terminal's Ctrl-C goes to the whole group, of the launcher and all ranks; so does the end of a batch job. */
    @ParameterizedTest
    @CsvSource({"INT, group, 130", "TERM, launcher, 143", "KILL, launcher, 137"})
    @MoreWithAll({"INT, launcher, 130", "TERM, group, 143", "KILL, group, 137"})
    void nothingStaysWhereMessagesFlowed(String signal, String whom, int status) throws Exception {
        start(false);
        List<ProcessHandle> all = group.members();
        assertEquals(1 + JVMS, all.size(), all.toString());
        if (whom.equals("group")) {
            group.signal(signal);
        } else {
            group.signalLeader(signal);
        }
        assertTrue(launcher.waitFor(PATIENCE_S, TimeUnit.SECONDS), "the launcher lives on");
        for (ProcessHandle process : all) {
            process.onExit().get(PATIENCE_S, TimeUnit.SECONDS);
        }
        assertEquals(status, launcher.exitValue(), () -> "the launcher's status, after " + allOutput());
        assertEquals(List.of(), group.members());
        assertEquals(List.of(), filesIn(segments));
        if (signal.equals("KILL") && whom.equals("group")) {
            // Nobody was left who could remove it: the next launcher of this user does.
            for (Path folder : filesIn(temporary)) {
                Files.setLastModifiedTime(
                        folder, FileTime.fromMillis(System.currentTimeMillis() - 2 * JobFolder.YOUNG_MS));
            }
            JobFolder.sweep(temporary);
        }
        assertEquals(List.of(), filesIn(temporary));
        if (!signal.equals("KILL") && whom.equals("launcher")) {
            assertEquals(
                    1,
                    output().stream()
                            .filter(("sluice: interrupted: ending " + RANKS + " ranks")::equals)
                            .count(),
                    output().toString());
        }
        boolean killed = signal.equals("KILL") && whom.equals("group");
        assertEquals(
                killed ? 0 : RANKS,
                output().stream().filter("asked to end"::equals).count(),
                output().toString());
    }

    @Tag("all")
    @Test
    void survivorsOutliveAKilledLauncher() throws Exception {
        start(true);
        List<ProcessHandle> ranks = launcher.descendants().toList();
        assertEquals(JVMS, ranks.size());
        group.signalLeader("KILL");
        assertTrue(launcher.waitFor(PATIENCE_S, TimeUnit.SECONDS), "the launcher lives on");
        Thread.sleep(3000);
        assertTrue(ranks.stream().allMatch(ProcessHandle::isAlive), "a rank ended with its launcher");
        awaitFlow(output().size());
    }

    /** In a group of its own; a shell that runs tests in the background would hand an ignored SIGINT down. */
    private void start(boolean survive) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        "setsid",
                        "env",
                        "--default-signal=INT",
                        JavaHome.current().command(),
                        "-Djava.io.tmpdir=" + temporary,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        temporary.toString(),
                        Boolean.toString(survive))
                .redirectErrorStream(true)
                .redirectOutput(outputs.resolve("output").toFile());
        builder.environment().put(Option.SHM_DIR.environmentVariable(), segments.toString());
        launcher = builder.start();
        group = new ProcessGroup(launcher);
        awaitFlow(0);
    }

    /** A line of the taker's, after so many others. */
    private void awaitFlow(int after) throws Exception {
        while (output().stream().skip(after).noneMatch("flowing"::equals)) {
            // At first it is not yet the head of its group; at last the others may have outlived it.
            assertTrue(launcher.isAlive() || !group.members().isEmpty(), "the job ended early");
            Thread.sleep(20);
        }
    }

    private List<String> output() throws IOException {
        return Files.readAllLines(outputs.resolve("output"));
    }

    private String allOutput() {
        try {
            return String.join("\n", output());
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static List<Path> filesIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }
}
