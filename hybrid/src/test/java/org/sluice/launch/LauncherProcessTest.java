package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.tier.MoreWithAll;

/** Real jobs of small programs: output, input, and what happens when a rank ends badly. */
@Tag("once")
@Timeout(90)
final class LauncherProcessTest {
    private final Queue<String> output = new ConcurrentLinkedQueue<>();
    private final Queue<String> messages = new ConcurrentLinkedQueue<>();

    private Launcher program(int ranks, String... args) {
        Program program = Program.ofClassPath(System.getProperty("java.class.path"), "example.ranks.RankProgram");
        return new Launcher(ranks, program)
                .arguments(List.of(args))
                .messages(messages::add)
                .output(RankOutput.captured((rank, error, line) -> output.add(rank + (error ? "! " : ": ") + line)));
    }

    private List<String> sortedOutput() {
        return output.stream().sorted().toList();
    }

    @Test
    void ranksGetTheirArgumentsAndTheJobEndsWithZero() throws Exception {
        JobResult result = program(2, "hello", "two words", "").start().waitFor();
        assertEquals(0, result.status(), output.toString());
        assertEquals(
                List.of("0: hello from 3 arguments, first two words", "1: hello from 3 arguments, first two words"),
                sortedOutput());
        assertEquals(List.of(), List.copyOf(messages));
        assertEquals("", result.lastLine());
    }

    @Test
    void theFirstBadExitStatusIsTheJobsAndIsNamed() throws Exception {
        RunningJob job = program(3, "exit", "1", "42").graceSeconds(0).start();
        JobResult result = job.waitFor();
        assertEquals(42, result.status());
        assertEquals(1, result.failedRank());
        assertEquals("rank 1 exited with status 42", result.lastLine());
        assertEquals(
                List.of(
                        "rank 1 exited with status 42; the others were told and have 0 s to end (--grace)",
                        "rank 0 and 1 more did not end within 0 s; SIGTERM ends what is left",
                        "rank 1 exited with status 42"),
                List.copyOf(messages));
        assertNoneAlive(job);
    }

    @Test
    void aKilledRankIsNamedWithItsSignalAndTheOthersAreTold() throws Exception {
        RunningJob job = program(3, "told", "2").start();
        JobResult result = job.waitFor();
        assertEquals(137, result.status());
        assertEquals("rank 2 was ended by SIGKILL (status 137)", result.lastLine());
        assertEquals(List.of(0, 0, 137), result.statuses());
        assertEquals(List.of("0: rank 0 was told of 2", "1: rank 1 was told of 2"), sortedOutput());
    }

    @Test
    void whoDoesNotEndAfterTheGraceGetsSigtermThenSigkill() throws Exception {
        long start = System.nanoTime();
        RunningJob job = program(2, "stubborn").graceSeconds(1).start();
        JobResult result = job.waitFor();
        long tookMs = (System.nanoTime() - start) / 1_000_000;
        assertEquals(5, result.status());
        assertEquals("rank 0 exited with status 5", result.lastLine());
        assertEquals(List.of(5, 137), result.statuses());
        assertEquals(List.of("1: asked to end", "1: sleeping"), sortedOutput());
        assertTrue(tookMs >= 1000 + RunningJob.TERM_PATIENCE_MS, "after " + tookMs + " ms");
        assertNoneAlive(job);
    }

    @Test
    void anExceptionInMainEndsARankWhoseOtherThreadsLive() throws Exception {
        JobResult result = program(1, "linger").start().waitFor();
        assertEquals(1, result.status());
        assertEquals(
                "0! Exception in rank 0 java.lang.IllegalStateException: planned",
                sortedOutput().stream()
                        .filter(line -> line.contains("planned"))
                        .findFirst()
                        .orElse(""));
    }

    @ParameterizedTest
    @ValueSource(ints = 2)
    @MoreWithAll("1")
    void aThreadThatAPoolLeftBehindIsNamedWithItsRankAndOnce(int jvms) throws Exception {
        RunningJob job = program(2, "pool").jvms(jvms).start();
        while (output.stream().noneMatch(line -> line.contains("sluice: "))) {
            Thread.sleep(20);
        }
        // Long enough for a second look.
        Thread.sleep(600);
        job.stop();
        job.waitFor();
        assertEquals(
                List.of("0! sluice: rank 1: main has returned and no device is open, but a thread keeps it from"
                        + " ending: left-behind; if it has nothing to do, shut its executor down, or make it a"
                        + " daemon"),
                sortedOutput().stream()
                        .map(line -> line.replaceFirst("^1!", "0!"))
                        .toList());
    }

