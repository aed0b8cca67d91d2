package org.sluice.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.sluice.device.counter.Counter;

/** The page about counters says what the declarations say. */
final class CountersPageTest {
    @Test
    void theCommittedPageIsTheGeneratedOne() throws IOException {
        Path page = Path.of(System.getProperty("sluice.root"), "docs", "reference", "counters.md");
        assertEquals(
                CountersPage.text(),
                Files.readString(page),
                "it is out of date: run org.sluice.cli.doctor.CountersPage docs/reference/counters.md");
    }

    @Test
    void everyCounterHasItsLine() {
        for (Counter counter : Counter.values()) {
            assertTrue(CountersPage.text().contains("| `" + counter.key() + "` | " + counter.help()), counter.key());
        }
    }
}
