package org.sluice.bench.contestant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who compiles the C programs: the host, before a guest boots, and never the guest. */
@Tag("once")
final class PeerBuildTest {
    /** A compiler that leaves a trace, and no program. */
    private static final PeerProgram TRACED = new PeerProgram("limit", "touch", "bare_connections", List.of("called"));

    @TempDir
    private Path folder;

    private Map<String, String> guest() {
        return Map.of("SLUICE_VM_NODE", "0", PeerBuild.FOLDER_VARIABLE, folder.toString());
    }

    private static String refusal(PeerProgram program, Map<String, String> environment) {
        return assertThrows(ContestantFailure.class, () -> PeerBuild.program(program, environment))
                .getMessage();
    }

    @Test
    void aGuestCompilesNothing() throws Exception {
        String refusal = refusal(TRACED, guest());
        assertTrue(
                refusal.startsWith("limit: its program (bare_connections-touch-")
                        && refusal.contains("is not built, and a guest builds nothing; "
                                + "./sluice vm has it built on the host, in " + folder),
                refusal);
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(List.of(), files.toList());
        }
        assertTrue(refusal(TRACED, Map.of("SLUICE_VM_NODE", "1")).contains(PeerBuild.FOLDER_VARIABLE));
        assertTrue(
                refusal(TRACED, Map.of()).contains("touch could not compile the peer"),
                "outside of a guest it is compiled");
    }

    @Test
    void aGuestTakesWhatItsHostHasBuilt() throws Exception {
        String name = refusal(TRACED, guest()).replaceFirst(".*\\((.*?)\\).*", "$1");
        Path built = Files.createFile(folder.resolve(name));
        assertTrue(built.toFile().setExecutable(true));
        assertEquals(built, PeerBuild.program(TRACED, guest()));
    }

    /** What {@code ./sluice vm} does before the boot. */
    @Test
    void theHostCompilesWhatGuestsMayAskFor() throws Exception {
        assumeTrue(
                Programs.areOnPath("gcc") && Programs.haveHeader("gcc", "rdma/rdma_cma.h"),
                "gcc or the headers of librdmacm are missing");
        List<String> failed = new ArrayList<>();
        Path programs = PeerBuild.prepare(failed::add);
        assertEquals(List.of(), failed);
        Map<String, String> environment = Map.of("SLUICE_VM_NODE", "0", PeerBuild.FOLDER_VARIABLE, programs.toString());
        for (PeerProgram program : PeerProgram.wanted()) {
            assertTrue(Files.isExecutable(PeerBuild.program(program, environment)), program.toString());
        }
        assertTrue(PeerProgram.wanted().contains(PeerProgram.BARE_CONNECTIONS));
        assertFalse(
                PeerProgram.wanted().stream()
                                .map(program -> program.compiler() + " " + program.source())
                                .distinct()
                                .count()
                        < PeerProgram.wanted().size(),
                "one is compiled twice");
    }
}
