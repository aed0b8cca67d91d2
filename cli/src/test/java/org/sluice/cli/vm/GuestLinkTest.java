package org.sluice.cli.vm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs inside each of two guests: they are two machines, and a wire is between them. */
@Tag("long")
@Tag("verbs-nodes")
final class GuestLinkTest {
    private static final int PORT = 7100;
    private static final int CONNECT_LIMIT_MS = 90_000;

    private final int node = Integer.parseInt(System.getenv("SLUICE_VM_NODE"));

    /** Node 0 waits for the other, whose JVM may start much later. */
    private Socket connect() throws IOException, InterruptedException {
        if (node == 0) {
            try (ServerSocket server = new ServerSocket(PORT, 1, InetAddress.getByName("10.9.0.1"))) {
                server.setSoTimeout(CONNECT_LIMIT_MS);
                return server.accept();
            }
        }
        for (int waitedMs = 0; ; waitedMs += 100) {
            try {
                Socket socket = new Socket();
                socket.connect(new InetSocketAddress("10.9.0.1", PORT), CONNECT_LIMIT_MS);
                return socket;
            } catch (IOException e) {
                if (waitedMs >= CONNECT_LIMIT_MS) {
                    throw e;
                }
                Thread.sleep(100);
            }
        }
    }

    @Test
    void twoMachinesMeet() throws Exception {
        String machine =
                Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
        try (Socket socket = connect();
                InputStream in = socket.getInputStream();
                OutputStream out = socket.getOutputStream()) {
            out.write(machine.getBytes(StandardCharsets.US_ASCII));
            out.flush();
            String other = new String(in.readNBytes(machine.length()), StandardCharsets.US_ASCII);
            assertEquals(machine.length(), other.length());
            assertNotEquals(machine, other);
            assertEquals("10.9.0." + (2 - node), socket.getInetAddress().getHostAddress());
        }
    }
}
