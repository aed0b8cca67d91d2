package org.sluice.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.option.Options;
import org.sluice.jni.Errno;
import org.sluice.jni.os.FailingOs;
import org.sluice.jni.os.Os;

/** What is said of the folder of the segments, by the type of its file system and by its space. */
@Timeout(60)
final class SharedMemoryTest {
    /** What Files.getFileStore says in a chroot whose root is no mount point. */
    private static final SharedMemory.TypeLookup IN_A_CHROOT = path -> {
        throw new IOException("Mount point not found");
    };

    @TempDir
    private Path folder;

    private List<Finding> examine(SharedMemory.TypeLookup types, String... ring) {
        Map<String, String> given = ring.length == 0
                ? Map.of("sluice.shm.ring.bytes", "16k", "sluice.shm.ring.cells", "64")
                : Map.of("sluice.shm.ring.bytes", ring[0]);
        return new SharedMemory(folder, Options.of(given, Map.of(), Map.of()), types, Os.calls()).examine();
    }

    @Test
    void aFolderWhoseFileSystemIsInNoMountTableIsUsableWhereItsSpaceSuffices() {
        List<Finding> findings = examine(IN_A_CHROOT);
        assertEquals(5, findings.size(), findings.toString());
        assertTrue(findings.stream().allMatch(finding -> finding.level() == Finding.Level.OK), findings.toString());
        String text = findings.get(0).text();
        assertTrue(text.startsWith(folder + ": "), text);
        assertTrue(text.contains("the type of its file system could not be told (Mount point not found)"), text);
        long totalMb = folder.toFile().getTotalSpace() >> 20;
        assertTrue(totalMb > 0 && text.contains(" free of " + totalMb + " MB;"), text);
    }

    @Test
    void aFolderWhoseFileSystemIsInNoMountTableIsStillMeasured() {
        List<Finding> findings = examine(IN_A_CHROOT, "1g");
        Finding most = findings.get(findings.size() - 1);
        assertEquals(Finding.Level.SLOWER, most.level(), findings.toString());
        assertTrue(most.text().startsWith("too small for 64 ranks"), most.text());
        long freeMb = Long.parseLong(most.text().replaceAll(".*needed, (\\d+) MB are free", "$1"));
        long nowMb = folder.toFile().getUsableSpace() >> 20;
        assertTrue(Math.abs(freeMb - nowMb) <= nowMb / 2, most.text() + ", now " + nowMb);
    }

    @Test
    void whatKeptTheTypeSecretIsSaidWhereTheMessageIsOnlyAFile() {
        String text = examine(path -> {
                    throw new AccessDeniedException("/proc/mounts");
                })
                .get(0)
                .text();
        assertTrue(text.contains("(AccessDeniedException /proc/mounts)"), text);
    }

    @Test
    void whetherSegmentsHaveNamesThereIsTried() {
        Finding named = names(Errno.EOPNOTSUPP);
        assertEquals(Finding.Level.OK, named.level());
        assertTrue(
                named.text().startsWith("segments have names there while a job opens (open: EOPNOTSUPP"), named.text());
        Finding none = names(Errno.EROFS);
        assertEquals(Finding.Level.UNUSABLE, none.level());
        assertTrue(none.text().startsWith("no file can be made in " + folder + " (open: EROFS"), none.text());
        Finding here = new SharedMemory(Path.of("/dev/shm"), Options.of(Map.of(), Map.of(), Map.of()))
                .examine()
                .get(1);
        assertTrue(here.text().startsWith("segments have n"), here.text());
    }

    private Finding names(int errno) {
        return new SharedMemory(
                        folder,
                        Options.of(Map.of(), Map.of(), Map.of()),
                        IN_A_CHROOT,
                        FailingOs.failing(Os.calls(), "openUnnamed", 1, errno))
                .examine()
                .get(1);
    }

    @Test
    void theTypeDecidesWhetherMessagesGoToADisk() {
        Finding memory = examine(path -> "tmpfs").get(0);
        assertEquals(Finding.Level.OK, memory.level());
        assertTrue(memory.text().startsWith(folder + " (tmpfs): "), memory.text());
        Finding disk = examine(path -> "ext4").get(0);
        assertEquals(Finding.Level.SLOWER, disk.level());
        assertTrue(disk.text().endsWith("is no memory file system"), disk.text());
        assertTrue(disk.advice().contains("sluice.shm.dir"), disk.advice());
    }
}
