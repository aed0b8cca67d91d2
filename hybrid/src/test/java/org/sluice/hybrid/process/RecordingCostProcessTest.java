package org.sluice.hybrid.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.option.Option;

/**
 * What messages pay for the flight recorder while there is no recording, while there is one, and when it is over:
 * docs/project/adr/0046-the-flight-recorder-is-looked-for.md.
 */
@Timeout(90)
@Tag("all")
final class RecordingCostProcessTest {
    private static final long PATIENCE_MS = 60_000;
    private static final int WAITS = 4;
    /** An event, and what it says. */
    private static final int BYTES_PER_WAIT = 500;

    @RegisterExtension
    final RankJvms ranks = new RankJvms();

    @Test
    void onlyAWaitThatIsRecordedAllocates(@TempDir Path folder) throws Exception {
        ranks.flag("-Xlog:class+load:file=" + folder.resolve("classes-%p") + ":none");
        // What a look at the peers, or a park, allocates is no message's; the recorder is looked for with the former.
        ranks.option(Option.PEER_CHECK_MS, 20).option(Option.WAIT_YIELD_US, 1_000_000);
        ranks.startAll(2, RecordingCostRanks.class);
        for (int rank = 0; rank < 2; rank++) {
            assertEquals("0 0", ranks.rank(rank).await("before", PATIENCE_MS), "bytes of rank " + rank);
            List<String> classes = classes(folder, rank);
            assertTrue(classes.contains("jdk.jfr.FlightRecorder"), "rank " + rank + " has not looked for a recorder");
            assertEquals(
                    List.of(),
                    classes.stream()
                            .filter(RecordingCostProcessTest::isOfRecordings)
                            .toList(),
                    "of rank " + rank);
        }
        for (int rank = 0; rank < 2; rank++) {
            ranks.rank(rank).tell("record");
        }
        String[] under = ranks.rank(1).await("under", PATIENCE_MS).split(" ");
        assertEquals("0", under[0], "bytes of messages that nobody waited for");
        long waited = Long.parseLong(under[1]);
        assertTrue(waited > 0 && waited <= WAITS * BYTES_PER_WAIT, waited + " bytes of " + WAITS + " waits");
        assertEquals("0 0", ranks.rank(0).await("under", PATIENCE_MS), "bytes of the sender");
        for (int rank = 0; rank < 2; rank++) {
            assertEquals("0 0", ranks.rank(rank).await("after", PATIENCE_MS), "bytes of rank " + rank);
            assertTrue(
                    classes(folder, rank).stream().anyMatch(RecordingCostProcessTest::isOfRecordings),
                    "what is looked for has another name");
        }
        ranks.allEndWell(PATIENCE_MS);
    }

    private static boolean isOfRecordings(String name) {
        return name.equals("jdk.jfr.Event") || name.startsWith("org.sluice.hybrid.observe.FlightEvent");
    }

    private List<String> classes(Path folder, int rank) throws IOException {
        return Files.readAllLines(folder.resolve("classes-" + ranks.rank(rank).pid())).stream()
                .map(line -> line.substring(0, Math.max(0, line.indexOf(' '))))
                .toList();
    }
}
