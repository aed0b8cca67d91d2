package org.sluice.hybrid.process;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Place;

/** A message and collectives of more than 2 GB, whose lengths no int holds. */
@Tag("long")
@Tag("all")
@Timeout(300)
final class HugeProcessTest {
    private static final long PATIENCE_MS = 250_000;

    @RegisterExtension
    final RankJvms ranks = new RankJvms();

    @Test
    void betweenThreads() {
        long heap = Runtime.getRuntime().maxMemory();
        assumeTrue(
                heap > 3 * HugeRanks.BYTES,
                "two arrays of " + HugeRanks.BYTES + " bytes don't fit into a heap of " + heap
                        + ": give Maven -Dtest.jvm.heap=-Xmx7g");
        try (CommunicatorJob job = new CommunicatorJob(2, Place.THREADS)) {
            job.run(250, world -> HugeRanks.run(world, "message", "broadcast", "gather"));
        }
    }

    @Test
    void betweenProcesses() throws Exception {
        long available = availableBytes();
        assumeTrue(
                available > 4 * HugeRanks.BYTES,
                "two arrays of " + HugeRanks.BYTES + " bytes need more memory than the " + available
                        + " bytes that are available");
        ranks.flag("-Xmx3g").flag("-Xmn64m").startAll(2, HugeRanks.class);
        ranks.allEndWell(PATIENCE_MS);
    }

    private static long availableBytes() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
            if (line.startsWith("MemAvailable:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) << 10;
            }
        }
        throw new IOException("/proc/meminfo has no line MemAvailable");
    }
}
