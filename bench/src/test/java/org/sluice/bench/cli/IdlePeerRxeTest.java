package org.sluice.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A race over shared memory beside a rank that only verbs reach, in a guest. */
@Tag("verbs")
final class IdlePeerRxeTest {
    @TempDir
    private Path folder;

    @Test
    void latencyBesideAnIdlePeerIsRacedWithSharedMemoryAlone() throws Exception {
        Path json = folder.resolve("records.json");
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = new CommandLine(new BenchCommand()).setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true))
                .execute("latency", "--channel", "all", "--sizes", "8", "--peers", "shm-only", "--verify", "--iterations", "20", "--seconds", "1", "--json", json.toString());
        assertEquals(0, status, () -> err.toString() + out);
        List<String> records = Files.readAllLines(json);
        for (String peer : new String[] {"sluice", "shm-only"}) {
            assertTrue(records.stream().anyMatch(record -> record.contains("\"peer\":\"" + peer + "\",\"channel\":\"all\"") && record.contains("\"ranks\":2,")),
                    records::toString);
        }
    }
}
