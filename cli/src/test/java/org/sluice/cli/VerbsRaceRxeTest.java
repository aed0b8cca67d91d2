package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Races over verbs in a guest, of one round and few messages each: every contestant is started, runs, and is in the
 * records.
 */
@Tag("long")
@Tag("verbs")
final class VerbsRaceRxeTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    /** @return the records of the first round, by their peers */
    private List<String> peers(String benchmark, String peers) throws IOException {
        Path json = folder.resolve("records.json");
        int status = new CommandLine(new BenchCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(
                        benchmark,
                        "--channel",
                        "ib",
                        "--sizes",
                        "8",
                        "--peers",
                        peers,
                        "--iterations",
                        "10",
                        "--seconds",
                        "1",
                        "--json",
                        json.toString());
        assertEquals(0, status, () -> err.toString() + out);
        assertEquals("", err.toString());
        List<String> found = new ArrayList<>();
        for (String record : Files.readAllLines(json)) {
            if (Stream.of("\"benchmark\":\"" + benchmark + "\"", "\"channel\":\"ib\"", "\"size\":8,", "\"round\":1,")
                    .allMatch(record::contains)) {
                found.add(record.replaceFirst(".*\"peer\":\"(.*?)\".*", "$1"));
            }
        }
        return found;
    }

    @Test
    void latencyBesidePerftest() throws IOException {
        assertEquals(List.of("sluice", "perftest", "perftest-write"), peers("latency", "perftest,perftest-write"));
    }

    @Test
    void bandwidthBesidePerftest() throws IOException {
        assertEquals(List.of("sluice", "perftest"), peers("bandwidth", "perftest"));
    }

    /** Warming up two contestants takes an emulated guest the better part of a minute. */
    @Test
    void rateBesideItselfWithoutCoalescing() throws IOException {
        assertEquals(List.of("sluice", "separate"), peers("rate", "separate"));
    }
}
