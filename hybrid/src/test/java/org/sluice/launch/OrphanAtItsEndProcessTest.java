package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.hybrid.process.ProcessGroup;

/** A rank whose program has ended, and hangs in a shutdown hook, still notices that its launcher ends. */
@Tag("once")
@Timeout(60)
final class OrphanAtItsEndProcessTest {
    private static final int RANKS = 2;
    private static final long PATIENCE_S = 20;

    @TempDir
    private Path hanging;

    private ProcessGroup group;

    /** The launcher; called with the folder in which ranks say that they hang. */
    static final class Main {
        private Main() {}

        public static void main(String[] args) throws Exception {
            Program program = Program.ofClassPath(System.getProperty("java.class.path"), Hanging.class.getName());
            JvmExit.with(new Launcher(RANKS, program)
                    .arguments(List.of(args[0]))
                    .jvmOptions(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"))
                    .start()
                    .waitFor()
                    .status());
        }
    }

    static final class Hanging {
        private Hanging() {}

        public static void main(String[] args) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                try {
                    awaitLook();
                    Files.createFile(Path.of(args[0], System.getenv("SLUICE_JOB_RANK")));
                    new CountDownLatch(1).await();
                } catch (Exception e) {
                    e.printStackTrace();
                }
            }));
        }

        /** Until then the JVM's end would wait for the thread that sleeps in the kernel. */
        private static void awaitLook() throws InterruptedException {
            Thread line = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().equals("sluice-life-line"))
                    .findAny()
                    .orElseThrow();
            while (line.getState() != Thread.State.TIMED_WAITING) {
                Thread.sleep(1);
            }
        }
    }

    @AfterEach
    void endAll() throws Exception {
        if (group != null) {
            group.endAll();
        }
    }

    @Test
    void whoHangsInAHookEndsWithItsLauncher() throws Exception {
        Process launcher = new ProcessBuilder(
                        "setsid",
                        JavaHome.current().command(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        hanging.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        group = new ProcessGroup(launcher);
        for (int rank = 0; rank < RANKS; rank++) {
            while (!Files.exists(hanging.resolve(Integer.toString(rank)))) {
                assertTrue(launcher.isAlive(), "the launcher has ended");
                Thread.sleep(20);
            }
        }
        List<ProcessHandle> ranks = launcher.descendants().toList();
        assertEquals(RANKS, ranks.size());
        launcher.destroyForcibly();
        for (ProcessHandle rank : ranks) {
            rank.onExit().get(PATIENCE_S, TimeUnit.SECONDS);
        }
    }
}
