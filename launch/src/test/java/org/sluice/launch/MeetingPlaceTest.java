package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;

/**
 * Jobs that are met by an address and a secret which somebody chose; 127.0.0.2 is an address of this machine like any
 * other.
 */
@Timeout(60)
final class MeetingPlaceTest {
    private static final String SECRET = "0123456789abcdef";
    private static final long PATIENCE_MS = 20_000;

    @TempDir
    private Path folder;

    private String secretFile;

    @BeforeEach
    void makeSecret() throws IOException {
        secretFile = JobSecretTest.file(folder, SECRET).toString();
    }

    private JobAddress elsewhere(String address, String file) {
        return JobAddress.of(
                Options.of(Map.of("sluice.job.address", address, "sluice.job.secret.file", file), Map.of(), Map.of()));
    }

    /** Nobody beyond this machine reaches a job that chose no address, nor another user on it. */
    @Test
    void withoutOneAJobHasNoPortAndNoSecret() throws Exception {
        List<String> before = portsOfThisJvm();
        try (JobServer server = JobServer.start(1);
                JobBootstrap rank = JobBootstrap.connect(server.address(), 0, 1, PATIENCE_MS)) {
            rank.fence(PATIENCE_MS);
            assertEquals(before, portsOfThisJvm());
            Path socket = Path.of(server.options(0, 1).get("sluice.job.address"));
            assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(socket.getParent())));
            assertEquals(
                    Set.of("sluice.job.address", "sluice.job.size", "sluice.job.rank", "sluice.job.jvm.ranks"),
                    server.options(0, 1).keySet());
        }
    }

    /** The network's sockets of this JVM that listen, by inode. */
    private static List<String> portsOfThisJvm() throws IOException {
        List<String> own = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path file : files) {
                try {
                    own.add(Files.readSymbolicLink(file).toString());
                } catch (IOException e) {
                    // It was of this listing.
                    continue;
                }
            }
        }
        List<String> listening = new ArrayList<>();
        for (String table : List.of("tcp", "tcp6")) {
            for (String line : Files.readAllLines(Path.of("/proc/self/net", table))) {
                String[] words = line.trim().split("\\s+");
                if (words[3].equals("0A") && own.contains("socket:[" + words[9] + "]")) {
                    listening.add(words[9]);
                }
            }
        }
        return listening;
    }

    @Test
    void ranksMeetByAddressAndSecret() throws Exception {
        try (JobServer server = JobServer.start(2, MeetingPlace.of("127.0.0.2:0", secretFile))) {
            String address = server.outerOptions(0, 1).get(Option.JOB_ADDRESS.property());
            assertTrue(address.startsWith("127.0.0.2:"), address);
            try (JobBootstrap one = JobBootstrap.connect(elsewhere(address, secretFile), 0, 2, PATIENCE_MS);
                    JobBootstrap other = JobBootstrap.connect(server.address(), 1, 2, PATIENCE_MS)) {
                one.put("name", new byte[] {7});
                CompletableFuture<Void> fence = CompletableFuture.runAsync(() -> one.fence(PATIENCE_MS));
                other.fence(PATIENCE_MS);
                fence.get(20, TimeUnit.SECONDS);
                assertArrayEquals(new byte[] {7}, other.get(0, "name"));
            }
            JobAddress wrong =
                    elsewhere(address, JobSecretTest.file(folder, SECRET + "0").toString());
            SluiceException refused =
                    assertThrows(SluiceException.class, () -> JobBootstrap.connect(wrong, 0, 2, PATIENCE_MS));
            assertTrue(refused.getMessage().contains("SLUICE_JOB_SECRET_FILE"), refused.getMessage());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1, HOST:PORT",
        "10.0.0.1:, HOST:PORT",
        ":7000, HOST:PORT",
        "10.0.0.1:65536, HOST:PORT",
        "10.0.0.1:-1, HOST:PORT",
        "0.0.0.0:7000, one address",
        "no.such.host.invalid:7000, no such host"
    })
    void aPlaceThatIsNoneIsRefused(String place, String said) {
        String message = assertThrows(IllegalArgumentException.class, () -> MeetingPlace.of(place, secretFile))
                .getMessage();
        assertTrue(message.contains(place) && message.contains(said), message);
    }

    @Test
    void aSecretIsNeeded() {
        for (String none : new String[] {null, ""}) {
            String missing = assertThrows(IllegalArgumentException.class, () -> MeetingPlace.of("127.0.0.2:0", none))
                    .getMessage();
            assertTrue(missing.contains("SLUICE_JOB_SECRET_FILE"), missing);
        }
        String rank = assertThrows(IllegalArgumentException.class, () -> elsewhere("127.0.0.2:7000", ""))
                .getMessage();
        assertTrue(rank.contains("SLUICE_JOB_SECRET_FILE"), rank);
    }

    @Test
    void whereNobodyCanListenIsSaid() throws Exception {
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.2"), 0));
            String place = "127.0.0.2:" + taken.getLocalPort();
            String message = assertThrows(
                            UncheckedIOException.class, () -> JobServer.start(1, MeetingPlace.of(place, secretFile)))
                    .getMessage();
            assertTrue(message.contains("port " + taken.getLocalPort()), message);
        }
        String message = assertThrows(
                        UncheckedIOException.class,
                        () -> JobServer.start(1, MeetingPlace.of("192.0.2.1:0", secretFile)))
                .getMessage();
        assertTrue(message.contains("192.0.2.1"), message);
    }

    @Test
    void aRankThatNeverComesIsNamed() {
        try (JobServer server = JobServer.start(2, MeetingPlace.of("127.0.0.2:0", secretFile));
                JobBootstrap alone = JobBootstrap.connect(server.outerAddress(), 0, 2, PATIENCE_MS)) {
            SluiceException failure = assertThrows(SluiceException.class, () -> alone.fence(300));
            assertEquals(ErrorCode.OPEN_FAILED, failure.code());
            assertTrue(failure.getMessage().contains("rank 1 did not open a device"), failure.getMessage());
        }
    }
}
