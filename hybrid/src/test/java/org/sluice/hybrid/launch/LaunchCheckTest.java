package org.sluice.hybrid.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.option.Option;

/** What the launcher knows before it starts ranks, and what it leaves to them. */
final class LaunchCheckTest {
    private static final int HERE = Runtime.version().feature();

    @Test
    void theCommandLineWinsThenTheVariablesOfTheJvmThenOurOwn() {
        Map<String, String> environment = Map.of("SLUICE_PEEK", "nonsense", "SLUICE_OS", "off", "JAVA_TOOL_OPTIONS", "-Xmx1g -Dsluice.peek=maybe -Dsluice.verbs=off",
                "JDK_JAVA_OPTIONS", "'-Dsluice.peek=perhaps' -Dsluice.eager.share.bytes=8k");
        var options = LaunchCheck.options(List.of("-Dother", "-Dsluice.peek=off", "-Dsluice.peek=on"), environment);
        assertEquals("on", options.text(Option.PEEK));
        assertEquals("off", options.text(Option.OS));
        assertEquals("off", options.text(Option.VERBS));
        assertEquals(8192, options.number(Option.EAGER_SHARE));
        String refused = assertThrows(IllegalArgumentException.class, () -> LaunchCheck.options(List.of(), environment)).getMessage();
        assertTrue(refused.startsWith("sluice.peek = 'perhaps' (system property): allowed is"), refused);
    }

    /** The launcher sets them anew. */
    @Test
    void whatIsLeftOverOfAnotherJobDoesNotMatter() {
        assertEquals("1", LaunchCheck.options(List.of(), Map.of("SLUICE_JOB_SIZE", "none", "SLUICE_JOB_RANK", "-7")).text(Option.JOB_SIZE));
    }

    @Test
    void aClassThatOnlyTheRanksJavaCanLoadIsLeftToThem(@TempDir Path folder) throws IOException {
        byte[] bytes;
        try (var stream = MainMethodTest.class.getResourceAsStream("MainMethodTest$Classic.class")) {
            bytes = stream.readAllBytes();
        }
        // The class file's version.
        ByteBuffer.wrap(bytes).putShort(6, (short) (44 + HERE + 1));
        // Under another name it is found in the folder alone.
        Files.write(folder.resolve("Newer.class"), bytes);
        Program newer = Program.ofClassPath(folder.toString(), "Newer");
        LaunchCheck.mainClass(newer, HERE + 1, List.of());
        assertTrue(assertThrows(IllegalArgumentException.class, () -> LaunchCheck.mainClass(newer, HERE, List.of())).getMessage().startsWith("class Newer can't be loaded: "));
        assertThrows(IllegalArgumentException.class, () -> LaunchCheck.mainClass(Program.ofClassPath(folder.toString(), "Missing"), HERE + 1, List.of()));
    }

    /** As the JVM passes over it. */
    @Test
    void aClassPathThatCannotBeReadHereIsLeftToThem() {
        LaunchCheck.mainClass(Program.ofClassPath("/nowhere/*", "Missing"), HERE, List.of());
        LaunchCheck.mainClass(Program.ofClassPath("x", "Missing"), HERE, List.of("-javaagent:agent.jar"));
    }
}
