package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.nodes.Nodes;
import org.sluice.jni.pmix.Pmix;

/** A real Slurm over two machines made of namespaces: a race whose ranks are on both. */
@Tag("all")
@Tag("once")
@Timeout(200)
final class BenchAcrossSrunProcessTest {
    private static final Path ROOT =
            Path.of(System.getProperty("sluice.root", "..")).toAbsolutePath().normalize();
    private static final long PATIENCE_S = 150;
    private static final long END_S = 10;
    private static final Pattern NODES = Pattern.compile("\"nodes\": ?2");

    @TempDir
    private Path folder;

    private static void assumeSlurm() {
        for (String program : List.of("/usr/sbin/munged", "/usr/sbin/slurmctld", "/usr/sbin/slurmd", "/usr/bin/srun")) {
            assumeTrue(
                    Files.exists(Path.of(program)), "needs " + program + " (munge, slurmctld, slurmd, slurm-client)");
        }
        assumeTrue(
                Path.of("/sys/fs/cgroup").toFile().list().length > 0,
                "needs a file system at /sys/fs/cgroup, without which slurmd doesn't start");
        assumeTrue(Pmix.available(), Pmix.unavailableReason());
    }

    @Test
    void aRaceHasRanksOnBothNodes() throws Exception {
        assumeSlurm();
        Path output = folder.resolve("output");
        // Each node has a /tmp of its own, and the rest in common.
        Path records = Files.createTempFile(Path.of("target").toAbsolutePath(), "across-srun-", ".json");
        try (Nodes nodes = Nodes.start(2)) {
            Process process = nodes.here(
                            "bash",
                            ROOT.resolve("tools/slurm.sh").toString(),
                            "--nodes",
                            "srun",
                            "--mpi=pmix",
                            "-N2",
                            "--ntasks-per-node=1",
                            ROOT.resolve("sluice").toString(),
                            "exec",
                            "bench",
                            "latency",
                            "--across",
                            "--channel",
                            "tcp",
                            "--sizes",
                            "8",
                            "--iterations",
                            "20",
                            "--seconds",
                            "0.1",
                            "--peers",
                            "sockets",
                            "--json",
                            records.toString())
                    .redirectInput(new File("/dev/null"))
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            boolean isOver = process.waitFor(PATIENCE_S, TimeUnit.SECONDS);
            process.destroy();
            process.waitFor(END_S, TimeUnit.SECONDS);
            String text = Files.readString(output);
            assertTrue(isOver, text);
            assertEquals(0, process.exitValue(), text);
            assertTrue(text.contains("processes of 2 nodes, over TCP between these"), text);
            List<String> lines = Files.readAllLines(records);
            for (String peer : List.of("sluice", "sockets")) {
                assertTrue(
                        lines.stream()
                                .anyMatch(line -> line.contains("\"peer\":\"" + peer + "\"")
                                        && NODES.matcher(line).find()),
                        () -> peer + " has no record: " + lines + "\n" + text);
            }
        } finally {
            Files.delete(records);
        }
    }
}
