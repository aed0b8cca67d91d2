package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluice.cli.BuiltProgram.Ended;
import org.sluice.device.nodes.Nodes;

/** The MPI programs in examples, over machines that have nothing in common but files and a network. */
@Tag("once")
@Timeout(120)
final class DialectNodesTest {
    private static final Path EXAMPLES = BuiltProgram.CHECKOUT.resolve("examples");
    private static final int NODES = 2;

    /** Where each machine has it: they have a /tmp of their own. */
    private Path folder;

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createTempDirectory(
                Files.createDirectories(BuiltProgram.CHECKOUT.resolve("cli/target")), "nodes");
    }

    @AfterEach
    void removeFolder() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    /** Two ranks are threads of one JVM, one lives beside them, and one elsewhere. */
    @Test
    void threadsSharedMemoryAndTcpInOneJob() throws Exception {
        try (Nodes nodes = Nodes.start(NODES)) {
            runs(nodes, "mpijava", "Quicksort", "--host", "node0:3,node1:1", "--jvms", "2");
            runs(nodes, "mpijava", "Heat", "--host", "node0:3,node1:1", "--jvms", "2");
        }
    }

    @Test
    void machinesMayHaveNothingButIpv6() throws Exception {
        try (Nodes nodes = Nodes.startIpv6Only(NODES)) {
            runs(nodes, "openmpi", "Life", "--host", "node0:2,node1:2");
        }
    }

    private void runs(Nodes nodes, String dialect, String name, String... words) throws Exception {
        BuiltProgram program = new BuiltProgram(folder);
        program.compile(
                dialect,
                List.of(EXAMPLES.resolve(dialect + "/" + name + ".java")),
                "-cp",
                BuiltProgram.LIB.resolve("mpi/sluice-" + dialect + ".jar").toString());
        List<String> command = new ArrayList<>(List.of("-n", "4", "--ssh", String.join(" ", nodes.ssh())));
        command.addAll(List.of(words));
        command.addAll(List.of("-cp", dialect, name));
        Ended ended = program.run(command.toArray(String[]::new));
        assertEquals("", ended.err());
        assertEquals(0, ended.status());
        assertEquals(Files.readString(EXAMPLES.resolve(dialect + "/" + name + ".txt")), ended.out());
    }
}
