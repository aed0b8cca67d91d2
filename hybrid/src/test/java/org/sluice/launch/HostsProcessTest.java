package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Machines that are folders of this one: what takes the place of ssh runs the command here. Names that nobody knows are
 * those of other machines.
 */
@Tag("once")
@Timeout(120)
final class HostsProcessTest {
    private static final String RANKS = "example.ranks.FlowingRanks";
    private static final long PATIENCE_S = 20;
    private static final long TREE_S = 5;
    private static final int PRINTED_BYTES = 300_000;
    private static final int UNREAD_BYTES = 8 << 20;

    @TempDir
    private Path folder;

    private final Queue<String> messages = new ConcurrentLinkedQueue<>();

    /** What calls machines; as a process of its own it is ended by the test. Called with the path of the shell. */
    static final class Main {
        private Main() {}

        public static void main(String[] args) throws Exception {
            JvmExit.with(launcher(Path.of(args[0]), RANKS)
                    .input(ProcessBuilder.Redirect.INHERIT)
                    .start()
                    .waitFor()
                    .status());
        }
    }

    private static Launcher launcher(Path shell, String mainClass) {
        return new Launcher(4, Program.ofClassPath(System.getProperty("java.class.path"), mainClass))
                .hosts(HostList.ofWords("far-1:2,far-2:2"), RemoteShell.of(shell.toString()), 2)
                .jvmOptions(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    }

    /** @param does with the machine in $1, the command in $2 */
    private Path shell(String does) throws Exception {
        Path script = Files.writeString(folder.resolve("shell"), "#!/bin/sh\n" + does + "\n");
        return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    }

    private static List<ProcessHandle> agents(ProcessHandle of) {
        return of.descendants().filter(HostsProcessTest::isAgent).toList();
    }

    private static boolean isAgent(ProcessHandle process) {
        try {
            String[] words = Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"))
                    .split("\0");
            return List.of(words).contains(NodeAgent.class.getName());
        } catch (IOException e) {
            // It has just ended.
            return false;
        }
    }

    private static void awaitPrinted(Queue<String> lines, int count) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (lines.size() < count && System.nanoTime() - end < 0) {
            Thread.sleep(20);
        }
        assertTrue(lines.size() >= count, lines::toString);
    }

    @Test
    void ranksRunThereAndPrintHere() throws Exception {
        // As many logins do.
        Path shell = shell("echo Welcome to $1; echo greetings >&2; exec sh -c \"$2\"");
        Queue<String> lines = new ConcurrentLinkedQueue<>();
        JobResult result = launcher(shell, "example.ranks.RankProgram")
                .arguments(List.of("hello", "it's me"))
                .output(RankOutput.captured((rank, error, line) -> lines.add(rank + " " + line)))
                .start()
                .waitFor();
        assertEquals(0, result.status(), result.lastLine());
        assertEquals(
                IntStream.range(0, 4)
                        .mapToObj(rank -> rank + " hello from 2 arguments, first it's me")
                        .toList(),
                lines.stream().sorted().toList());
        assertEquals(List.of(), agents(ProcessHandle.current()));
    }

