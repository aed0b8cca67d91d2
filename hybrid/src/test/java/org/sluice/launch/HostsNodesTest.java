package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.nodes.Nodes;

/** Jobs over machines that share files and nothing else, by ssh as people have it, from a machine beside them. */
@Tag("once")
@Timeout(120)
final class HostsNodesTest {
    private static final long PATIENCE_S = 30;
    private static Nodes nodes;

    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final Queue<String> messages = new ConcurrentLinkedQueue<>();

    @BeforeAll
    static void start() throws Exception {
        nodes = Nodes.start(2);
    }

    @AfterAll
    static void stop() throws Exception {
        if (nodes != null) {
            nodes.close();
        }
    }

    private Launcher launcher(String mainClass) throws Exception {
        return new Launcher(4, Program.ofClassPath(System.getProperty("java.class.path"), mainClass))
                .hosts(HostList.ofWords("node0:2,node1:2"), RemoteShell.of(String.join(" ", nodes.ssh())), 2)
                .jvmOptions(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"))
                .output(RankOutput.captured((rank, error, line) -> lines.add(line)))
                .messages(messages::add)
                .graceSeconds(3);
    }

    /** Ranks 0 and 1 share memory, 2 and 3 do, and both kinds of messages cross the network. */
    @ParameterizedTest
    @ValueSource(strings = {"off", "on"})
    void messagesFlowAndADeathThereIsTold(String tls) throws Exception {
        RunningJob job = launcher("example.ranks.FlowingRanks")
                .environment("SLUICE_CHANNELS_SHOW", "on")
                .environment("SLUICE_TCP_TLS", tls)
                .start();
        awaitFlow();
        assertTrue(
                lines.stream().anyMatch(line -> line.contains("rank 0 of 4 reaches rank 1 by shm, ranks 2, 3 by tcp")),
                lines::toString);
        ProcessHandle.of(job.pids().get(3)).orElseThrow().destroyForcibly();
        JobResult result = job.waitFor();
        assertEquals(137, result.status(), result.lastLine());
        assertEquals("rank 3 was ended by SIGKILL (status 137), on node1", result.lastLine());
        assertTrue(messages.stream().anyMatch(line -> line.contains("the others were told")), messages::toString);
    }

    /** By ssh, which asks the other machine whether it is there; and by the ranks that had to do with it. */
    @Tag("long")
    @Test
    void aMachineWhoseCableIsPulledIsToldOfAndItsRanksEnd() throws Exception {
        RunningJob job = launcher("example.ranks.FlowingRanks").start();
        awaitFlow();
        List<Long> pids = List.copyOf(job.pids());
        try {
            nodes.down(1);
            long start = System.nanoTime();
            JobResult result = job.waitFor();
            assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(PATIENCE_S), result.lastLine());
            assertNotEquals(0, result.status());
            assertTrue(messages.toString().contains("node1"), messages::toString);
            assertTrue(lines.stream().anyMatch(line -> line.contains("PEER_DEAD")), lines::toString);
            for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S); areAlive(pids); ) {
                assertTrue(System.nanoTime() - end < 0, "ranks of the machine that can't be reached go on");
                Thread.sleep(100);
            }
        } finally {
            nodes.up(1);
        }
    }

    private static boolean areAlive(List<Long> pids) {
        return pids.stream().anyMatch(pid -> ProcessHandle.of(pid).isPresent());
    }

    private void awaitFlow() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (!lines.contains("flowing") && System.nanoTime() - end < 0) {
            Thread.sleep(20);
        }
        assertTrue(lines.contains("flowing"), lines::toString);
    }

    /** The machines share files in truth: so each rank says where its classes came from. */
    @Test
    void aProgramIsBroughtAlongAndGoesWithTheJob() throws Exception {
        JobResult result = launcher("example.ranks.TellsItsPlace")
                .bringsProgram(true)
                .start()
                .waitFor();
        assertEquals(0, result.status(), lines::toString);
        List<String> places = lines.stream()
                .filter(line -> line.startsWith("rank "))
                .map(line -> line.replaceFirst("rank \\d+ ", ""))
                .toList();
        assertEquals(4, places.size(), lines::toString);
        for (String place : places) {
            assertTrue(place.matches(".*/sluice-node-\\d+/program/.*"), place);
            assertFalse(Files.exists(Path.of(place)), place);
        }
    }

    @Test
    void whatIsNotThereIsNamedBeforeAnythingStarts(@TempDir Path here) {
        String said = assertThrows(
                        IllegalArgumentException.class,
                        () -> launcher("example.ranks.FlowingRanks")
                                .folder(here)
                                .start())
                .getMessage();
        assertTrue(said.contains("node0 has no " + here) && said.contains("node1 has no " + here), said);
        assertEquals(List.of(), List.copyOf(lines));
    }
}