    @Test
    void theRankThatFailedByItselfIsNamedThoughOneThatFailedOfItsEndWasGoneFirst() throws Exception {
        JobResult result =
                program(2, "blame", "by exception").graceSeconds(60).start().waitFor();
        assertEquals(
                "rank 0 exited with status 1, as rank 1 had closed its device or died; the others were told and have"
                        + " 60 s to end (--grace)",
                messages.peek());
        assertEquals("rank 1 exited with status 1", result.lastLine());
        assertEquals(1, result.failedRank());
        assertEquals(1, result.status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"by return", "by exit"})
    void aRankThatLeftItsDeviceOpenIsNamedWithTheOneThatFailedOfIt(String how) throws Exception {
        JobResult result = program(2, "blame", how).graceSeconds(60).start().waitFor();
        assertEquals("rank 0 exited with status 1, as rank 1 had ended with its device open", result.lastLine());
        assertTrue(
                output.stream()
                        .anyMatch(line -> line.endsWith(
                                "PEER_DEAD: rank 1 died: its process has ended without closing its device")),
                output.toString());
        assertEquals(List.of(1, 0), result.statuses());
        assertEquals(0, result.failedRank());
        assertEquals(1, messages.stream().filter(RankEnds.leftOpen(1)::equals).count(), messages.toString());
    }

    @Test
    void aRankThatLeftItsDeviceOpenIsNamedThoughNobodyFailedOfIt() throws Exception {
        JobResult result = program(2, "leave", "at once").start().waitFor();
        assertEquals(0, result.status(), output.toString());
        assertEquals(List.of("0: PEER_DEAD 1"), sortedOutput());
        assertEquals(List.of(RankEnds.leftOpen(1)), List.copyOf(messages));
    }

    @Test
    void aRankThatNeverOpenedADeviceIsNamedWithTheOneThatFailedOfIt() throws Exception {
        JobResult result = program(2, "unopened").start().waitFor();
        assertEquals("rank 0 exited with status 1, as rank 1 ended without opening a device", result.lastLine());
        assertEquals(1, result.status());
        assertEquals(0, result.failedRank());
    }

    /** Beside as many exceptions as there are other ranks. */
    @Test
    void theLastLineSaysWhyTheRankThatIsTheCauseCouldNotOpen() throws Exception {
        JobResult result = program(3, "device")
                // More than the native library has, and less than the segment.
                .commandPrefix(
                        rank -> rank == 1 ? List.of("sh", "-c", "ulimit -f 2048; exec \"$0\" \"$@\"") : List.of())
                .start()
                .waitFor();
        assertTrue(
                result.lastLine()
                        .matches("rank 1 exited with status 1: NO_MEMORY: the segment of rank 1 needs .* EFBIG, file"
                                + " too large; check ulimit -f .*"),
                result.lastLine() + output);
        assertEquals(1, result.failedRank());
    }

    @Tag("all")
    @Test
    void aRankThatLivesAndDoesNotOpenADeviceIsNamedLongBeforeTheOthersGiveUp() throws Exception {
        RunningJob job = program(2, "late")
                .jvmOptions(List.of("-Dsluice.open.timeout.ms=80000"))
                .start();
        while (messages.isEmpty()) {
            Thread.sleep(20);
        }
        job.stop();
        job.waitFor();
        assertEquals(
                List.of("rank 0 waits in Device.open: rank 1 did not open a device so far; it gives up after 80000 ms"
                        + " (sluice.open.timeout.ms)"),
                List.copyOf(messages),
                output.toString());
    }

    /** A file or port that each JVM needs of its own. */
    @Test
    void optionsOfTheJvmMayNameTheRank() throws Exception {
        assertEquals(
                0,
                program(3, "property", "my.file")
                        .jvms(2)
                        .jvmOptions(List.of("-Dmy.file=of-{rank}.{rank}"))
                        .start()
                        .waitFor()
                        .status(),
                output.toString());
        assertEquals(List.of("0: of-0.0", "0: of-0.0", "2: of-2.2"), sortedOutput());
    }

    @Test
    void anOptionThatCannotBeReadIsOneLine() throws Exception {
        JobResult result = program(1, "hello", "x")
                .jvmOptions(List.of("-Dsluice.peek=maybe"))
                .start()
                .waitFor();
        assertEquals(1, result.status());
        assertEquals(1, output.size(), output.toString());
        assertTrue(
                output.peek().startsWith("0! sluice: sluice.peek = 'maybe' (system property): allowed is off, on"),
                output.peek());
    }

