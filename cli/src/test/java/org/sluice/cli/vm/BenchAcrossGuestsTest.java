package org.sluice.cli.vm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.cli.Main;
import org.sluice.launch.ClassArchive;
import org.sluice.launch.JavaHome;

/** Runs inside each of two guests: a race whose ranks are in both, over verbs, beside plain sockets. */
@Tag("long")
@Tag("verbs-nodes")
@Timeout(500)
final class BenchAcrossGuestsTest {
    private static final long PATIENCE_S = 450;

    @TempDir
    private Path folder;

    @Test
    void aRaceHasRanksInBothGuests() throws Exception {
        List<String> command = new ArrayList<>(
                List.of(JavaHome.current().command(), "-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(JavaHome.current().flags());
        ClassArchive.of(JavaHome.current()).ifPresent(archive -> command.addAll(archive.flags()));
        Path records = folder.resolve("records");
        command.addAll(List.of(
                "-Dsluice.home=" + System.getProperty("sluice.home", ""),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "bench",
                "latency",
                "--across",
                "--sizes",
                "8",
                "--iterations",
                "20",
                "--seconds",
                "0.1",
                "--peers",
                "over-tcp",
                "--json",
                records.toString()));
        Path output = folder.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        // As of TwoGuestsJobTest.
        builder.environment().put("SLUICE_IB_ACK_TIMEOUT", "20");
        Process process = builder.start();
        boolean isOver = process.waitFor(PATIENCE_S, TimeUnit.SECONDS);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        String text = Files.readString(output);
        assertTrue(isOver, text);
        assertEquals(0, process.exitValue(), text);
        if (System.getenv("SLUICE_VM_NODE").equals("0")) {
            assertTrue(text.contains("processes of 2 nodes, over verbs between these"), text);
            for (String peer : List.of("sluice", "over-tcp")) {
                assertTrue(
                        Files.readAllLines(records).stream()
                                .anyMatch(line -> line.contains("\"peer\":\"" + peer + "\"")
                                        && line.contains("\"channel\":\"ib\"")
                                        && Pattern.compile("\"nodes\": ?2")
                                                .matcher(line)
                                                .find()),
                        () -> peer + " has no record: " + text);
            }
        } else {
            assertEquals("", text, "who only lends its node has nothing to say");
        }
    }
}
