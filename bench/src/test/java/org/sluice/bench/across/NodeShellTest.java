package org.sluice.bench.across;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands that one node has another run, over a real connection of this machine. */
@Timeout(60)
final class NodeShellTest {
    private static final String SECRET = "0123456789abcdef";
    private static final int NO_WAY = 255;
    private static final long PATIENCE_MS = 20_000;
    private static final int SHORT_MS = 50;

    @TempDir
    private Path folder;

    private ServerSocket listening;
    private Thread server;
    private Way hold;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeEach
    void serve() throws IOException {
        listening = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        server = new Thread(() -> {
            try {
                new NodeServer(listening, SECRET).serve(PATIENCE_MS);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        server.start();
        hold = ask(List.of());
    }

    @AfterEach
    void end() throws Exception {
        hold.close();
        server.join();
        assertTrue(listening.isClosed(), "the server outlives its harness");
    }

    private Way ask(List<String> command) throws IOException {
        Way way = Way.to(new InetSocketAddress(InetAddress.getLoopbackAddress(), listening.getLocalPort()), SECRET);
        byte[] request = new Request("", command, Map.of()).encode();
        way.write(Way.REQUEST, request, request.length);
        return way;
    }

    private int shell(String secret, InputStream in, String... command) throws IOException {
        Path file = folder.resolve("nodes");
        Files.writeString(file, secret + "\n127.0.0.1 " + listening.getLocalPort() + "\n");
        String[] words = new String[2 + command.length];
        words[0] = file.toString();
        words[1] = "1";
        System.arraycopy(command, 0, words, 2, command.length);
        return NodeShell.run(words, in, new PrintStream(out, true), new PrintStream(err, true));
    }

    private static InputStream none() {
        return InputStream.nullInputStream();
    }

    @Test
    void aCommandHasItsStreamsAndItsStatus() throws IOException {
        byte[] input = "line\n".repeat(100_000).getBytes(StandardCharsets.UTF_8);
        int status = shell(SECRET, new ByteArrayInputStream(input), "sh", "-c", "cat; echo words >&2; exit 7");
        assertEquals(7, status);
        assertEquals(new String(input, StandardCharsets.UTF_8), out.toString());
        assertEquals("words\n", err.toString());
    }

    @Test
    void aCommandIsInTheSameFolderWithVariables() throws IOException {
        assertEquals(0, shell(SECRET, none(), "sh", "-c", "pwd; echo $HOME"));
        assertEquals(Path.of("").toAbsolutePath() + "\n" + System.getenv("HOME") + "\n", out.toString());
    }

    @Test
    void whatIsNoCommandSaysSo() throws IOException {
        assertEquals(127, shell(SECRET, none(), "/no/such/program"));
        assertTrue(err.toString().contains("/no/such/program"), err.toString());
    }

    @Test
    void whoDoesNotKnowTheSecretRunsNothing() throws IOException {
        Path trace = folder.resolve("trace");
        assertEquals(NO_WAY, shell("another", none(), "touch", trace.toString()));
        assertFalse(Files.exists(trace));
    }

    @Test
    void noiseDisturbsNobody() throws IOException {
        try (Socket noise = new Socket(InetAddress.getLoopbackAddress(), listening.getLocalPort())) {
            noise.getOutputStream().write(new byte[1000]);
            assertEquals(0, shell(SECRET, none(), "true"));
        }
    }

    @Test
    void whatIsSentIsNotSeen() throws IOException {
        try (ServerSocket watcher = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
            Thread client = new Thread(() -> {
                try (Way way = Way.to(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), watcher.getLocalPort()), SECRET)) {
                    byte[] request = new Request("", List.of("recognizable"), Map.of()).encode();
                    way.write(Way.REQUEST, request, request.length);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            client.start();
            try (Socket socket = watcher.accept()) {
                socket.getOutputStream().write(new byte[32]);
                String seen = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
                assertTrue(seen.length() > 64, "only " + seen.length() + " bytes came");
                assertFalse(seen.contains("recognizable") || seen.contains(SECRET), seen);
            }
        }
    }

    @Test
    void aCommandEndsWithItsConnection() throws Exception {
        try (Way way = ask(List.of("sh", "-c", "echo $$; sleep 1000; true"))) {
            String pid = new String(way.read().bytes(), StandardCharsets.US_ASCII);
            ProcessHandle shell = ProcessHandle.of(Long.parseLong(pid.strip())).orElseThrow();
            while (shell.descendants().findAny().isEmpty()) {
                Thread.onSpinWait();
            }
            List<ProcessHandle> family = shell.descendants().toList();
            way.close();
            shell.onExit().get(PATIENCE_MS, TimeUnit.MILLISECONDS);
            for (ProcessHandle child : family) {
                child.onExit().get(PATIENCE_MS, TimeUnit.MILLISECONDS);
            }
        }
    }

    @Test
    void commandsEndWithTheHarness() throws Exception {
        try (Way way = ask(List.of("sh", "-c", "echo $$; sleep 1000; true"))) {
            String pid = new String(way.read().bytes(), StandardCharsets.US_ASCII);
            ProcessHandle shell = ProcessHandle.of(Long.parseLong(pid.strip())).orElseThrow();
            hold.close();
            server.join();
            assertFalse(shell.isAlive(), "it outlives the server");
        }
    }

    @Test
    void aServerWaitsForItsHarnessOnlySoLong() throws IOException {
        try (ServerSocket alone = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
            IOException failure = assertThrows(IOException.class, () -> new NodeServer(alone, SECRET).serve(SHORT_MS));
            assertTrue(failure.getMessage().contains("no harness came"), failure.getMessage());
        }
    }

    @Test
    void whatBelongsToAJobOrToAMachineDoesNotTravel() {
        Map<String, String> sent = JobVariables.ofRace(Map.of(
                "SLUICE_VM_NODE",
                "0",
                "SLURM_PROCID",
                "0",
                "BENCH_TOKEN",
                "t",
                "AWS_SECRET",
                "x",
                "OMPI_MCA_ess",
                "y"));
        assertEquals(Map.of("BENCH_TOKEN", "t"), sent);
        Map<String, String> own = new HashMap<>(
                Map.of("SLUICE_VM_NODE", "1", "PMIX_RANK", "1", "SSH_CONNECTION", "a b", "JDK_JAVA_OPTIONS", "-Xint"));
        JobVariables.join(own, sent);
        assertEquals(Map.of("SLUICE_VM_NODE", "1", "BENCH_TOKEN", "t"), own);
    }
}
