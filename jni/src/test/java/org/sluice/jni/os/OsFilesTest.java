package org.sluice.jni.os;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.jni.Errno;
import org.sluice.jni.Tmpfs;

final class OsFilesTest {

    private static final int REGULAR_FILE = 0100000;
    private static final long MEGABYTE = 1 << 20;

    private final OsCalls os = Os.calls();

    @TempDir
    private Path directory;

    @Test
    void createsOnlyWhatWasNotThere() throws Exception {
        Path file = directory.resolve("datei-ä");
        int fd = os.openExclusive(NativePath.of(file), 0600);
        assertTrue(fd >= 0, Errno.describe("openExclusive", fd));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        assertEquals(-Errno.EEXIST, os.openExclusive(NativePath.of(file), 0600));
        int second = os.openExisting(NativePath.of(file));
        assertTrue(second >= 0, Errno.describe("openExisting", second));
        assertEquals(0, os.close(second));
        assertEquals(-Errno.EBADF, os.close(second));
        assertEquals(0, os.close(fd));
        assertEquals(0, os.unlink(NativePath.of(file)));
        assertFalse(Files.exists(file));
        assertEquals(-Errno.ENOENT, os.unlink(NativePath.of(file)));
        assertEquals(-Errno.ENOENT, os.openExisting(NativePath.of(file)));
    }

    @Test
    void aFileWithoutANameIsOpenedByItsNumber() {
        int fd = os.openUnnamed(NativePath.of(directory), 0600);
        assertTrue(fd >= 0, Errno.describe("openUnnamed", fd));
        int second = os.openOf(os.getpid(), fd);
        assertTrue(second >= 0, Errno.describe("openOf", second));
        long[] first = new long[OsCalls.STAT_FIELDS];
        long[] same = new long[OsCalls.STAT_FIELDS];
        assertEquals(0, os.fstat(fd, first));
        assertEquals(0, os.fstat(second, same));
        assertEquals(first[OsCalls.STAT_INODE], same[OsCalls.STAT_INODE]);
        assertEquals(0, directory.toFile().list().length);
        assertEquals(0, os.close(second));
        assertEquals(0, os.close(fd));
        assertEquals(-Errno.ENOENT, os.openOf(os.getpid(), fd));
        assertEquals(-Errno.EINVAL, os.openOf(0, 0));
    }

    @Test
    void doesNotFollowALink() throws Exception {
        Path target = Files.createFile(directory.resolve("target"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), target);
        assertEquals(-Errno.ELOOP, os.openExisting(NativePath.of(link)));
        assertEquals(-Errno.EEXIST, os.openExclusive(NativePath.of(link), 0600));
    }

    @Test
    void statShowsWhatJavaSees() throws Exception {
        Path file = directory.resolve("file");
        int fd = os.openExclusive(NativePath.of(file), 0640);
        assertEquals(0, os.ftruncate(fd, 5_000_000_000L));
        long[] out = new long[OsCalls.STAT_FIELDS + 1];
        out[OsCalls.STAT_FIELDS] = -7;
        assertEquals(0, os.fstat(fd, out));
        assertEquals(Files.getAttribute(file, "unix:dev"), out[OsCalls.STAT_DEVICE]);
        assertEquals(Files.getAttribute(file, "unix:ino"), out[OsCalls.STAT_INODE]);
        assertEquals(os.geteuid(), out[OsCalls.STAT_UID]);
        assertEquals(REGULAR_FILE | 0640, out[OsCalls.STAT_MODE]);
        assertEquals(5_000_000_000L, out[OsCalls.STAT_SIZE_BYTES]);
        assertEquals(1, out[OsCalls.STAT_LINKS]);
        assertEquals(-7, out[OsCalls.STAT_FIELDS]);
        assertEquals(0, os.close(fd));
    }

    @Test
    void refusesArgumentsThatNoCallCouldTake() {
        byte[] open = "/nowhere".getBytes();
        assertEquals(-Errno.EINVAL, os.openExisting(null));
        assertEquals(-Errno.EINVAL, os.openExisting(new byte[0]));
        assertEquals(-Errno.EINVAL, os.openExisting(new byte[1]));
        assertEquals(-Errno.EINVAL, os.openExisting(open));
        assertEquals(-Errno.EINVAL, os.openExclusive(open, 0600));
        assertEquals(-Errno.EINVAL, os.openExclusive(NativePath.of("/nowhere"), -1));
        assertEquals(-Errno.EINVAL, os.unlink(null));
        assertEquals(-Errno.ENAMETOOLONG, os.unlink(new byte[5000]));
        assertEquals(-Errno.EINVAL, os.fstat(0, null));
        assertEquals(-Errno.EINVAL, os.fstat(0, new long[OsCalls.STAT_FIELDS - 1]));
        assertEquals(-Errno.EBADF, os.fstat(-1, new long[OsCalls.STAT_FIELDS]));
        assertEquals(-Errno.EINVAL, os.statvfs(NativePath.of("/"), new long[1]));
        assertEquals(-Errno.EINVAL, os.statvfs(null, new long[2]));
        assertEquals(-Errno.ENOENT, os.statvfs(NativePath.of("/nowhere"), new long[2]));
        assertEquals(-Errno.EINVAL, os.ftruncate(0, -1));
        assertEquals(-Errno.EBADF, os.ftruncate(-1, 1));
        assertEquals(-Errno.EBADF, os.posixFallocate(-1, 0, 1));
        assertEquals(-Errno.EINVAL, os.posixFallocate(0, 0, 0));
        assertEquals(-Errno.EINVAL, os.posixFallocate(0, -1, 1));
    }

    @Test
    void reservesSpaceOrSaysThatThereIsNone() throws Exception {
        try (Tmpfs small = Tmpfs.mount("size=1m")) {
            Path file = small.directory().resolve("segment");
            long[] space = new long[OsCalls.STATVFS_FIELDS];
            assertEquals(0, os.statvfs(NativePath.of(small.directory()), space));
            assertEquals(MEGABYTE, space[OsCalls.STATVFS_TOTAL_BYTES]);
            assertEquals(MEGABYTE, space[OsCalls.STATVFS_FREE_BYTES]);
            int fd = os.openExclusive(NativePath.of(file), 0600);
            assertEquals(-Errno.ENOSPC, os.posixFallocate(fd, 0, MEGABYTE + 4096));
            assertEquals(0, os.posixFallocate(fd, 0, MEGABYTE));
            assertEquals(MEGABYTE, Files.size(file));
            assertEquals(0, os.statvfs(NativePath.of(small.directory()), space));
            assertEquals(0, space[OsCalls.STATVFS_FREE_BYTES]);
            assertEquals(0, os.close(fd));
        }
    }

    @Test
    void pathsAreCheckedBeforeTheyGoDown() {
        assertArrayEquals(new byte[] {47, 116, 109, 112, 0}, NativePath.of("/tmp"));
        assertThrows(IllegalArgumentException.class, () -> NativePath.of(""));
        String message = assertThrows(IllegalArgumentException.class, () -> NativePath.of("a\0b"))
                .getMessage();
        assertTrue(message.contains("zero character at index 1"), message);
    }
}
