package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.jni.os.Os;

/** Ranks that are threads of one JVM: who they are, and what they share. */
@Tag("once")
@Timeout(90)
final class RankThreadsProcessTest {
    private final Queue<String> output = new ConcurrentLinkedQueue<>();

    private Launcher program(int ranks, int jvms) {
        Program program = Program.ofClassPath(System.getProperty("java.class.path"), "example.ranks.RankProgram");
        return new Launcher(ranks, program)
                .jvms(jvms)
                .graceSeconds(0)
                .messages(line -> output.add("sluice: " + line))
                .output(RankOutput.captured((rank, error, line) -> output.add(line)));
    }

    private JobResult run(int ranks, int jvms, boolean ownLoaders, String... args) throws InterruptedException {
        return program(ranks, jvms)
                .ownLoaders(ownLoaders)
                .arguments(List.of(args))
                .start()
                .waitFor();
    }

    private JobResult surviving(String... args) throws InterruptedException {
        return program(2, 1).survive(true).arguments(List.of(args)).start().waitFor();
    }

    private List<String> sorted() {
        return output.stream().sorted().toList();
    }

    @Test
    void threadsOfTwoJvmsAreFiveRanks() throws Exception {
        assertEquals(0, run(5, 2, false, "statics").status(), output.toString());
        List<String> ranks =
                sorted().stream().map(line -> line.replaceAll("saw \\d", "saw")).toList();
        assertEquals(
                List.of(
                        "rank 0 of 5 saw, last is 4",
                        "rank 1 of 5 saw, last is 4",
                        "rank 2 of 5 saw, last is 4",
                        "rank 3 of 5 saw, last is 4",
                        "rank 4 of 5 saw, last is 4"),
                ranks);
        List<String> seen = output.stream()
                .map(line -> line.replaceAll(".*saw (\\d).*", "$1"))
                .sorted()
                .toList();
        assertEquals(List.of("0", "0", "1", "1", "2"), seen, "static state is shared by the threads of a JVM");
    }

    /** What a newer JVM warns of, message buffers and Chronicle's, is allowed to it. */
    @Test
    void devicesWorkAndNothingIsWarnedOf() throws Exception {
        assertEquals(0, run(3, 2, false, "device").status(), output.toString());
        assertEquals(
                List.of("rank 0 received 2 and 2", "rank 1 received 0 and 0", "rank 2 received 1 and 1"), sorted());
    }

    @Test
    void ownLoadersKeepStaticStateApart() throws Exception {
        assertEquals(0, run(3, 1, true, "statics").status(), output.toString());
        assertEquals(
                List.of("rank 0 of 3 saw 0, last is 2", "rank 1 of 3 saw 0, last is 2", "rank 2 of 3 saw 0, last is 2"),
                sorted());
    }

    /**
     * A class that one loader has for all ranks is loaded once; a library that two classes loaded would be mapped
     * twice, under two names.
     */
    @Test
    void withOwnLoadersTheProgramAloneIsLoadedForEachRank() throws Exception {
        JobResult result = new Launcher(
                        2, Program.ofClassPath(System.getProperty("java.class.path"), "example.ranks.LoaderProgram"))
                .jvms(1)
                .ownLoaders(true)
                .graceSeconds(0)
                .output(RankOutput.captured((rank, error, line) -> output.add(line)))
                .start()
                .waitFor();
        assertEquals(0, result.status(), output.toString());
        for (int rank = 0; rank < 2; rank++) {
            String start = rank + " ";
            List<String> loaders = sorted().stream()
                    .filter(line -> line.startsWith(start) && line.contains(" by "))
                    .toList();
            assertEquals(12, loaders.size(), output.toString());
            List<String> own = loaders.stream()
                    .filter(line -> line.endsWith(" by rank-" + start.trim()))
                    .toList();
            assertEquals(
                    List.of(
                            start + "example.kotlin.KotlinCounter by rank-" + rank,
                            start + "example.ranks.LoaderProgram by rank-" + rank),
                    own);
            assertEquals(
                    10,
                    loaders.stream().filter(line -> line.endsWith(" by app")).count(),
                    output.toString());
            assertTrue(output.contains(start + "statics 0 and 0"), output.toString());
            assertTrue(
                    output.contains(start + (Os.available() ? "natives true 1" : "natives false 0")),
                    output.toString());
        }
    }

