package org.sluice.hybrid.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The device ends where a call is left half-way for want of stack, and nobody waits for ever. */
@Tag("once")
@Timeout(150)
final class StackOverflowTest {
    private static final long PATIENCE_S = 120;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "handlersSends",
                "sendsOnARoute",
                "probes",
                "sends",
                "longSends",
                "receives",
                "futuresOfOthers",
                "futuresOfOthersForLongMessages",
                "waitingReceives",
                "completions"
            })
    void whatOverflowsEndsTheDevice(String calls, @TempDir Path folder) throws Exception {
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xint",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OverflowingCalls.class.getName(),
                        calls)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertTrue(process.waitFor(PATIENCE_S, TimeUnit.SECONDS), () -> "it is not over: " + calls);
        } finally {
            process.destroyForcibly().waitFor();
        }
        String said = Files.readString(output);
        assertEquals(0, process.exitValue(), said);
        assertTrue(said.contains("ended well"), said);
    }
}
