package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.bench.report.HtmlReport;
import org.sluice.bench.report.Machine;

/** Where what was measured goes, and what is said when it can't. */
final class OutputFilesTest {
    @TempDir
    private Path folder;

    @Test
    void aTrialLeavesNothingOfItsOwn() throws Exception {
        Path json = folder.resolve("new.json");
        Path report = folder.resolve("report");
        OutputFiles files = new OutputFiles(json, report);
        files.check();
        assertFalse(Files.exists(json), "a race that fails leaves no empty file");
        try (var entries = Files.list(report)) {
            assertEquals(0, entries.count());
        }
        files.append(List.of("{}"));
        files.check();
        files.append(List.of("{}"));
        assertEquals(List.of("{}", "{}"), Files.readAllLines(json), "records are added to what is there");
    }

    @Test
    void whatCannotBeWrittenIsSaidBeforeTheRace() throws Exception {
        Files.createSymbolicLink(folder.resolve("records.json"), Path.of("loop"));
        Files.createSymbolicLink(folder.resolve("loop"), Path.of("records.json"));
        Files.createDirectory(folder.resolve("index.html"));
        for (OutputFiles files : List.of(
                new OutputFiles(Path.of("/proc/x.json"), null),
                new OutputFiles(null, Path.of("/proc/x")),
                new OutputFiles(null, folder),
                new OutputFiles(folder.resolve("loop"), null))) {
            String message =
                    assertThrows(IllegalArgumentException.class, files::check).getMessage();
            assertTrue(
                    message.contains("can't be written: ") && message.contains("; name a place that exists"), message);
        }
    }

    @Test
    void aFailureAfterTheRaceNamesThePathAndTheReason() {
        String message = assertThrows(
                        IOException.class, () -> new OutputFiles(Path.of("/dev/full"), null).append(List.of("{}")))
                .getMessage();
        assertTrue(
                message.startsWith("--json '/dev/full' can't be written: No space left on device; name a place"),
                message);
        message = assertThrows(
                        IOException.class,
                        () -> new OutputFiles(null, Path.of("/proc/x"))
                                .write(new HtmlReport(new Machine("cpu", 2, "6", "17"))))
                .getMessage();
        assertTrue(
                message.startsWith("--report '/proc/x' can't be written: no such file or folder; name a place"),
                message);
    }
}
