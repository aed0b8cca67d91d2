package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluice.device.SluiceException;

/** A last word counts where the launcher has answered it, and from the JVM alone in which the rank lives. */
@Timeout(60)
final class LastWordTest {
    private static JvmLine jvm(JobServer server, int first, int ranks) {
        return JvmLine.hold(server.address(), first, ranks, 4, true);
    }

    @Test
    void aServerThatTookItHasHeard() {
        try (JobServer server = JobServer.start(4)) {
            JvmLine line = jvm(server, 1, 2);
            assertTrue(line.lastWord(1, null, "", false));
            assertTrue(line.lastWord(2, new Blame(0, true), "", true));
            assertEquals(new Blame(0, true), server.ends().blame(2));
            assertTrue(server.ends().areOver(1, 2));
        }
    }

    @Test
    void noTerminalObeysIt() {
        try (JobServer server = JobServer.start(4)) {
            assertTrue(jvm(server, 0, 1).lastWord(0, null, "NO_MEMORY: \u001b[2J", true));
            assertEquals("NO_MEMORY: ?[2J", server.ends().reason(0));
        }
    }

    @Test
    void ofARankThatLivesElsewhereNobodyMaySayIt() {
        try (JobServer server = JobServer.start(4)) {
            assertFalse(jvm(server, 1, 2).lastWord(3, new Blame(0, true), "", true));
            assertFalse(jvm(server, 0, 1).lastWord(4, null, "", true), "there is no rank 4");
            assertNull(server.ends().blame(3));
            assertFalse(server.ends().areOver(3, 1));
        }
    }

    @Test
    void norMayARankItself() throws IOException {
        try (JobServer server = JobServer.start(4);
                UnixSocket rank = JobServerTest.greeted(server, 0, 4)) {
            rank.getOutputStream()
                    .write(new Frame.Writer(Frame.LAST_WORD)
                            .number(1)
                            .number(0)
                            .flag(1)
                            .flag(1)
                            .text("")
                            .finish());
            assertEquals("a frame of unknown kind 8", JobServerTest.refusal(rank));
            assertNull(server.ends().blame(1));
        }
    }

    @Test
    void aRankHasOneJvm() {
        try (JobServer server = JobServer.start(4)) {
            jvm(server, 1, 2);
            for (int first : new int[] {0, 1, 2}) {
                String refused = assertThrows(SluiceException.class, () -> jvm(server, first, 2))
                        .getMessage();
                assertTrue(refused.contains(" lives in another JVM"), refused);
            }
            assertTrue(jvm(server, 3, 1).lastWord(3, null, "", false));
            assertTrue(jvm(server, 0, 1).lastWord(0, null, "", false));
        }
    }

    @Tag("once")
    @Test
    void aServerThatDoesNotAnswerHasNot() throws Exception {
        try (UnixSocket.Server silent = new UnixSocket.Server(1)) {
            CompletableFuture<UnixSocket> greeting = CompletableFuture.supplyAsync(() -> {
                try {
                    UnixSocket socket = silent.accept();
                    JobServerTest.read(new DataInputStream(socket.getInputStream()), Frame.HELLO_LIMIT_BYTES);
                    socket.getOutputStream()
                            .write(new Frame.Writer(Frame.WELCOME).text("").finish());
                    return socket;
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            JvmLine line = JvmLine.hold(JobAddress.local(Path.of(silent.address())), 0, 1, 2, true);
            try (UnixSocket socket = greeting.get(10, TimeUnit.SECONDS)) {
                assertTrue(socket.isConnected());
                assertFalse(line.lastWord(0, null, "", true));
            }
        }
    }

    @Test
    void aServerThatHasEndedHasNot() {
        JobServer server = JobServer.start(4);
        JvmLine line = jvm(server, 1, 1);
        server.close();
        assertFalse(line.lastWord(1, null, "", true));
    }
}
