package org.sluice.hybrid.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** However the launcher ends, no rank stays behind. */
@Timeout(90)
final class LauncherDeathProcessTest {
    /** Runs as a process of its own, which the test then kills. */
    static final class Main {
        private Main() {
        }

        public static void main(String[] args) throws Exception {
            Program program = Program.ofClassPath(System.getProperty("java.class.path"), "example.ranks.RankProgram");
            RunningJob job = new Launcher(3, program).jvms(2).arguments(List.of("sleep"))
                    .survive(args.length > 0).start();
            System.out.println("pids " + job.pids().get(0) + " " + job.pids().get(1));
            System.exit(job.waitFor().status());
        }
    }

    @Test
    void controlCLeavesNoChild() throws Exception {
        assertEquals(130, endLauncherBy("INT"));
    }

    @Test
    void sigtermLeavesNoChild() throws Exception {
        assertEquals(143, endLauncherBy("TERM"));
    }

    @Test
    void sigkillLeavesNoChild() throws Exception {
        assertEquals(137, endLauncherBy("KILL"));
    }

    @Test
    void survivorsOutliveAKilledLauncher() throws Exception {
        Process launcher = launcher("survive");
        List<ProcessHandle> ranks = ranksOnceTheySleep(launcher);
        try {
            launcher.toHandle().destroyForcibly();
            assertTrue(launcher.waitFor(20, TimeUnit.SECONDS), "the launcher lives on");
            Thread.sleep(3000);
            assertTrue(ranks.stream().allMatch(ProcessHandle::isAlive), "a rank ended with its launcher");
        } finally {
            ranks.forEach(ProcessHandle::destroyForcibly);
        }
        for (ProcessHandle rank : ranks) {
            rank.onExit().get(10, TimeUnit.SECONDS);
        }
    }

    /** In a process of its own; a shell that runs tests in the background would hand an ignored SIGINT down. */
    private static Process launcher(String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT", JavaHome.current().command(),
                "-cp",
                System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(List.of(args));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static int endLauncherBy(String signal) throws Exception {
        Process launcher = launcher();
        try {
            List<ProcessHandle> ranks = ranksOnceTheySleep(launcher);
            assertEquals(2, ranks.size());
            assertTrue(ranks.stream().allMatch(ProcessHandle::isAlive));
            assertEquals(0, new ProcessBuilder("sh", "-c", "kill -" + signal + " " + launcher.pid()).start().waitFor());
            assertTrue(launcher.waitFor(20, TimeUnit.SECONDS), "the launcher lives on");
            for (ProcessHandle rank : ranks) {
                rank.onExit().get(10, TimeUnit.SECONDS);
            }
            return launcher.exitValue();
        } finally {
            launcher.descendants().forEach(ProcessHandle::destroyForcibly);
            launcher.destroyForcibly();
        }
    }

    private static List<ProcessHandle> ranksOnceTheySleep(Process launcher) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(launcher.getInputStream()));
        StringBuilder all = new StringBuilder();
        String pids = null;
        int sleeping = 0;
        while (pids == null || sleeping < 3) {
            String line = in.readLine();
            assertTrue(line != null, "the launcher ended early: " + all);
            all.append(line).append('\n');
            pids = line.startsWith("pids ") ? line : pids;
            sleeping += line.equals("sleeping") ? 1 : 0;
        }
        return Stream.of(pids.substring(5).split(" ")).map(pid -> ProcessHandle.of(Long.parseLong(pid)).orElseThrow())
                .toList();
    }
}