    /** Bytes come as they were written, without an end of the line where there was none. */
    @Test
    void outputIsTheRanksOwn() throws Exception {
        Process launcher = new ProcessBuilder(
                        JavaHome.current().command(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Printing.class.getName(),
                        shell("exec sh -c \"$2\"").toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        byte[] all = launcher.getInputStream().readAllBytes();
        assertEquals(0, launcher.waitFor());
        assertEquals(PRINTED_BYTES, all.length);
        for (byte each : all) {
            assertEquals('x', each);
        }
    }

    /** The launcher with a path, a rank without. */
    static final class Printing {
        private Printing() {}

        public static void main(String[] args) throws Exception {
            if (args.length == 0) {
                System.out.print("x".repeat(PRINTED_BYTES));
                System.out.flush();
                return;
            }
            Program program = Program.ofClassPath(System.getProperty("java.class.path"), Printing.class.getName());
            JvmExit.with(new Launcher(1, program)
                    .hosts(HostList.ofWords("far-1"), RemoteShell.of(args[0]), 1)
                    .start()
                    .waitFor()
                    .status());
        }
    }

    @Test
    void machinesThatCannotBeReachedAreNamedWithWhatSshSaid() throws Exception {
        Path shell = shell("case $1 in far-1) exec sh -c \"$2\";; esac\n"
                + "echo ssh: connect to host $1 port 22: Connection refused >&2; exit 255");
        String said = assertThrows(
                        IllegalArgumentException.class,
                        () -> launcher(shell, RANKS).start())
                .getMessage();
        assertTrue(
                said.contains("far-2: ") && said.contains("ssh: connect to host far-2 port 22: Connection refused"),
                said);
        assertFalse(said.contains("far-1"), said);
        assertTrue(said.contains("nothing was started"), said);
        assertEquals(List.of(), agents(ProcessHandle.current()));
    }

    @Test
    void anotherVersionIsNamed() throws Exception {
        Path shell = shell("printf '\\0sluice-node-1\\n\\0\\0\\0\\0030.0\\0\\0\\0\\0'; cat >/dev/null");
        String said = assertThrows(
                        IllegalArgumentException.class,
                        () -> launcher(shell, RANKS).start())
                .getMessage();
        assertTrue(said.contains("far-1 has Sluice 0.0, this machine " + SluiceVersion.CURRENT), said);
    }

    @Test
    void aMachineThatIsLostEndsItsRanksAndTheOthersHear() throws Exception {
        Queue<String> lines = new ConcurrentLinkedQueue<>();
        RunningJob job = launcher(shell("exec sh -c \"$2\""), RANKS)
                .output(RankOutput.captured((rank, error, line) -> lines.add(line)))
                .messages(messages::add)
                .graceSeconds(1)
                .start();
        awaitPrinted(lines, 1);
        List<ProcessHandle> ranks = job.pids().stream()
                .map(pid -> ProcessHandle.of(pid).orElseThrow())
                .toList();
        ProcessHandle agent = agents(ProcessHandle.current()).stream()
                .filter(each -> each.children()
                        .anyMatch(child -> child.pid() == job.pids().get(3)))
                .findFirst()
                .orElseThrow();
        agent.destroyForcibly();
        // Nobody is left who could end them but they themselves.
        for (ProcessHandle rank : ranks.subList(2, 4)) {
            rank.onExit().get(TREE_S, TimeUnit.SECONDS);
        }
        JobResult result = job.waitFor();
        assertEquals(RemoteProcess.LOST_STATUS, result.status(), result.lastLine());
        assertTrue(messages.stream().anyMatch(line -> line.contains("far-2 is lost")), messages::toString);
        for (ProcessHandle rank : ranks) {
            rank.onExit().get(PATIENCE_S, TimeUnit.SECONDS);
        }
    }

    /** Also where a rank reads nothing of what it is sent, and more is than any pipe holds. */
    @Test
    void theTreeEndsWithItsRoot() throws Exception {
        Path printed = folder.resolve("printed");
        Path input = Files.write(folder.resolve("input"), new byte[UNREAD_BYTES]);
        Process launcher = new ProcessBuilder(
                        JavaHome.current().command(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        shell("exec sh -c \"$2\"").toString())
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .redirectInput(input.toFile())
                .start();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (Files.readAllLines(printed).isEmpty() && System.nanoTime() - end < 0) {
            Thread.sleep(20);
        }
        List<ProcessHandle> all =
                new ArrayList<>(launcher.toHandle().descendants().toList());
        assertTrue(all.size() >= 6, () -> all + " of two machines with two ranks each");
        launcher.destroyForcibly();
        for (ProcessHandle each : all) {
            each.onExit().get(TREE_S, TimeUnit.SECONDS);
        }
    }

    @Test
    void aJobThatIsStoppedEndsThere() throws Exception {
        Queue<String> lines = new ConcurrentLinkedQueue<>();
        RunningJob job = launcher(shell("exec sh -c \"$2\""), RANKS)
                .output(RankOutput.captured((rank, error, line) -> lines.add(line)))
                .messages(messages::add)
                .start();
        awaitPrinted(lines, 1);
        List<ProcessHandle> ranks = job.pids().stream()
                .map(pid -> ProcessHandle.of(pid).orElseThrow())
                .toList();
        job.stop();
        assertEquals(143, job.waitFor().status());
        for (ProcessHandle rank : ranks) {
            assertFalse(rank.isAlive(), rank::toString);
        }
        assertEquals(List.of(), agents(ProcessHandle.current()));
    }
}
