package org.sluice.jni;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Native code is loaded from no folder in which another user could put a library of his in the place of ours. */
@Tag("once")
final class UnsafeFolderTest {

    private static final int STRANGER = 54_321;

    /** Not JUnit's, which are closed to others, so that what is below is safe. */
    private Path open;

    private Path folder;

    @BeforeEach
    void makeFolders() throws IOException {
        open = Files.createTempDirectory("sluice-open-");
        Files.setAttribute(open, "unix:mode", 0755);
        folder = Files.createDirectory(open.resolve("tmp"));
    }

    @AfterEach
    void removeFolders() throws IOException {
        Files.deleteIfExists(open.resolve("link"));
        Files.delete(folder);
        Files.delete(open);
    }

    private static NativeLibrary load(Path... directories) {
        return NativeLibrary.load("os", Platform.current(), List.of(directories), Map.of(), Map.of());
    }

    private void assertRefused(String why) throws IOException {
        NativeLibrary refused = load(folder);
        assertFalse(refused.loaded());
        assertTrue(refused.reason().contains(why + ", who could put code of his own there"), refused.reason());
        try (Stream<Path> left = Files.list(folder)) {
            assertEquals(List.of(), left.toList());
        }
    }

    private static void chown(Path path, int user) throws IOException {
        assumeTrue(Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0), "only root can give a folder away");
        Files.setAttribute(path, "unix:uid", user, LinkOption.NOFOLLOW_LINKS);
    }

    @Test
    void oneThatAnybodyMayWriteIsRefusedUnlessItIsSticky() throws IOException {
        Files.setAttribute(folder, "unix:mode", 0777);
        assertRefused(folder.toRealPath() + " may be written by other users and isn't sticky (mode 777)");
        Files.setAttribute(folder, "unix:mode", 0770);
        assertRefused("may be written by other users and isn't sticky (mode 770)");
        Files.setAttribute(folder, "unix:mode", 01777);
        NativeLibrary library = load(folder);
        assertTrue(library.loaded(), library.reason());
    }

    @Test
    void soIsOneBelowSuchAFolder() throws IOException {
        Files.setAttribute(open, "unix:mode", 0777);
        assertRefused(open.toRealPath() + " may be written by other users and isn't sticky (mode 777)");
    }

    @Test
    void soIsAnothersAlsoBehindALink() throws IOException {
        chown(folder, STRANGER);
        assertRefused(folder.toRealPath() + " belongs to another user (number " + STRANGER + ")");
        Path link = Files.createSymbolicLink(open.resolve("link"), folder);
        NativeLibrary refused = load(link);
        assertFalse(refused.loaded());
        assertTrue(refused.reason().contains("belongs to another user"), refused.reason());
    }

    /** As the home of a user whose umask is 002. */
    @Test
    void whereNobodyElseGetsToAllIsWell() throws IOException {
        Files.setAttribute(open, "unix:mode", 0700);
        Files.setAttribute(folder, "unix:mode", 0777);
        NativeLibrary library = load(folder);
        assertTrue(library.loaded(), library.reason());
    }

    /** Where a namespace of users has no number for root, what is his seems to be nobody's. */
    @Test
    void rootIsKnownWhereANumberStandsForHim() throws IOException {
        assertTrue(SafeFolder.isRootKnown("         0          0 4294967295\n"));
        assertTrue(SafeFolder.isRootKnown("0 1000 1\n1 0 1\n"));
        assertFalse(SafeFolder.isRootKnown("0 1000 1\n1 100000 65536\n"));
        assertTrue(SafeFolder.mayBeRoots(0));
        // Here root is known, and nobody is only himself.
        assertFalse(SafeFolder.mayBeRoots(65_534));
        assertFalse(SafeFolder.mayBeRoots(STRANGER));
    }

    @Test
    void theNextFolderIsTaken() throws IOException {
        Files.setAttribute(folder, "unix:mode", 0777);
        Path other = Files.createTempDirectory("sluice-safe-");
        try {
            NativeLibrary library = load(folder, other);
            assertTrue(library.loaded(), library.reason());
        } finally {
            Files.delete(other);
        }
    }
}