    @Test
    void survivorsLiveOnWhenTheyShould() throws Exception {
        RunningJob job =
                program(2, "exit", "0", "3").graceSeconds(0).survive(true).start();
        while (messages.isEmpty()) {
            Thread.sleep(20);
        }
        assertEquals("rank 0 exited with status 3; the others live on (--survive)", messages.peek());
        Thread.sleep(500);
        assertTrue(
                ProcessHandle.of(job.pids().get(1)).map(ProcessHandle::isAlive).orElse(false));
        job.stop();
        assertEquals(3, job.waitFor().status());
        assertNoneAlive(job);
    }

    @Test
    void aStoppedJobIsNoSuccess() throws Exception {
        RunningJob job = program(2, "sleep").start();
        while (output.size() < 2) {
            Thread.sleep(20);
        }
        job.stop();
        JobResult result = job.waitFor();
        assertEquals(143, result.status());
        assertEquals("the job was stopped", result.lastLine());
        assertNoneAlive(job);
    }

    @Test
    void onlyRankZeroReadsTheInput(@TempDir Path folder) throws Exception {
        File input = Files.writeString(folder.resolve("input"), "a\nb\nc\n").toFile();
        JobResult result = program(2, "input")
                .input(ProcessBuilder.Redirect.from(input))
                .start()
                .waitFor();
        assertEquals(0, result.status());
        assertEquals(List.of("0: read 3 lines", "1: read 0 lines"), sortedOutput());
    }

    @Test
    void prefixedLinesCarryTheRank() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        JobResult result = program(3, "hello", "x")
                .jvms(2)
                .output(RankOutput.prefixed(new PrintStream(out, true), new PrintStream(err, true)))
                .start()
                .waitFor();
        assertEquals(0, result.status(), err.toString());
        String text = "hello from 2 arguments, first x";
        assertEquals(
                List.of("[0-1] " + text, "[0-1] " + text, "[2] " + text),
                out.toString(StandardCharsets.UTF_8).lines().sorted().collect(Collectors.toList()));
        assertEquals("", err.toString(StandardCharsets.UTF_8));
    }

    @Test
    void aPromptWithoutALineFeedIsSeenBeforeItsAnswer(@TempDir Path folder) throws Exception {
        Path answer = folder.resolve("answer");
        assertEquals(0, new ProcessBuilder("mkfifo", answer.toString()).start().waitFor());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        RunningJob job = program(1, "prompt")
                .commandPrefix(rank -> List.of("sh", "-c", "exec \"$0\" \"$@\" < " + answer))
                .output(RankOutput.prefixed(new PrintStream(out, true), System.err))
                .start();
        try (FileOutputStream typed = new FileOutputStream(answer.toFile())) {
            while (!out.toString(StandardCharsets.UTF_8).equals("[0] your name? ")) {
                Thread.sleep(20);
            }
            typed.write("Ada\n".getBytes(StandardCharsets.UTF_8));
        }
        assertEquals(0, job.waitFor().status());
        assertEquals("[0] your name? hello Ada\n", out.toString(StandardCharsets.UTF_8));
    }

    @Test
    void aCommandPrefixWrapsTheJvm() throws Exception {
        program(1, "hello", "x")
                .commandPrefix(rank -> List.of("sh", "-c", "echo before $0; exec \"$0\" \"$@\""))
                .start()
                .waitFor();
        assertEquals(2, output.size(), output.toString());
        assertTrue(output.peek().startsWith("0: before "), output.toString());
    }

    @Test
    void aCommandThatCannotBeStartedLeavesNothing() {
        Launcher launcher =
                program(2, "sleep").commandPrefix(rank -> rank == 0 ? List.of() : List.of("/nonexistent/command"));
        UncheckedIOException refused = assertThrows(UncheckedIOException.class, launcher::start);
        assertTrue(refused.getMessage().contains("/nonexistent/command"), refused.getMessage());
    }

    @Test
    void aMissingMainClassIsSaidPlainly() throws Exception {
        Launcher launcher =
                new Launcher(1, Program.ofClassPath(System.getProperty("java.class.path"), "example.Nothing"));
        JobResult result = launcher.messages(messages::add)
                .output(RankOutput.captured((rank, error, line) -> output.add(line)))
                .start()
                .waitFor();
        assertEquals(1, result.status());
        assertEquals(
                List.of("sluice: rank 0: there is no class example.Nothing on the class path"), List.copyOf(output));
    }

    @Test
    void impossibleJobsAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> program(0));
        assertThrows(IllegalArgumentException.class, () -> program(2).jvms(3));
        assertThrows(IllegalArgumentException.class, () -> program(2).graceSeconds(-1));
    }

    private static void assertNoneAlive(RunningJob job) {
        for (long pid : job.pids()) {
            assertFalse(
                    ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false), "process " + pid + " lives on");
        }
    }
}
