package org.sluice.hybrid.launch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.option.Option;

/** Jobs that are met by an address and a token which somebody chose; 127.0.0.2 is an address of this machine like any other. */
@Timeout(60)
final class MeetingPlaceTest {
    private static final String TOKEN = "0123456789abcdef";
    private static final long PATIENCE_MS = 20_000;

    /** Nobody beyond this machine reaches a job that chose no address, and here nobody by another of the machine's. */
    @Test
    void withoutOneAJobListensOnLoopbackAlone() throws Exception {
        try (JobServer server = JobServer.start(1)) {
            JobAddress address = server.address();
            assertEquals("127.0.0.1", address.host());
            List<InetAddress> others = new ArrayList<>(List.of(InetAddress.getByName("127.0.0.2"), InetAddress.getByName("::1")));
            for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
                Collections.list(each.getInetAddresses()).stream().filter(one -> !one.isLoopbackAddress()).forEach(others::add);
            }
            for (InetAddress other : others) {
                try (Socket socket = new Socket(Proxy.NO_PROXY)) {
                    // Refused; or, where the machine has no IPv6 at all, without a route.
                    assertThrows(SocketException.class, () -> socket.connect(new InetSocketAddress(other, address.port()), 5000), other::toString);
                }
            }
            try (Socket socket = new Socket(Proxy.NO_PROXY)) {
                socket.connect(new InetSocketAddress(address.host(), address.port()), 5000);
            }
        }
    }

    @Test
    void ranksMeetByAddressAndToken() throws Exception {
        try (JobServer server = JobServer.start(2, MeetingPlace.of("127.0.0.2:0", TOKEN))) {
            String address = server.options(0, 1).get(Option.JOB_ADDRESS.property());
            assertTrue(address.startsWith("127.0.0.2:"), address);
            JobAddress elsewhere = JobAddress.parse(address, TOKEN);
            try (TcpBootstrap one = TcpBootstrap.connect(elsewhere, 0, 2, PATIENCE_MS);
                    TcpBootstrap other = TcpBootstrap.connect(elsewhere, 1, 2, PATIENCE_MS)) {
                one.put("name", new byte[] {7});
                CompletableFuture<Void> fence = CompletableFuture.runAsync(() -> one.fence(PATIENCE_MS));
                other.fence(PATIENCE_MS);
                fence.get(20, TimeUnit.SECONDS);
                assertArrayEquals(new byte[] {7}, other.get(0, "name"));
            }
            JobAddress wrong = JobAddress.parse(address, TOKEN + "0");
            SluiceException refused = assertThrows(SluiceException.class, () -> TcpBootstrap.connect(wrong, 0, 2, PATIENCE_MS));
            assertTrue(refused.getMessage().contains("SLUICE_JOB_TOKEN"), refused.getMessage());
        }
    }

    @ParameterizedTest
    @CsvSource({"10.0.0.1, HOST:PORT", "10.0.0.1:, HOST:PORT", ":7000, HOST:PORT", "10.0.0.1:65536, HOST:PORT", "10.0.0.1:-1, HOST:PORT",
        "0.0.0.0:7000, one address", "no.such.host.invalid:7000, no such host"})
    void aPlaceThatIsNoneIsRefused(String place, String said) {
        String message = assertThrows(IllegalArgumentException.class, () -> MeetingPlace.of(place, TOKEN)).getMessage();
        assertTrue(message.contains(place) && message.contains(said), message);
    }

    @Test
    void aSecretIsNeededThatNobodyGuesses() {
        for (String none : new String[] {null, ""}) {
            String missing = assertThrows(IllegalArgumentException.class, () -> MeetingPlace.of("127.0.0.2:0", none)).getMessage();
            assertTrue(missing.contains("SLUICE_JOB_TOKEN"), missing);
        }
        String weak = assertThrows(IllegalArgumentException.class, () -> MeetingPlace.of("127.0.0.2:0", "letmein")).getMessage();
        assertTrue(weak.contains("7 characters") && !weak.contains("letmein"), weak);
    }

    @Test
    void whereNobodyCanListenIsSaid() throws Exception {
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.2"), 0));
            String place = "127.0.0.2:" + taken.getLocalPort();
            String message = assertThrows(UncheckedIOException.class, () -> JobServer.start(1, MeetingPlace.of(place, TOKEN))).getMessage();
            assertTrue(message.contains("port " + taken.getLocalPort()), message);
        }
        String message = assertThrows(UncheckedIOException.class, () -> JobServer.start(1, MeetingPlace.of("192.0.2.1:0", TOKEN))).getMessage();
        assertTrue(message.contains("192.0.2.1"), message);
    }

    @Test
    void aRankThatNeverComesIsNamed() {
        try (JobServer server = JobServer.start(2, MeetingPlace.of("127.0.0.2:0", TOKEN));
                TcpBootstrap alone = TcpBootstrap.connect(server.address(), 0, 2, PATIENCE_MS)) {
            SluiceException failure = assertThrows(SluiceException.class, () -> alone.fence(300));
            assertEquals(ErrorCode.OPEN_FAILED, failure.code());
            assertTrue(failure.getMessage().contains("rank 1 did not open a device"), failure.getMessage());
        }
    }
}
