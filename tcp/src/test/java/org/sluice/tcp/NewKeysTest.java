package org.sluice.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS takes new keys after 137 GB, by messages between those of a program: here after 256 KB. */
final class NewKeysTest {
    @Test
    void messagesGoOnWhileKeysChange(@TempDir Path folder) throws Exception {
        Path limits = folder.resolve("limits");
        Files.writeString(limits, "jdk.tls.keyLimits=AES/GCM/NoPadding KeyUpdate 2^18\n");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.security.properties=" + limits,
                        "-Djavax.net.debug=ssl:handshake",
                        "-cp",
                        System.getProperty("java.class.path"),
                        NewKeysMain.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
        assertTrue(output.contains("72000000 bytes"), output);
        long changes = output.lines()
                .filter(line -> line.contains("KeyUpdate: write key updated"))
                .count();
        assertTrue(changes > 50, changes + " new keys: " + output);
    }
}
