package org.sluice.hybrid.launch;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A last word counts where the launcher has answered it. */
@Timeout(60)
final class LastWordTest {
    private static boolean tell(JobAddress address, int rank) {
        return LastWord.tell(address, rank, 2, null, "", true);
    }

    @Test
    void aServerThatTookItHasHeard() {
        try (JobServer server = JobServer.start(2)) {
            assertTrue(tell(server.address(), 1));
        }
    }

    @Test
    void aServerThatRefusesItHasNot() {
        try (JobServer server = JobServer.start(2)) {
            assertFalse(tell(server.address(), 2), "there is no rank 2");
        }
    }

    @Tag("once")
    @Test
    void aServerThatDoesNotAnswerHasNot() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertFalse(tell(new JobAddress("127.0.0.1", silent.getLocalPort(), "token"), 1));
        }
    }

    @Test
    void aServerThatHasEndedHasNot() {
        JobServer server = JobServer.start(2);
        JobAddress address = server.address();
        server.close();
        assertFalse(tell(address, 1));
    }

    /** A program's proxy knows no launchers. */
    @Test
    void noProxyIsAsked() {
        ProxySelector before = ProxySelector.getDefault();
        try (JobServer server = JobServer.start(2)) {
            ProxySelector.setDefault(new DeadProxy());
            assertTrue(tell(server.address(), 1));
        } finally {
            ProxySelector.setDefault(before);
        }
    }

    private static final class DeadProxy extends ProxySelector {
        @Override
        public List<Proxy> select(URI uri) {
            return List.of(new Proxy(Proxy.Type.SOCKS, new InetSocketAddress("127.0.0.1", 1)));
        }

        @Override
        public void connectFailed(URI uri, SocketAddress address, IOException failure) {
        }
    }
}
