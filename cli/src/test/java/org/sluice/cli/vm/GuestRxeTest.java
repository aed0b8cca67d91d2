package org.sluice.cli.vm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs inside a guest: what the tests of verbs find there. */
@Tag("all")
@Tag("verbs")
final class GuestRxeTest {
    private static final Path PORT = Path.of("/sys/class/infiniband/rxe0/ports/1");

    @Test
    void thePortIsActiveOverEthernet() throws IOException {
        assertEquals("4: ACTIVE", Files.readString(PORT.resolve("state")).strip());
        assertEquals("Ethernet", Files.readString(PORT.resolve("link_layer")).strip());
    }

    @Test
    void theSecondGidIsTheAddress() throws Exception {
        int node = Integer.parseInt(System.getenv("SLUICE_VM_NODE"));
        String gid = Files.readString(PORT.resolve("gids/1")).strip();
        assertEquals(InetAddress.getByName("10.9.0." + (1 + node)), InetAddress.getByName(gid));
        assertEquals(
                "RoCE v2", Files.readString(PORT.resolve("gid_attrs/types/1")).strip());
    }

    @Test
    void userSpaceCanReachTheDevice() {
        assertTrue(Files.isWritable(Path.of("/dev/infiniband/uverbs0")));
        assertTrue(Files.isWritable(Path.of("/dev/infiniband/rdma_cm")));
    }

    @Test
    void memoryMayBeLocked() throws IOException {
        String limit = Files.readAllLines(Path.of("/proc/self/limits")).stream()
                .filter(line -> line.startsWith("Max locked memory"))
                .findFirst()
                .orElseThrow();
        assertTrue(limit.matches("Max locked memory\\s+unlimited\\s+unlimited\\s+bytes\\s*"), limit);
    }

    @Test
    void theGuestKnowsItsOwnName() throws Exception {
        assertEquals(
                "10.9.0." + (1 + Integer.parseInt(System.getenv("SLUICE_VM_NODE"))),
                InetAddress.getLocalHost().getHostAddress());
    }
}
