package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.jni.os.Os;

/**
 * Files without names are for ranks of which each may look into the other, and what a peer says of itself is checked.
 */
final class OpenFilesTest {
    private final String own = OpenFiles.ownProcess(Os.calls());
    private final String alike = own.substring(0, own.lastIndexOf(' ') + 1);

    @Test
    void aProcessMayLookIntoItselfAndOneThatItStarted() throws Exception {
        assertTrue(own.endsWith(" " + ProcessHandle.current().pid()), own);
        assertTrue(OpenFiles.areShared(own, own));
        Process child = new ProcessBuilder("sleep", "60").start();
        try {
            assertTrue(OpenFiles.areShared(own, alike + child.pid()));
        } finally {
            child.destroyForcibly().waitFor();
        }
        assertFalse(OpenFiles.areShared(own, alike + child.pid()), "it has ended");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pid:[", "user:[", "Uid:\t", "Gid:\t", "CapPrm:\t", "CapEff:\t", "fd:", "label:"})
    void whoDiffersInWhatTheKernelComparesIsNotAsked(String name) {
        int at = own.indexOf(name) + name.length();
        assertTrue(at >= name.length(), own);
        char other = own.charAt(at) == '1' ? '2' : '1';
        assertFalse(OpenFiles.areShared(own, own.substring(0, at) + other + own.substring(at + 1)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "self", "-1", "1/../self", " 1", "99999999999999999999"})
    void aNumberThatIsNoneIsNotFollowed(String number) {
        assertFalse(OpenFiles.areShared(own, alike + number));
    }

    @Test
    void whoSaysNothingHasNone() {
        assertFalse(OpenFiles.areShared(own, ""));
        assertFalse(OpenFiles.areShared("", own));
        assertFalse(OpenFiles.areShared("", ""));
    }

    /**
     * As of a process whose main thread has ended: the kernel then still tells all but where its program and its open
     * files are.
     */
    @Test
    void withoutItsProgramItSaysNothing(@TempDir Path folder) throws Exception {
        String proc = folder + "/";
        Path self = Files.createDirectories(
                folder.resolve(Long.toString(ProcessHandle.current().pid())));
        Files.createSymbolicLink(folder.resolve("self"), self.getFileName());
        Files.createDirectories(self.resolve("fd"));
        Files.createDirectories(self.resolve("ns"));
        Files.createSymbolicLink(self.resolve("ns/pid"), Path.of("pid:[1]"));
        Files.createSymbolicLink(self.resolve("ns/user"), Path.of("user:[2]"));
        Files.writeString(self.resolve("status"), "Name:\tx\nUid:\t0 0 0 0\n");
        assertEquals("", OpenFiles.ownProcess(Os.calls(), proc));
        Files.createSymbolicLink(self.resolve("exe"), Path.of("/nonexistent/java"));
        String uid = Files.getAttribute(folder, "unix:uid").toString();
        assertEquals(
                "pid:[1] user:[2] Uid:\t0 0 0 0 fd:" + uid + " label: " + self.getFileName(),
                OpenFiles.ownProcess(Os.calls(), proc));
        Files.createDirectories(self.resolve("attr"));
        Files.writeString(self.resolve("attr/current"), "docker-default (enforce)\n");
        assertTrue(OpenFiles.ownProcess(Os.calls(), proc)
                .endsWith(" label:docker-default (enforce) " + self.getFileName()));
    }

    /** Also where /proc counts processes as another namespace does than this one. */
    @Test
    void withoutTheNativeLibraryItSaysNothing() {
        assertEquals("", OpenFiles.ownProcess(Os.none()));
    }
}
