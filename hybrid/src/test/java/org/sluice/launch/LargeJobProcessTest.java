package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sixty-four ranks at once, as {@code ./sluice run} starts them. */
@Tag("all")
@Tag("once")
@Timeout(240)
final class LargeJobProcessTest {
    private static final int RANKS = 64;

    private final Queue<String> output = new ConcurrentLinkedQueue<>();

    /** Their segments take 16 MB each, and a JVM some 50. */
    static void assumeRoom() throws IOException {
        long needed = 2L << 30;
        long free = Files.getFileStore(Path.of("/dev/shm")).getUsableSpace();
        assumeTrue(free >= needed, "needs " + needed + " bytes in /dev/shm, which has " + free);
        for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
            if (line.startsWith("MemAvailable:")) {
                long availableKb = Long.parseLong(line.replaceAll("\\D", ""));
                assumeTrue(
                        availableKb >= 4 * needed / 1024,
                        "needs " + 4 * needed + " bytes of memory; " + line + " are available");
            }
        }
    }

    private void neighbours(int jvms) throws Exception {
        assumeRoom();
        Program program =
                Program.ofClassPath(System.getProperty("java.class.path"), "org.sluice.hybrid.process.LaunchedRanks");
        long began = System.nanoTime();
        JobResult result = new Launcher(RANKS, program)
                .jvms(jvms)
                .arguments(List.of("neighbours"))
                .jvmOptions(List.of(
                        "-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dsluice.open.timeout.ms=200000"))
                .messages(output::add)
                .output(RankOutput.captured((rank, error, line) -> output.add(line)))
                .start()
                .waitFor();
        long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
        List<String> ranks = new ArrayList<>(output);
        ranks.removeIf(line -> line.startsWith("opened") || line.contains(" in Device.open: "));
        System.out.println(RANKS + " ranks in " + jvms + " JVMs: " + tookMs + " ms; "
                + output.stream()
                        .filter(line -> line.startsWith("opened"))
                        .sorted()
                        .skip(RANKS - 1)
                        .toList());
        assertEquals(0, result.status(), output.toString());
        assertEquals(
                new ArrayList<>(MpirunProcessTest.neighbours(RANKS)),
                new ArrayList<>(new TreeSet<>(ranks)),
                output.toString());
    }

    @Test
    @Tag("long")
    void eachTalksToItsNeighboursWhereEachIsAProcess() throws Exception {
        neighbours(RANKS);
    }

    @Test
    void eachTalksToItsNeighboursWhereTheyAreThreadsOfFourProcesses() throws Exception {
        neighbours(4);
    }
}