    @Test
    void plainChildThreadsBelongToTheRankAndOthersAreToldWhatToDo() throws Exception {
        assertEquals(0, run(2, 1, false, "children").status(), output.toString());
        assertEquals(List.of("rank 0 thread 0 pool 0 common none", "rank 1 thread 1 pool 1 common none"), sorted());
    }

    @Test
    void withOwnLoadersEveryThreadFindsItsRankByItsClasses() throws Exception {
        assertEquals(0, run(2, 1, true, "children").status(), output.toString());
        assertEquals(List.of("rank 0 thread 0 pool 0 common 0", "rank 1 thread 1 pool 1 common 1"), sorted());
    }

    @Test
    void aDeviceIsRefusedToThreadsThatServeAllRanksAndTheyAreToldWhatToDo() throws Exception {
        assertEquals(0, runWorkers(false).status(), output.toString());
        assertEquals(List.of(workers(0, "none"), workers(1, "none")), sorted());
    }

    @Test
    void withOwnLoadersADeviceThatSuchAThreadOpensIsItsRanks() throws Exception {
        assertEquals(0, runWorkers(true).status(), output.toString());
        assertEquals(List.of(workers(0, "0"), workers(1, "1")), sorted());
    }

    /** Ranks open together, and the common pool of a machine with two cores has one worker. */
    private JobResult runWorkers(boolean ownLoaders) throws InterruptedException {
        return program(2, 1)
                .ownLoaders(ownLoaders)
                .jvmOptions(List.of("-Djava.util.concurrent.ForkJoinPool.common.parallelism=2"))
                .arguments(List.of("workers"))
                .start()
                .waitFor();
    }

    private static String workers(int rank, String found) {
        String virtual = Runtime.version().feature() >= 21 ? found : "absent";
        return "rank " + rank + " common " + found + " kotlin " + found + " virtual " + virtual;
    }

    @Test
    void anExceptionEndsItsRankAndTheOthersOfItsJvmWhenTheGraceIsOver() throws Exception {
        JobResult result = run(2, 1, false, "throw", "1");
        assertEquals(1, result.status());
        assertEquals(1, result.failedRank());
        assertEquals("rank 1 exited with status 1", result.lastLine());
        assertEquals(List.of(143), result.statuses());
        assertTrue(output.contains("Exception in rank 1 java.lang.IllegalStateException: planned"), output.toString());
        assertTrue(
                output.contains(
                        "sluice: rank 1 exited with status 1; the others were told and have 0 s to end (--grace)"),
                output.toString());
        assertTrue(
                output.contains("sluice: rank 0 did not end within 0 s; SIGTERM ends what is left"), output.toString());
    }

