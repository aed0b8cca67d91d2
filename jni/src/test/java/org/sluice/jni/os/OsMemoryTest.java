package org.sluice.jni.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.jni.ChildJvm;
import org.sluice.jni.Errno;

final class OsMemoryTest {

    private static final int BYTES = 64 << 10;

    private final OsCalls os = Os.calls();

    @TempDir
    private Path directory;

    @Test
    void readsOurOwnMemory() throws Exception {
        try (SharedWords from = new SharedWords(os, BYTES);
                SharedWords to = new SharedWords(os, BYTES)) {
            for (int i = 0; i < BYTES; i += Long.BYTES) {
                from.buffer().putLong(i, i * 31L);
            }
            assertEquals(BYTES, os.processVmReadv(os.getpid(), to.address(), from.address(), BYTES));
            assertEquals(-1, from.buffer().mismatch(to.buffer()));
            assertEquals(0, os.processVmReadv(os.getpid(), to.address(), from.address(), 0));
        }
    }

    @Test
    void readsAnotherJvm() throws Exception {
        try (SharedWords to = new SharedWords(os, BYTES);
                ChildJvm child = ChildJvm.start(PatternProcess.class)) {
            long remote = Long.parseLong(child.readLine());
            assertEquals(BYTES, os.processVmReadv(child.pid(), to.address(), remote, BYTES));
            for (int i = 0; i < BYTES; i += Long.BYTES) {
                assertEquals(PatternProcess.word(i), to.buffer().getLong(i));
            }
            child.endInput();
            assertEquals(0, child.waitFor());
            assertEquals(-Errno.ESRCH, os.processVmReadv(child.pid(), to.address(), remote, BYTES));
        }
    }

    @Test
    void badAddressesAndNumbersAreResults() throws Exception {
        try (SharedWords words = new SharedWords(os, BYTES)) {
            int pid = os.getpid();
            long here = words.address();
            assertEquals(-Errno.EFAULT, os.processVmReadv(pid, here, 4096, 8));
            assertEquals(-Errno.EFAULT, os.processVmReadv(pid, 4096, here, 8));
            assertEquals(-Errno.EFAULT, os.processVmReadv(pid, here, Long.MAX_VALUE, 8));
            assertEquals(-Errno.EINVAL, os.processVmReadv(pid, here, here, -1));
            assertEquals(-Errno.EINVAL, os.processVmReadv(0, here, here, 8));
            assertEquals(-Errno.ESRCH, os.processVmReadv(Integer.MAX_VALUE, here, here, 8));
        }
    }

    @Test
    void mapsMoreThanTwoGigabytes() {
        byte[] path = NativePath.of(directory.resolve("large"));
        long bytes = 3L << 30;
        int fd = os.openExclusive(path, 0600);
        assertEquals(0, os.ftruncate(fd, bytes));
        long address = os.mmapShared(fd, 0, bytes);
        assertTrue(address > 0, Errno.describe("mmapShared", address));
        // The last word is read through the kernel, so a mapping that is too short is an error and not a crash.
        assertEquals(8, os.processVmReadv(os.getpid(), address, address + bytes - 8, 8));
        assertEquals(0, os.munmap(address, bytes));
        assertEquals(-Errno.EFAULT, os.processVmReadv(os.getpid(), address, address, 8));
        assertEquals(0, os.close(fd));
    }

    @Test
    void refusesMappingsThatCannotBe() {
        assertEquals(-Errno.EBADF, os.mmapShared(-1, 0, 4096));
        assertEquals(-Errno.EINVAL, os.mmapShared(0, 0, 0));
        assertEquals(-Errno.EINVAL, os.mmapShared(0, -4096, 4096));
        assertEquals(-Errno.EBADF, os.mmapReadOnly(-1, 0, 4096));
        assertEquals(-Errno.EINVAL, os.lostPages(4096));
        assertEquals(-Errno.EINVAL, os.mmapZeros(0, 4096));
        assertEquals(-Errno.EINVAL, os.mmapZeros(4096, -1));
        assertEquals(-Errno.EINVAL, os.mmapZeros(4097, 4096));
        assertEquals(-Errno.EINVAL, os.munmap(0, 4096));
        assertEquals(-Errno.EINVAL, os.munmap(4096, -1));
    }
}
