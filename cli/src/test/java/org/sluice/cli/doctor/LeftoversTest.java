package org.sluice.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.jni.os.Os;
import org.sluice.launch.JavaHome;

/** Only what a dead job of this user left is found and removed. */
@Timeout(60)
final class LeftoversTest {
    @TempDir
    private Path folder;

    private long uid;

    /** A process that holds a segment's lock until it is killed. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] args) throws Exception {
            try (FileChannel channel = FileChannel.open(Path.of(args[0]), StandardOpenOption.WRITE)) {
                FileLock lock = channel.tryLock(0, 1, false);
                System.out.println(lock.isValid());
                Thread.sleep(60_000);
            }
        }
    }

    @BeforeEach
    void whoAmI() throws IOException {
        uid = ((Number) Files.getAttribute(Path.of("/proc/self"), "unix:uid")).longValue();
    }

    private Path segment(String name) throws IOException {
        Path file = Files.writeString(folder.resolve(name), "segment");
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(60)));
        return file;
    }

    @Test
    void onlyOldUnlockedSegmentsOfThisUserAreRemoved() throws Exception {
        Path dead = segment("sluice-" + uid + "-00ab12");
        segment("sluice-" + (uid + 1) + "-00ab12");
        segment("sluice-" + uid + "-notes.txt");
        segment("sluice-" + uid + "-");
        Path young = segment("sluice-" + uid + "-ff");
        Files.setLastModifiedTime(young, FileTime.from(Instant.now()));
        Path elsewhere = segment("precious");
        Files.createSymbolicLink(folder.resolve("sluice-" + uid + "-aa"), elsewhere);
        Files.createDirectory(folder.resolve("sluice-" + uid + "-bb"));
        Leftovers leftovers = new Leftovers(folder);
        assertEquals(List.of(dead), leftovers.find());
        Finding finding = leftovers.examine().get(0);
        assertTrue(
                finding.text().startsWith("1 of dead jobs") && finding.advice().contains("--clean"),
                finding.toString());
        assertEquals(List.of(dead), leftovers.clean());
        assertEquals(List.of(), leftovers.clean());
        try (var files = Files.list(folder)) {
            assertEquals(7, files.count());
        }
        assertEquals(Finding.Level.OK, leftovers.examine().get(0).level());
    }

    @Test
    void aSegmentIsSparedWhileItsOwnerLivesAndRemovedAfterItsDeath() throws Exception {
        Path segment = segment("sluice-" + uid + "-5e9");
        Process owner = new ProcessBuilder(
                        JavaHome.current().command(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        segment.toString())
                .redirectErrorStream(true)
                .start();
        try {
            assertEquals("true", owner.inputReader().readLine());
            assertEquals(List.of(), new Leftovers(folder).clean());
        } finally {
            owner.destroyForcibly();
            assertTrue(owner.waitFor(20, TimeUnit.SECONDS));
        }
        assertEquals(List.of(segment), new Leftovers(folder).clean());
    }

    /** A listing that fails on its way, as one over the network can. */
    private static final class BrokenListing implements DirectoryStream<Path> {
        private boolean closed;

        @Override
        public Iterator<Path> iterator() {
            throw new DirectoryIteratorException(new IOException("Input/output error"));
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @Test
    void thisUserIsKnownWithoutProc() throws Exception {
        assumeTrue(Os.available(), "needs the native library");
        Path dead = segment("sluice-" + uid + "-00ab12");
        assertEquals(List.of(dead), new Leftovers(folder, Os.calls(), folder.resolve("proc/self")).find());
    }

    @Test
    void thisUserIsKnownWithoutTheNativeLibrary() throws Exception {
        Path dead = segment("sluice-" + uid + "-00ab12");
        assertEquals(List.of(dead), new Leftovers(folder, Os.none(), Path.of("/proc/self")).find());
    }

    @Test
    void nothingIsTouchedWhereThisUserIsUnknown() throws Exception {
        Path dead = segment("sluice-" + uid + "-00ab12");
        Path self = folder.resolve("proc/self");
        Leftovers leftovers = new Leftovers(folder, Os.none(), self);
        Finding finding = leftovers.examine().get(0);
        assertEquals(Finding.Level.INFORMATION, finding.level());
        assertTrue(
                finding.text().startsWith("could not be looked for in " + folder + ": this user's number is unknown")
                        && finding.text().contains("NoSuchFileException " + self),
                finding.text());
        assertThrows(IOException.class, leftovers::clean);
        assertTrue(Files.exists(dead));
    }

    @Test
    void aListingThatFailsOnItsWayIsAnIoExceptionAndClosed() {
        BrokenListing broken = new BrokenListing();
        IOException failure = assertThrows(IOException.class, () -> Leftovers.all(broken));
        assertEquals("Input/output error", failure.getMessage());
        assertTrue(broken.closed);
    }

    @Test
    void aFolderThatIsNotThereHasNone() throws Exception {
        assertEquals(List.of(), new Leftovers(folder.resolve("none")).clean());
    }
}
