package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.bench.rank.RankMain;
import org.sluice.launch.JavaHome;

/**
 * Ctrl-C in the middle of a race: a terminal signals all processes of the group at once, and none of them, nor a file,
 * is left.
 */
@Tag("once")
@Timeout(120)
final class BenchEndProcessTest {
    private static final int GROUP_FIELD = 2;
    private static final long END_S = 20;
    /** Of Sluice, and of its floor. */
    private static final int RANKS = 2;

    @TempDir
    private Path folder;

    private Process harness;

    @AfterEach
    void endAll() throws Exception {
        if (harness != null) {
            for (ProcessHandle process : members()) {
                process.destroyForcibly();
                process.onExit().get(END_S, TimeUnit.SECONDS);
            }
        }
    }

    @Tag("all")
    @Test
    void onCtrlCNoProcessAndNoFileIsLeft() throws Exception {
        // JVMs that a shell starts in the background are told to ignore the signal, and so would be this one's
        // children.
        List<String> command = new ArrayList<>(List.of(
                "setsid", "env", "--default-signal=INT", JavaHome.current().command()));
        command.addAll(JavaHome.current().flags());
        command.addAll(List.of(
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "bench",
                "--channel",
                "shm",
                "--sizes",
                "8",
                "--peers",
                "limit",
                "--iterations",
                "20",
                "--seconds",
                "100"));
        harness = new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
        await("both ranks of Sluice and of its floor", () -> ranks().size() == 2 * RANKS);
        List<ProcessHandle> all = members();
        signalAll("INT");
        for (ProcessHandle process : all) {
            process.onExit().get(END_S, TimeUnit.SECONDS);
        }
        await("nobody", () -> members().isEmpty());
        assertEquals(List.of(), leftIn(Path.of("/dev/shm")));
        assertEquals(List.of(), leftIn(folder));
        assertFalse(output().contains("\tat "), "that they died is no news: " + output());
    }

    private interface Condition {
        boolean holds() throws IOException;
    }

    private void await(String what, Condition condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(2 * END_S);
        while (!condition.holds()) {
            assertTrue(
                    System.nanoTime() < deadline,
                    what + " were awaited; there are "
                            + members().stream().map(ProcessHandle::info).toList() + "; " + output());
            Thread.sleep(20);
        }
    }

    private String output() throws IOException {
        return Files.readString(folder.resolve("output"));
    }

    private List<ProcessHandle> ranks() {
        return members().stream()
                .filter(process -> commandOf(process.pid()).contains(RankMain.class.getName()))
                .toList();
    }

    /** ProcessHandle knows no more of it than fits into a page. */
    private static String commandOf(long pid) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"));
        } catch (IOException e) {
            return "";
        }
    }

    /** Whatever the harness started, also after its parent's end. */
    private List<ProcessHandle> members() {
        return ProcessHandle.allProcesses()
                .filter(process -> groupOf(process.pid()) == harness.pid())
                .toList();
    }

    /** 0 where there is no such process any more. */
    private static long groupOf(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[GROUP_FIELD]);
        } catch (IOException e) {
            return 0;
        }
    }

    private void signalAll(String signal) throws Exception {
        assertEquals(
                0,
                new ProcessBuilder("sh", "-c", "kill -" + signal + " -" + harness.pid())
                        .start()
                        .waitFor());
    }

    private List<String> leftIn(Path parent) throws IOException {
        String mine = "sluice-bench-" + harness.pid() + "-";
        try (Stream<Path> files = Files.list(parent)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith(mine))
                    .toList();
        }
    }
}
