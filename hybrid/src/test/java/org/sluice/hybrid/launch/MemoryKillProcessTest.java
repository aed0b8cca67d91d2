package org.sluice.hybrid.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
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

/** A rank that the kernel ends for lack of memory is told from one that somebody killed. */
@Tag("once")
@Timeout(120)
final class MemoryKillProcessTest {
    private static final long LIMIT_MB = 300;
    private static final Path MOUNT = Path.of("/sys/fs/cgroup");

    private Path group;

    /** In a control group of its own: a launcher with two ranks, of which one wants more memory than there is. */
    static final class Main {
        private Main() {
        }

        public static void main(String[] args) throws Exception {
            Program program = Program.ofClassPath(System.getProperty("java.class.path"), "example.ranks.RankProgram");
            JobResult result = new Launcher(2, program).graceSeconds(0).arguments(List.of("hoard", "1")).output(RankOutput.prefixed(System.out, System.err))
                    .jvmOptions(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx8g")).start().waitFor();
            JvmExit.with(result.status());
        }
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
        boolean isV2 = Files.exists(MOUNT.resolve("cgroup.controllers"));
        group = newGroup(isV2 ? MOUNT : MOUNT.resolve("memory"), isV2 ? "memory.max" : "memory.limit_in_bytes");
        Process launcher = new ProcessBuilder("sh", "-c", "echo $$ > \"$0/cgroup.procs\" && exec \"$@\"", group.toString(), JavaHome.current().command(),
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"), Main.class.getName()).redirectErrorStream(true).start();
        String output = new String(launcher.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(launcher.waitFor(60, TimeUnit.SECONDS));
        assertEquals(137, launcher.exitValue(), output);
        String said = "sluice: rank 1 was ended by SIGKILL (status 137), probably by the kernel for lack of memory: the control group allows " + LIMIT_MB + " MB ("
                + group.resolve(isV2 ? "memory.max" : "memory.limit_in_bytes") + ")";
        assertTrue(output.lines().anyMatch(said::equals), output);
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
        assertEquals("probably by the kernel for lack of memory: the machine, or a control group, had none left", kills.cause());
        Files.writeString(root.resolve("memory.events"), "oom_kill 2\n");
        assertEquals("probably by the kernel for lack of memory: the control group allows 1 MB (" + root.resolve("memory.max") + ")", kills.cause());
    }
}
