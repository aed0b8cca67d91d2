package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.hybrid.process.ProcessGroup;

/** The launcher is killed while nobody reads what its ranks print: they end all the same. */
@Tag("once")
@Timeout(120)
final class UnreadOrphanProcessTest {
    private static final int RANKS = 2;
    /** Two seconds are promised; the rest is for a processor that is shared. */
    private static final long PATIENCE_S = 20;

    @TempDir
    private Path stalled;

    private ProcessGroup group;

    /**
     * The launcher, whose output the test doesn't read; called with the folder in which ranks say that they are stuck.
     */
    static final class Main {
        private Main() {}

        public static void main(String[] args) throws Exception {
            Program program = Program.ofClassPath(System.getProperty("java.class.path"), Shouting.class.getName());
            JvmExit.with(new Launcher(RANKS, program)
                    .arguments(List.of(args[0]))
                    .jvmOptions(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"))
                    .start()
                    .waitFor()
                    .status());
        }
    }

    /** A rank that prints until nobody takes it, and holds the stream. */
    static final class Shouting {
        private Shouting() {}

        public static void main(String[] args) throws Exception {
            AtomicLong said = new AtomicLong();
            Thread shouting = new Thread(() -> {
                while (true) {
                    // Before: another rank may have filled what they share.
                    said.incrementAndGet();
                    System.err.println("not read");
                }
            });
            shouting.start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.err.println("bye")));
            for (long before = -1; before != said.get() || before == 0; ) {
                before = said.get();
                Thread.sleep(500);
            }
            Files.createFile(Path.of(args[0], System.getenv("SLUICE_JOB_RANK")));
            shouting.join();
        }
    }

    @AfterEach
    void endAll() throws Exception {
        group.endAll();
    }

    @Test
    void orphansEndThoughNobodyReadsWhatTheyPrint() throws Exception {
        Path pipe = stalled.resolve("pipe");
        assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
        RandomAccessFile unread = new RandomAccessFile(pipe.toFile(), "rw");
        Process launcher = new ProcessBuilder(
                        "setsid",
                        JavaHome.current().command(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        stalled.toString())
                .redirectErrorStream(true)
                .redirectOutput(pipe.toFile())
                .start();
        group = new ProcessGroup(launcher);
        for (int rank = 0; rank < RANKS; rank++) {
            while (!Files.exists(stalled.resolve(Integer.toString(rank)))) {
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
        unread.close();
    }
}
