package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.option.Option;
import org.sluice.device.user.OtherUser;

/** A rank that the kernel ends for lack of memory is told from one that somebody killed. */
@Tag("once")
@Timeout(120)
final class MemoryKillProcessTest {
    private static final long LIMIT_MB = 300;
    private static final Path MOUNT = Path.of("/sys/fs/cgroup");

    private static final boolean IS_V2 = Files.exists(MOUNT.resolve("cgroup.controllers"));
    /** The kernel's. */
    private static final int MOST_SCORE = 1000;

    private Path group;
    private int status;

    /** In a control group of its own: a launcher with two ranks, of which one wants more memory than there is. */
    static final class Main {
        private Main() {}

        public static void main(String[] args) throws Exception {
            Program program = Program.ofClassPath(System.getProperty("java.class.path"), "example.ranks.RankProgram");
            JobResult result = new Launcher(2, program)
                    .graceSeconds(0)
                    .arguments(List.of("hoard", "1"))
                    .output(RankOutput.prefixed(System.out, System.err))
                    .jvmOptions(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx8g"))
                    .start()
                    .waitFor();
            JvmExit.with(result.status());
        }
    }

    /**
     * Of a JVM in a group of its own.
     *
     * @return what it printed
     */
    private String inGroup(Class<?> main) throws Exception {
        group = newGroup(IS_V2 ? MOUNT : MOUNT.resolve("memory"), IS_V2 ? "memory.max" : "memory.limit_in_bytes");
        Process process = new ProcessBuilder(
                        "sh",
                        "-c",
                        "echo $$ > \"$0/cgroup.procs\" && exec \"$@\"",
                        group.toString(),
                        JavaHome.current().command(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        main.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        status = process.exitValue();
        return output;
    }

    /** Waits for a kernel that lets its last process go. */
    @AfterEach
    void removeGroup() throws Exception {
        while (group != null && Files.isDirectory(group) && !group.toFile().delete()) {
            Thread.sleep(20);
        }
    }

    @Test
    void theKernelsKillIsNamedAndTheLauncherLives() throws Exception {
        String output = inGroup(Main.class);
        assertEquals(137, status, output);
        String said = "sluice: rank 1 was ended by SIGKILL (status 137), probably by the kernel for lack of memory: the"
                + " control group allows "
                + LIMIT_MB + " MB (" + group.resolve(IS_V2 ? "memory.max" : "memory.limit_in_bytes") + ")";
        assertTrue(output.lines().anyMatch(said::equals), output);
    }

    /** What a launcher would refuse. */
    static final class Refusal {
        private Refusal() {}

        public static void main(String[] args) {
            System.out.println(RoomForRanks.here().refusal(70, 70));
        }
    }

    @Test
    void theLauncherKnowsWhatItsUserMayHave() throws Exception {
        StringBuilder classPath = new StringBuilder();
        for (Class<?> of : List.of(Refusal.class, RoomForRanks.class, Option.class)) {
            classPath
                    .append(Path.of(of.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI()))
                    .append(':');
        }
        Process process = OtherUser.stranger()
                .command(
                        "bash",
                        "-c",
                        "ulimit -u 60 && exec \"$@\"",
                        "sh",
                        JavaHome.current().command(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        classPath.toString(),
                        Refusal.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(output.contains("this user may have ") && output.contains(" more (ulimit -u)"), output);
    }

    @Test
    void theLauncherKnowsWhatItsGroupAllows() throws Exception {
        String output = inGroup(Refusal.class);
        assertTrue(
                output.contains("70 ranks in 70 JVMs take ")
                        && output.contains("this process's control group allows " + LIMIT_MB + " MB (" + group),
                output);
    }

    /**
     * Prints how likely the kernel is to end it, as soon as that differs from what it is given: the launcher says so
     * after the start.
     */
    static final class Score {
        private Score() {}

        public static void main(String[] args) throws Exception {
            int score;
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            do {
                Thread.sleep(5);
                score = ownScore();
            } while (score == Integer.parseInt(args[0]) && score < MOST_SCORE && System.nanoTime() < end);
            System.out.println("score " + score);
        }
    }

    @Test
    void theKernelEndsARankBeforeTheLauncher() throws Exception {
        int own = ownScore();
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        PrintStream printed = new PrintStream(output, true, StandardCharsets.UTF_8);
        Program program = Program.ofClassPath(System.getProperty("java.class.path"), Score.class.getName());
        new Launcher(1, program)
                .arguments(List.of(Integer.toString(own)))
                .output(RankOutput.prefixed(printed, printed))
                .jvmOptions(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"))
                .start()
                .waitFor();
        String said = output.toString(StandardCharsets.UTF_8);
        int score = Integer.parseInt(said.replaceAll("(?s).*score (-?\\d+).*", "$1"));
        assertTrue(score > own || score == MOST_SCORE, "the launcher has " + own + ": " + said);
    }

    private static int ownScore() throws IOException {
        return Integer.parseInt(
                Files.readString(Path.of("/proc/self/oom_score_adj")).strip());
    }

    private static Path newGroup(Path root, String limit) {
        Path made = root.resolve("sluice-test-" + ProcessHandle.current().pid());
        try {
            Files.createDirectory(made);
            assumeTrue(Files.exists(made.resolve(limit)), "this machine's control groups don't limit memory");
            Files.writeString(made.resolve(limit), Long.toString(LIMIT_MB << 20));
        } catch (IOException e) {
            made.toFile().delete();
            assumeTrue(false, "no control group can be made here: " + e);
        }
        return made;
    }

    @Test
    void aKillThatTheKernelHasNotCountedIsSomebodyElses(@TempDir Path root) throws IOException {
        Files.writeString(root.resolve("memory.max"), "1048576");
        Files.writeString(root.resolve("memory.events"), "oom_kill 1\n");
        Path machine = Files.writeString(root.resolve("vmstat"), "nr_free_pages 7\noom_kill 4\n");
        MemoryKills kills = new MemoryKills(new ControlGroup(root, List.of("0::/")), machine);
        assertEquals("", kills.cause());
        Files.writeString(machine, "oom_kill 5\n");
        assertEquals(
                "probably by the kernel for lack of memory: the machine, or a control group, had none left",
                kills.cause());
        Files.writeString(root.resolve("memory.events"), "oom_kill 2\n");
        assertEquals(
                "probably by the kernel for lack of memory: the control group allows 1 MB ("
                        + root.resolve("memory.max") + ")",
                kills.cause());
    }
}
