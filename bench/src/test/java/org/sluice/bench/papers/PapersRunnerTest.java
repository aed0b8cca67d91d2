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
    private Guest guest;

    private PapersRunner runner(String script, String... figures) {
        return new PapersRunner(
                new ReportFolder(place),
                true,
                List.of(figures),
                List.of("/bin/sh", "-c", script, "bench"),
                guest,
                new PrintWriter(said, true));
    }

    /** Its script stands for {@code ./sluice}: the words before the last are what it was called with. */
    @Test
    void whatAGuestLeavesJoinsThePage() throws Exception {
        Path sluice = place.resolve("sluice");
        Files.writeString(
                sluice,
                "#!/bin/sh\necho \"$@\"; while [ $# -gt 1 ]; do shift; done\necho '"
                        + Rounds.latency("sluice", 8).of("p50", 2_000).get(0) + "' > \"$1\"; exit 3\n");
        assertTrue(sluice.toFile().setExecutable(true));
        Path out = Files.createDirectory(place.resolve("out"));
        guest = new Guest(sluice, out, List.of("--java", "/jdk"));
        assertFalse(runner("exit 1", "A-10").run());
        ReportFolder folder = new ReportFolder(place);
        assertTrue(Files.readString(folder.recordsOf(Runs.LATENCY_IB)).contains("\"peer\":\"sluice\""));
        assertTrue(Files.readString(place.resolve("index.html")).contains("id=\"A-10-latency\""));
        assertEquals(0, out.toFile().list().length, "nothing is left where guests write");
        Outcome outcome = folder.outcomes().get(0);
        assertTrue(
                outcome.command().startsWith("./sluice vm --processors 2 -- ./sluice bench latency --channel ib ")
                        && outcome.command().endsWith(" --java /jdk"),
                outcome::command);
        assertTrue(outcome.end().contains("exit status 3"), outcome::end);
        String called = folder.output(Runs.LATENCY_IB).get(0);
        assertTrue(
                called.matches("vm --processors 2 --timeout [0-9]+ -- " + sluice
                        + " bench --java /jdk latency .* --json " + out + "/.*"),
                called);
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
