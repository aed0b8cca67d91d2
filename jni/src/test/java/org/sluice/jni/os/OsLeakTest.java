package org.sluice.jni.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.jni.ChildJvm;

/** What calls leave behind: descriptors, mappings, files, or a complaint of the JVM's JNI checks. */
final class OsLeakTest {

    private static final int WARM_UP = 500;
    private static final int SWEEPS = 3_000;

    private final OsCalls os = Os.calls();

    @TempDir
    private Path directory;

    @Test
    void sweepsLeaveNothingOpenOrMapped() throws Exception {
        for (int i = 0; i < WARM_UP; i++) {
            EveryCall.sweep(os, directory);
        }
        long descriptors = ourDescriptors();
        long ourMappings = ourMappings();
        for (int i = 0; i < SWEEPS; i++) {
            EveryCall.sweep(os, directory);
        }
        assertEquals(descriptors, ourDescriptors(), "open descriptors");
        assertEquals(ourMappings, ourMappings(), "mappings of the test's file");
        assertEquals(0, count(directory.toString()), "files");
    }

    @Test
    void whatStaysOpenIsSeen() throws IOException {
        long descriptors = ourDescriptors();
        int file = os.openExclusive(NativePath.of(directory.resolve("open")), 0600);
        int process = os.pidfdOpen(os.getpid());
        assertTrue(file >= 0 && process >= 0, file + ", " + process);
        assertEquals(descriptors + 2, ourDescriptors());
        os.close(file);
        os.close(process);
        assertEquals(descriptors, ourDescriptors());
    }

    @Test
    void aQuietJvmUnderJniChecks() throws Exception {
        try (ChildJvm child = ChildJvm.start(EveryCall.class, "-Xcheck:jni")) {
            String output = child.restOfOutput();
            assertEquals(0, child.waitFor(), output);
            // The JVM finds our handler before its own (os_lost.c), says so once, and "done" may come amid that.
            String rest =
                    output.replaceFirst("(?s)Warning: SIGBUS handler modified!.*Consider using jsig library\\.\n", "");
            assertEquals("", rest.replaceFirst("done\n", ""), output);
            assertTrue(output.contains("done") && !output.contains("in native method"), output);
        }
    }

    private static long count(String directory) throws IOException {
        try (Stream<Path> entries = Files.list(Path.of(directory))) {
            return entries.count();
        }
    }

    /**
     * Of the kinds that the calls open: the JVM opens files of its own when it likes, JDK 17 one in the middle of this.
     */
    private long ourDescriptors() throws IOException {
        try (Stream<Path> entries = Files.list(Path.of("/proc/self/fd"))) {
            return entries.filter(this::isOurs).count();
        }
    }

    private boolean isOurs(Path descriptor) {
        try {
            String target = Files.readSymbolicLink(descriptor).toString();
            return target.startsWith(directory.toString())
                    || target.equals("anon_inode:[pidfd]")
                    || target.startsWith("pidfd:");
        } catch (IOException e) {
            // The one of the listing itself.
            return false;
        }
    }

    private long ourMappings() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains(directory.toString())).count();
        }
    }
}
