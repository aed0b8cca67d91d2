package org.sluice.shm.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.option.Options;

/** What isn't the peer's segment is refused with what was found and what was expected; and no names stay behind. */
final class SegmentRefusalTest {
    @TempDir
    Path directory;

    private SegmentChannel[] channels;
    private Path victim;

    @BeforeEach
    void createTwo() {
        channels = Segments.create(2, Segments.options("sluice.shm.dir", directory.toString()), Segments.os());
        victim = Path.of(facts().path());
    }

    @AfterEach
    void closeAndLookForNames() throws IOException {
        for (SegmentChannel channel : channels) {
            channel.close();
        }
        assertEquals(List.of(), names("sluice-"));
    }

    private List<String> names(String prefix) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(path -> path.getFileName().toString())
                    .filter(name -> name.startsWith(prefix))
                    .collect(Collectors.toList());
        }
    }

    private SegmentFacts facts() {
        return SegmentFacts.decode(1, channels[1].facts());
    }

    private void refused(byte[] facts, String... words) {
        SluiceException refusal = assertThrows(SluiceException.class, () -> channels[0].connect(1, facts));
        assertEquals(ErrorCode.OPEN_FAILED, refusal.code());
        assertEquals(1, refusal.peer());
        for (String word : words) {
            assertTrue(refusal.getMessage().contains(word), "\"" + word + "\" is missing in: " + refusal.getMessage());
        }
    }

    private void overwrite(long at, byte... bytes) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(victim.toFile(), "rw")) {
            file.seek(at);
            file.write(bytes);
        }
    }

    private byte[] factsWithPath(Path path) {
        SegmentFacts facts = facts();
        return new SegmentFacts(
                        facts.rank(),
                        path.toString(),
                        facts.device(),
                        facts.inode(),
                        facts.uid(),
                        facts.nonce(),
                        facts.layout(),
                        facts.peers(),
                        facts.pid(),
                        facts.probeAddress(),
                        facts.probeValue())
                .encode();
    }

    @Test
    void segmentsAreTheirOwnersAloneAndHaveNamesThatNobodyGuesses() throws IOException {
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(victim)));
        List<String> names = names("sluice-");
        assertEquals(2, names.size());
        for (String name : names) {
            assertTrue(name.matches("sluice-\\d+-[0-9a-f]{32}"), name);
        }
        assertEquals(2, names.stream().distinct().count());
    }

    @Test
    void wrongMagicVersionSizesRankAndNonce() throws IOException {
        overwrite(SegmentLayout.NONCE_AT, (byte) 1, (byte) 2, (byte) 3);
        refused(channels[1].facts(), "nonce", "instead of");
        overwrite(SegmentLayout.RANK_AT, (byte) 9);
        refused(channels[1].facts(), "rank 9 instead of 1");
        overwrite(SegmentLayout.PAYLOAD_AT, (byte) 1);
        refused(channels[1].facts(), "payload bytes of a ring");
        overwrite(SegmentLayout.VERSION_AT, (byte) 99);
        refused(channels[1].facts(), "protocol version 99 instead of " + SegmentLayout.PROTOCOL_VERSION);
        overwrite(SegmentLayout.MAGIC_AT, (byte) 0);
        refused(channels[1].facts(), "magic number");
    }

    @Test
    void aVersionInTheFactsThatIsNotOurs() {
        byte[] facts = channels[1].facts();
        int other = SegmentLayout.PROTOCOL_VERSION + 1;
        facts[3] = (byte) other;
        refused(facts, "version " + other, "version " + SegmentLayout.PROTOCOL_VERSION);
    }

    @Test
    void aFileThatWasCutShort() throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(victim.toFile(), "rw")) {
            file.setLength(10_000);
        }
        refused(
                channels[1].facts(),
                "size 10000 instead of at least " + facts().layout().bytes());
    }

    @Test
    void aFileThatOthersMayRead() throws IOException {
        Files.setPosixFilePermissions(victim, PosixFilePermissions.fromString("rw-r--r--"));
        refused(channels[1].facts(), "permissions 0644 instead of 0600");
    }

    @Test
    void aFileOfAnotherUser() throws IOException {
        try {
            Files.setAttribute(victim, "unix:uid", 12345);
        } catch (IOException e) {
            assumeTrue(false, "only root can give files away: " + e);
        }
        refused(channels[1].facts(), "owner 12345 instead of");
    }

    @Test
    void aSymbolicLinkAnotherFileAndNone() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("link"), victim);
        refused(factsWithPath(link), "is refused");
        Path copy = Files.copy(victim, directory.resolve("copy"));
        Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rw-------"));
        refused(factsWithPath(copy), "inode", "instead of " + facts().inode());
        refused(factsWithPath(directory.resolve("nothing")), "NoSuchFile");
    }

    @Test
    void aSegmentWithoutARingForUs() {
        SegmentFacts facts = facts();
        byte[] others = new SegmentFacts(
                        facts.rank(),
                        facts.path(),
                        facts.device(),
                        facts.inode(),
                        facts.uid(),
                        facts.nonce(),
                        facts.layout(),
                        new int[] {7},
                        facts.pid(),
                        facts.probeAddress(),
                        facts.probeValue())
                .encode();
        refused(others, "no ring for rank 0", "[7]");
    }

    @Test
    void aDirectoryThatIsNone() {
        SluiceException refusal = assertThrows(
                SluiceException.class,
                () -> SegmentChannel.create(
                        "job",
                        0,
                        2,
                        new int[] {1},
                        Segments.options(
                                "sluice.shm.dir", directory.resolve("nowhere").toString()),
                        Segments.os()));
        assertTrue(refusal.getMessage().contains("nowhere is no directory"), refusal.getMessage());
    }

    @Test
    void peersThatCannotBe() {
        for (int[] peers : new int[][] {{0}, {2}, {-1}, {1, 1}}) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> SegmentChannel.create("job", 0, 2, peers, Segments.options(), Segments.os()));
        }
    }

    @Test
    void unlinkingTwiceIsOnceAndWhatIsConnectedLivesOn() {
        Segments.connect(channels);
        channels[0].unlink();
        channels[0].unlink();
        channels[1].unlink();
        assertFalse(Files.exists(victim));
        org.sluice.device.channel.TestRank[] ranks = Segments.ranks(channels);
        ranks[0].send(1, 5, new byte[100]);
        assertEquals(5, ranks[1].receive().tag());
    }

    @Test
    void aNameThatIsTakenIsRefusedAndLeftAlone() {
        Options here = Segments.options("sluice.shm.dir", directory.toString());
        try (SegmentChannel first = SegmentChannel.create("job", 0, 2, new int[] {1}, here, Segments.os())) {
            Path taken = Path.of(SegmentFacts.decode(0, first.facts()).path());
            SluiceException refusal = assertThrows(
                    SluiceException.class,
                    () -> SegmentChannel.create("job", 0, 2, new int[] {1}, here, Segments.os()));
            assertTrue(refusal.getMessage().contains("FileAlreadyExists"), refusal.getMessage());
            assertTrue(Files.exists(taken), "somebody else's segment was removed");
        }
    }
}
