package org.sluice.device.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** That the machines of {@code tools/nodes.sh} are as apart as real ones, and as reachable. */
@Tag("once")
final class NodesTest {
    private static final int SSH = 22;
    private static final int PATIENCE_MS = 5000;

    @Test
    void nodesAreApartAndReachEachOther() throws Exception {
        String network;
        try (Nodes nodes = Nodes.start(2)) {
            assertEquals("node0\n", nodes.shell(0, "hostname").output());
            assertEquals(
                    "127.0.1.1 node1\n",
                    nodes.shell(1, "grep '^127.*node' /etc/hosts").output());
            assertEquals("node1\n", nodes.ssh(1, "hostname").output(), "from this machine");
            String ssh = String.join(" ", nodes.ssh());
            assertEquals("node1\n", nodes.shell(0, ssh + " node1 hostname").output(), "from the other");
            for (String folder : new String[] {"/dev/shm", "/tmp", "/run"}) {
                String look = "stat -c '%d %i' " + folder;
                String here = Files.getAttribute(Path.of(folder), "unix:dev") + " "
                        + Files.getAttribute(Path.of(folder), "unix:ino") + "\n";
                assertNotEquals(here, nodes.shell(0, look).output(), folder);
                assertNotEquals(
                        nodes.shell(0, look).output(), nodes.shell(1, look).output(), folder);
                assertEquals(nodes.shell(1, look).output(), nodes.ssh(1, look).output(), folder);
            }
            network = nodes.shell(1, "readlink /proc/self/ns/net").output().strip();
            assertTrue(isInUse(network));
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(nodes.address(1), SSH), PATIENCE_MS);
            }
            nodes.down(1);
            assertNotEquals(
                    0,
                    nodes.shell(0, "timeout 0.3 bash -c '</dev/tcp/node1/22'").status());
            nodes.up(1);
            assertEquals(
                    0, nodes.shell(0, "timeout 5 bash -c '</dev/tcp/node1/22'").status());
        }
        assertFalse(isInUse(network), "by a process after the end");
    }

    @Test
    void nodesMayHaveNothingButIpv6() throws Exception {
        try (Nodes nodes = Nodes.startIpv6Only(1)) {
            assertEquals(
                    "0\n", nodes.shell(0, "ip -4 address show eth0 | wc -l").output());
            assertTrue(nodes.address(0).contains(":"), nodes.address(0));
            assertEquals("node0\n", nodes.ssh(0, "hostname").output());
        }
    }

    private static boolean isInUse(String network) {
        return ProcessHandle.allProcesses().anyMatch(process -> {
            try {
                return Files.readSymbolicLink(Path.of("/proc/" + process.pid() + "/ns/net"))
                        .toString()
                        .equals(network);
            } catch (IOException e) {
                return false;
            }
        });
    }
}
