package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluice.device.nodes.Nodes;

/** Everybody of several machines sends to everybody: over TCP to other machines, by connections made for that. */
@Tag("once")
final class MeetingNodesTest {
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final Queue<String> messages = new ConcurrentLinkedQueue<>();

    /** On files that machines share, which is not so of those for a while. */
    private Path folder;

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "meeting");
    }

    @AfterEach
    void removeFolder() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    private void allMeet(int machines, int each) throws Exception {
        int ranks = machines * each;
        try (Nodes nodes = Nodes.start(machines)) {
            String hosts = IntStream.range(0, machines)
                    .mapToObj(node -> "node" + node + ":" + each)
                    .collect(Collectors.joining(","));
            JobResult result = new Launcher(
                            ranks,
                            Program.ofClassPath(System.getProperty("java.class.path"), "example.ranks.MeetingRanks"))
                    .hosts(HostList.ofWords(hosts), RemoteShell.of(String.join(" ", nodes.ssh())), machines)
                    .jvmOptions(List.of(
                            "-Xmx48m",
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-Dsluice.open.timeout.ms=120000"))
                    .arguments(List.of(folder.toString()))
                    .output(RankOutput.captured((rank, error, line) -> lines.add(line)))
                    .messages(messages::add)
                    .start()
                    .waitFor();
            assertEquals(0, result.status(), () -> result.lastLine() + lines + messages);
        }
        long[][] counts = new long[ranks][];
        lines.stream().filter(line -> line.matches("rank( \\d+){4}")).forEach(line -> {
            String[] words = line.split(" ");
            counts[Integer.parseInt(words[1])] =
                    Arrays.stream(words).skip(2).mapToLong(Long::parseLong).toArray();
        });
        for (int rank = 0; rank < ranks; rank++) {
            int self = rank;
            assertTrue(counts[rank] != null, () -> "rank " + self + " said nothing: " + lines);
            assertEquals(0, counts[rank][0], () -> "rank " + self + " has sent nothing yet: " + lines);
            assertEquals(
                    rank == 0 || rank == ranks - 1 ? 1 : 0,
                    counts[rank][1],
                    () -> "of rank " + self + ", when rank 0 has met the last: " + lines);
            assertEquals(ranks - each, counts[rank][2], () -> "of rank " + self + ", when all have met: " + lines);
        }
    }

    @Tag("all")
    @Test
    @Timeout(120)
    void twoRanksOfEachOfFourMachinesMeet() throws Exception {
        allMeet(4, 2);
    }

    @Tag("long")
    @Test
    @Timeout(400)
    void eightRanksOfEachOfEightMachinesMeet() throws Exception {
        allMeet(8, 8);
    }
}
