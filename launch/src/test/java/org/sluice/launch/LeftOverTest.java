package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the launcher removes for a rank that died: its segment, and nothing else that it names. */
@Timeout(60)
final class LeftOverTest {
    private static final long PATIENCE_MS = 20_000;
    private static final String DIGITS = "0123456789abcdef0123456789abcdef";

    @TempDir
    private Path folder;

    /** Returns when the launcher has seen the rank's death, before which it removes what the rank named. */
    private static void dieNaming(String path) throws Exception {
        try (JobServer server = JobServer.start(2);
                JobBootstrap other = JobBootstrap.connect(server.address(), 0, 2, PATIENCE_MS)) {
            CompletableFuture<Integer> lost = new CompletableFuture<>();
            other.onRankLost(lost::complete);
            try (UnixSocket dying = UnixSocket.connect(server.address().text())) {
                dying.getOutputStream().write(Hello.frame(Hello.ROLE_RANK, 1, 1, 2, SluiceVersion.CURRENT));
                ByteBuffer answer =
                        JobServerTest.read(new DataInputStream(dying.getInputStream()), Frame.TEXT_LIMIT_BYTES);
                assertEquals(Frame.WELCOME, answer.get());
                dying.getOutputStream()
                        .write(new Frame.Writer(Frame.PUT)
                                .text(Bootstrap.LEFT_OVER)
                                .bytes(path.getBytes(StandardCharsets.UTF_8))
                                .finish());
            }
            assertEquals(1, lost.get(20, TimeUnit.SECONDS));
        }
    }

    private static void assertStays(Path file) throws Exception {
        dieNaming(file.toString());
        assertTrue(Files.exists(file, LinkOption.NOFOLLOW_LINKS), file + " was removed");
    }

    private String name(String digits) throws IOException {
        return "sluice-" + Files.getAttribute(folder, "unix:uid") + "-" + digits;
    }

    @Test
    void aSegmentIsRemoved() throws Exception {
        Path segment = Files.createFile(folder.resolve(name(DIGITS)));
        dieNaming(segment.toString());
        assertFalse(Files.exists(segment));
    }

    @Test
    void aFileOfAnotherNameStays() throws Exception {
        assertStays(Files.createFile(folder.resolve("notes.txt")));
        assertStays(Files.createFile(folder.resolve(name(DIGITS) + ".txt")));
        assertStays(Files.createFile(folder.resolve(name("00ab12"))));
    }

    @Test
    void whatIsNamedAfterAnotherUserThanItsOwnerStays() throws Exception {
        assertStays(Files.createFile(folder.resolve("sluice-987654-" + DIGITS)));
    }

    @Test
    void whatIsNoFileStays() throws Exception {
        assertStays(
                Files.createSymbolicLink(folder.resolve(name(DIGITS)), Files.createFile(folder.resolve("elsewhere"))));
        assertStays(Files.createDirectory(folder.resolve(name(DIGITS.replace('0', 'f')))));
    }

    @Test
    void whatIsNoPathDisturbsNobody() throws Exception {
        for (String path : new String[] {
            "", "/", "\0", folder.resolve("missing").resolve(name(DIGITS)).toString()
        }) {
            dieNaming(path);
        }
    }

    @Test
    void noRankIsToldOfIt() {
        try (JobServer server = JobServer.start(1);
                JobBootstrap rank = JobBootstrap.connect(server.address(), 0, 1, PATIENCE_MS)) {
            rank.put(Bootstrap.LEFT_OVER, new byte[1]);
            rank.put("other", new byte[1]);
            rank.fence(PATIENCE_MS);
            assertNull(rank.get(0, Bootstrap.LEFT_OVER));
            assertEquals(1, rank.get(0, "other").length);
        }
    }
}
