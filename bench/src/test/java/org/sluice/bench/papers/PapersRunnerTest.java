package org.sluice.bench.papers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs go on after one that fails, and an interrupted one leaves what there is. The benchmark is a script of ours. */
final class PapersRunnerTest {
    private static final long PATIENCE_MS = 20_000;
    /** Writes a record, with a number of queens of its own, to where {@code --json} says. */
    private static final String RECORD = "while [ $# -gt 1 ]; do shift; done; echo '"
            + Rounds.latency("sluice", 0)
                    .with("benchmark", "nqueens")
                    .with("state", "")
                    .with("n", 12)
                    .of("mean", 2)
                    .get(0)
            + "' >> $1; ";

    @TempDir
    private Path place;

    private final StringWriter said = new StringWriter();

    private PapersRunner runner(String script, String... figures) {
        return new PapersRunner(
                new ReportFolder(place),
                true,
                List.of(figures),
                List.of("/bin/sh", "-c", script, "bench"),
                new PrintWriter(said, true));
    }

    @Test
    void recordsBecomeAPage() throws Exception {
        assertTrue(runner(RECORD, "C-T1").run());
        assertTrue(Files.readString(place.resolve("index.html")).contains("data-value=\"2.0\""));
        assertTrue(said.toString().startsWith("[1/1] nqueens for C-11, C-T1, C-12; about 15 s left"), said::toString);
    }

    @Test
    void aRunThatFailsIsNamedAndTheRestGoesOn() throws Exception {
        String script = "case $1 in nqueens) " + RECORD + ";; *) echo no such processor; exit 4;; esac";
        assertFalse(runner(script, "E-3.2", "C-T1").run());
        List<Outcome> outcomes = new ReportFolder(place).outcomes();
        assertEquals(
                List.of("nqueens", "ib-channel"),
                outcomes.stream().map(Outcome::run).toList());
        assertTrue(
                outcomes.get(1).end().startsWith("ended with exit status 4")
                        && outcomes.get(1).end().contains("no such processor"),
                outcomes::toString);
        String page = Files.readString(place.resolve("index.html"));
        assertTrue(page.contains("data-value=\"2.0\"") && page.contains("no such processor"), page);
    }

    @Test
    void anInterruptedRunLeavesAPage() throws Exception {
        PapersRunner runner = runner(RECORD + "exec sleep 600", "C-T1", "E-3.2");
        Thread stopper = new Thread(() -> {
            try {
                while (!Files.exists(place.resolve("records/nqueens.jsonl"))) {
                    Thread.sleep(10);
                }
                runner.stop(PATIENCE_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        stopper.start();
        assertFalse(runner.run());
        stopper.join();
        String page = Files.readString(place.resolve("index.html"));
        assertTrue(page.contains("data-value=\"2.0\"") && page.contains("nqueens was interrupted"), page);
        assertFalse(page.contains("records/ib-channel.jsonl"), "what comes after is not begun");
    }

    /** A folder in the page's place stands for a full disk. */
    @Test
    void whatWasMeasuredStaysIfThereIsNoRoomForThePage() throws Exception {
        Files.createDirectories(place.resolve("index.html"));
        assertThrows(IOException.class, () -> runner(RECORD, "C-T1", "E-3.2").run());
        Files.delete(place.resolve("index.html"));
        new PapersReport(new ReportFolder(place)).write();
        assertTrue(Files.readString(place.resolve("index.html")).contains("data-value=\"2.0\""));
    }
}