    /** Else nobody ends the others, nor tells them. */
    /**
     * A JVM of two ranks whose launcher greets it, and then says nothing more.
     *
     * @return how it ended
     */
    private static int unheard(Path folder, boolean survive, String... args) throws Exception {
        try (UnixSocket.Server silent = new UnixSocket.Server(1)) {
            List<String> command = new ArrayList<>(List.of(
                    JavaHome.current().command(),
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-cp",
                    System.getProperty("java.class.path"),
                    RankMain.class.getName()));
            command.addAll(survive ? List.of(RankMain.SURVIVE) : List.of());
            command.add("example.ranks.RankProgram");
            command.addAll(List.of(args));
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("output").toFile());
            builder.environment()
                    .putAll(Map.of(
                            "SLUICE_JOB_ADDRESS",
                            silent.address(),
                            "SLUICE_JOB_SIZE",
                            "2",
                            "SLUICE_JOB_JVM_RANKS",
                            "2"));
            Process jvm = builder.start();
            try (UnixSocket line = silent.accept()) {
                JobServerTest.read(new DataInputStream(line.getInputStream()), Frame.HELLO_LIMIT_BYTES);
                line.getOutputStream()
                        .write(new Frame.Writer(Frame.WELCOME).text("").finish());
                assertTrue(jvm.waitFor(60, TimeUnit.SECONDS), "the JVM lives on");
                return jvm.exitValue();
            } finally {
                jvm.destroyForcibly();
            }
        }
    }

    @Test
    void aRankWhoseFailureTheLauncherDoesNotHearOfEndsItsJvm(@TempDir Path folder) throws Exception {
        assertEquals(1, unheard(folder, false, "unheard"));
        String said = Files.readString(folder.resolve("output"));
        assertTrue(said.contains("Exception in rank 1 java.lang.IllegalStateException: planned"), said);
    }

    @Tag("all")
    @Test
    void amongSurvivorsAFailureThatTheLauncherDoesNotHearOfIsStillThatOfTheJvm(@TempDir Path folder) throws Exception {
        assertEquals(1, unheard(folder, true, "unheard", "last"));
    }

    @Test
    void anExitThatEndsSurvivorsIsToldBesideTheFailureBeforeIt() throws Exception {
        JobResult result = program(4, 1)
                .survive(true)
                .arguments(List.of("throw", "1", "2"))
                .start()
                .waitFor();
        assertEquals("rank 1 exited with status 1", result.lastLine());
        assertEquals(
                List.of(
                        "sluice: rank 1 exited with status 1; the others live on (--survive)",
                        "sluice: ranks 0 to 3 (one JVM) exited with status 1",
                        "sluice: rank 1 exited with status 1"),
                output.stream().filter(line -> line.startsWith("sluice: ")).toList());
    }

    /** As one in a JVM of its own would. */
    @Test
    void aRankIsToldOfTheFailureOfAnotherInItsJvmAndEndsInItsOwnWay() throws Exception {
        JobResult result = program(3, 1)
                .graceSeconds(60)
                .arguments(List.of("leave", "by exception"))
                .start()
                .waitFor();
        assertEquals("rank 1 exited with status 1", result.lastLine());
        assertEquals(1, result.status());
        assertEquals(List.of(1), result.statuses());
        assertEquals(2, output.stream().filter("PEER_DEAD 1"::equals).count(), output.toString());
    }

    /** Else the others would wait until their time to open is up. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aRankThatEndsWithoutADeviceIsNamedAtOnce(int jvms) throws Exception {
        assertEquals(0, run(2, jvms, false, "absent").status(), output.toString());
        assertEquals(List.of("OPEN_FAILED: rank 1 ended without opening a device"), sorted());
    }

    @Test
    void aRankThatEndsWithItsDeviceOpenIsDeadToTheOthers() throws Exception {
        assertEquals(0, run(2, 1, false, "leave", "at once").status(), output.toString());
        assertTrue(output.contains("PEER_DEAD 1"), output.toString());
        assertTrue(
                output.stream().anyMatch(line -> line.contains("rank 1 has ended with its device open")),
                output.toString());
    }

    @Test
    void whoFailsOfARankThatEndedWithItsDeviceOpenHearsJustThat() throws Exception {
        JobResult result = run(2, 1, false, "blame", "by return");
        assertEquals(1, result.status(), output.toString());
        assertEquals("rank 0 exited with status 1, as rank 1 had ended with its device open", result.lastLine());
        assertTrue(
                output.stream()
                        .anyMatch(line -> line.endsWith("PEER_DEAD: rank 1 has ended without closing its device")),
                output.toString());
    }

    @Test
    void anExitWithZeroThatCutsRanksOffIsNoSuccess() throws Exception {
        JobResult result = run(2, 1, false, "blame", "by exit");
        assertEquals(1, result.status());
        assertEquals(
                "ranks 0 to 1 (one JVM) exited with status 0 while ranks 0, 1 had their devices open: System.exit of"
                        + " one rank ends them all",
                result.lastLine());
        assertEquals(List.of("sluice: " + result.lastLine()), sorted());
    }

    @Test
    void aRankEndsWithTheLastOfItsThreads() throws Exception {
        assertEquals(0, run(2, 1, true, "leave", "later").status(), output.toString());
        assertTrue(output.contains("5 bytes") && output.contains("PEER_DEAD 1"), output.toString());
    }

    @Test
    void aRankThatFailsAmongSurvivorsIsDeadToThem() throws Exception {
        assertEquals(1, surviving("leave", "by exception").status(), output.toString());
        assertTrue(output.contains("PEER_DEAD 1"), output.toString());
    }
}
