package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the shell script answers by itself, in a copy of it that was never built. */
@Tag("once")
final class ScriptProcessTest {

    @TempDir
    private Path checkout;

    @BeforeEach
    void copyScripts() throws IOException {
        Path root = Path.of(System.getProperty("sluice.root"));
        Files.createDirectory(checkout.resolve("tools"));
        for (String file : List.of(
                "sluice",
                "tools/setup.sh",
                "tools/layers.sh",
                "tools/reports.sh",
                "tools/guests.sh",
                "tools/test.sh")) {
            Files.copy(root.resolve(file), checkout.resolve(file));
        }
    }

    @Test
    void execRefusesWhereNothingIsBuilt() throws Exception {
        Answer answer = sluice(Map.of(), "exec", "-jar", "x.jar");
        assertEquals(1, answer.status, answer.text);
        assertTrue(answer.text.contains("sluice-cli.jar is missing"), answer.text);
        assertTrue(answer.text.contains("--version' once on this machine"), answer.text);
        assertFalse(Files.exists(checkout.resolve(".build")), "exec must leave a checkout as it is");
    }

    @Test
    void testRefusesWhatItDoesNotKnow() throws Exception {
        Answer answer = sluice(Map.of(), "test", "--lnog");
        assertEquals(2, answer.status, answer.text);
        assertTrue(answer.text.contains("--lnog") && answer.text.contains("--long"), answer.text);
        answer = sluice(Map.of(), "test", "--all", "--long");
        assertEquals(2, answer.status, answer.text);
        assertTrue(answer.text.contains("tiers of their own"), answer.text);
        answer = sluice(Map.of(), "test", "--long", "--seconds", "soon");
        assertEquals(2, answer.status, answer.text);
        assertTrue(answer.text.contains("'soon' is no number of seconds"), answer.text);
    }

    @Test
    void testExplainsItself() throws Exception {
        Answer answer = sluice(Map.of(), "test", "--help");
        assertEquals(0, answer.status, answer.text);
        assertTrue(answer.text.contains("--all ") && answer.text.contains("--long"), answer.text);
    }

    @Test
    void aFailedBuildSaysWhyAndWhereTheLogIs() throws Exception {
        Files.writeString(checkout.resolve("pom.xml"), "<project>");
        Answer answer = sluice(Map.of(), "--version");
        assertEquals(1, answer.status, answer.text);
        assertTrue(answer.text.contains("[ERROR]") && answer.text.contains(".build/build.log"), answer.text);
        assertFalse(Files.exists(checkout.resolve(".build/stamp")), "a failed build must be tried again");
    }

    @Tag("all")
    @Test
    void anUnfitJavaHomeIsNamed() throws Exception {
        Files.writeString(checkout.resolve("pom.xml"), "<project>");
        Answer answer = sluice(Map.of("JAVA_HOME", checkout.toString()), "--version");
        assertTrue(answer.text.contains("JAVA_HOME (" + checkout + ") is no JDK 17 or newer: using /"), answer.text);
    }

    private Answer sluice(Map<String, String> environment, String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(List.of("bash", checkout.resolve("sluice").toString()));
        command.addAll(List.of(arguments));
        Path output = checkout.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        boolean ended = process.waitFor(60, TimeUnit.SECONDS);
        if (!ended) {
            process.destroyForcibly();
        }
        String text = Files.readString(output);
        assertTrue(ended, "still running after 60 s: " + text);
        return new Answer(process.exitValue(), text);
    }

    private record Answer(int status, String text) {}
}
