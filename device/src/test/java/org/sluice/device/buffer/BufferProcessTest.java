package org.sluice.device.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What only another JVM can show: classes that never load, a class path without Chronicle, other object headers. */
final class BufferProcessTest {
    private static final String CLASS_PATH = System.getProperty("java.class.path");

    private static String run(String classPath, List<String> flags, String... arguments)
            throws IOException, InterruptedException {
        String output = start(classPath, flags, BufferProcess.class, arguments);
        assertTrue(output.contains("11 buffers went well"), output);
        return output;
    }

    private static String start(String classPath, List<String> flags, Class<?> main, String... arguments)
            throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>(List.of(java, "-Xmx64m", "-ea"));
        command.addAll(flags);
        command.addAll(List.of("-cp", classPath, main.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it ended");
        assertEquals(0, process.exitValue(), output);
        return output;
    }

    private static String withoutChronicle() {
        String rest = Arrays.stream(CLASS_PATH.split(File.pathSeparator))
                .filter(entry -> !entry.contains("chronicle"))
                .collect(Collectors.joining(File.pathSeparator));
        assertTrue(rest.length() < CLASS_PATH.length(), "the tests' own class path has Chronicle");
        return rest;
    }

    @Test
    void chronicleIsNotLoadedForOtherBuffers() throws Exception {
        String output = run(CLASS_PATH, List.of("-Xlog:class+load"));
        assertTrue(output.contains("org.sluice.device.buffer.UserBuffer"), "class loading is logged");
        assertFalse(
                output.contains("net.openhft"),
                () -> Arrays.stream(output.split("\n"))
                        .filter(line -> line.contains("net.openhft"))
                        .collect(Collectors.joining("\n")));
    }

    @Test
    void chronicleMayBeAbsent() throws Exception {
        String output = run(withoutChronicle(), List.of(), "view");
        assertTrue(output.contains("refused: a java.lang.String can't be sent"), output);
        assertTrue(
                output.contains("no view: a Bytes view needs net.openhft:chronicle-bytes on the class path"), output);
    }

    @Test
    void arraysMayStartAtOtherOffsets() throws Exception {
        run(withoutChronicle(), List.of("-XX:-UseCompressedClassPointers"));
        if (Runtime.version().feature() >= 25) {
            run(withoutChronicle(), List.of("-XX:+UseCompactObjectHeaders"));
        }
    }

    /** It would touch memory that is gone: no more of a JVM than its output is left then. */
    @Test
    void aBufferOfAClosedArenaIsRefusedAndOneWhoseFileWasCutIsLost() throws Exception {
        int version = Runtime.version().feature();
        assumeTrue(version == 17 || version >= 22, "between, there were previews");
        List<String> flags =
                version == 17 ? List.of("-Xmx256m", "--add-modules", "jdk.incubator.foreign") : List.of("-Xmx256m");
        String output = start(CLASS_PATH, flags, ArenaProcess.class);
        assertTrue(
                output.contains("mapped memory is freed: UNKNOWN")
                        && output.contains("allocated memory is freed: UNKNOWN"),
                output);
        assertTrue(output.contains("mapped: true"), output);
        assertTrue(output.contains("lost: pages of the program's own buffer, "), output);
        assertTrue(output.contains("open: true"), output);
        for (String direction : List.of("sending", "receiving")) {
            assertEquals(3, output.split(direction + " refused: the memory of this ByteBuffer of ", -1).length, output);
        }
        assertTrue(output.contains("lready closed; it belongs to an Arena"), output);
    }
}
