package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.launch.JavaHome;

/** Races of programs that call a dialect of MPI, whose jar stands beside sluice.jar. */
@Tag("once")
final class DialectBenchProcessTest {
    private static final Path ROOT = Path.of(System.getProperty("sluice.root", ".."));
    private static final Path LIB = ROOT.resolve(".build/lib");

    @TempDir
    private Path folder;

    private List<String> records(String... args) throws Exception {
        Path jar = LIB.resolve("cli/sluice-cli.jar");
        assumeTrue(Files.isRegularFile(jar), jar + " is missing: ./sluice --version builds it");
        Path json = folder.resolve("records.json");
        File said = folder.resolve("said").toFile();
        // As ./sluice does it.
        List<String> command = new ArrayList<>(List.of(
                JavaHome.current().command(),
                "@" + ROOT.resolve("tools/opened-packages"),
                "-cp",
                jar + File.pathSeparator + LIB.resolve("bench/*"),
                Main.class.getName(),
                "bench"));
        command.addAll(List.of(args));
        command.addAll(List.of("--iterations", "20", "--seconds", "0.2", "--no-pin", "--json", json.toString()));
        Process process = new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(said)
                .start();
        try {
            assertTrue(process.waitFor(100, TimeUnit.SECONDS), () -> "it does not end: " + command);
        } finally {
            process.destroyForcibly();
        }
        assertEquals(0, process.exitValue(), Files.readString(said.toPath()));
        return Files.readAllLines(json);
    }

    private static void assertOne(List<String> records, String... parts) {
        assertEquals(
                1,
                records.stream()
                        .filter(record -> List.of(parts).stream().allMatch(record::contains))
                        .count(),
                records::toString);
    }

    @ParameterizedTest
    @CsvSource({"threads,mpijava,array", "shm,openmpi,direct"})
    void messagesAndCollectivesAreChecked(String channel, String api, String buffer) throws Exception {
        List<String> records = records(
                "rate",
                "allgather",
                "--api",
                api,
                "--buffer",
                buffer,
                "--channel",
                channel,
                "--sizes",
                "8,40k",
                "--verify");
        for (String name : new String[] {"rate", "allgather"}) {
            for (int size : new int[] {8, 40 << 10}) {
                assertOne(
                        records,
                        "\"benchmark\":\"" + name + "\"",
                        "\"peer\":\"sluice\"",
                        "\"api\":\"" + api + "\"",
                        "\"size\":" + size + ",",
                        "\"round\":1,");
            }
        }
    }

    @Test
    void objectsAreRacedBesideSerialization() throws Exception {
        List<String> records = records("objects", "--channel", "shm", "--peers", "serialization");
        for (String peer : new String[] {"sluice", "serialization"}) {
            assertOne(records, "\"peer\":\"" + peer + "\"", "\"size\":8000,", "\"round\":1,");
        }
    }
}
