package org.sluice.hybrid.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.option.Option;
import org.sluice.device.tier.MoreWithAll;
import org.sluice.launch.Launcher;
import org.sluice.launch.Program;

/**
 * A launcher and all its ranks are killed at once, while devices open: nobody is left to remove anything, and nothing
 * stays.
 */
@Timeout(90)
@Tag("once")
final class KilledWholeProcessTest {
    private static final int RANKS = 3;
    private static final long PATIENCE_S = 40;

    @TempDir
    private Path outputs;

    private Path segments;
    private Process launcher;
    private ProcessGroup group;

    /** The launcher, a process of its own; called with the step. */
    static final class Main {
        private Main() {}

        public static void main(String[] args) throws Exception {
            Program program = Program.ofClassPath(System.getProperty("java.class.path"), HeldRanks.class.getName());
            System.exit(new Launcher(RANKS, program)
                    .arguments(List.of(args[0]))
                    .jvmOptions(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"))
                    .start()
                    .waitFor()
                    .status());
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

    /**
     * Rank 1 sends HELLO, PUT, PUT, FENCE, PUT, FENCE, FENCE; from its fifth frame on there are segments, at the
     * seventh all have all of them open.
     */
    @ParameterizedTest
    @ValueSource(strings = {"rank 3", "rank 6", "server 2"})
    @MoreWithAll({"rank 1", "rank 2", "rank 4", "rank 5", "rank 7", "server 1", "server 3"})
    void nothingStays(String step) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        "setsid",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        step)
                .redirectErrorStream(true)
                .redirectOutput(outputs.resolve("output").toFile());
        builder.environment().put(Option.SHM_DIR.environmentVariable(), segments.toString());
        launcher = builder.start();
        group = new ProcessGroup(launcher);
        awaitHeld();
        List<ProcessHandle> all = awaitAll();
        group.signal("KILL");
        for (ProcessHandle process : all) {
            process.onExit().get(PATIENCE_S, TimeUnit.SECONDS);
        }
        assertEquals(List.of(), group.members());
        try (Stream<Path> files = Files.list(segments)) {
            assertEquals(List.of(), files.toList());
        }
    }

    /** Rank 1 may be held before the last rank's process has begun. */
    private List<ProcessHandle> awaitAll() throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        List<ProcessHandle> all = group.members();
        while (all.size() != 1 + RANKS) {
            assertTrue(launcher.isAlive() && System.nanoTime() < deadline, "the job's processes: " + all);
            Thread.sleep(20);
            all = group.members();
        }
        return all;
    }

    private void awaitHeld() throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (!Files.readString(outputs.resolve("output")).contains("held")) {
            assertTrue(
                    launcher.isAlive() && System.nanoTime() < deadline,
                    "the job did not come to its step: " + Files.readString(outputs.resolve("output")));
            Thread.sleep(20);
        }
    }
}
