package org.sluice.coroutines;

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
import org.sluice.hybrid.process.RankJvms;

/** What the device shows to watchers of calls in which no thread waits. */
@Timeout(90)
final class SuspendedObservedProcessTest {
    private static final long PATIENCE_MS = 30_000;

    @RegisterExtension
    final RankJvms ranks = new RankJvms();

    /** Of which no thread is in a call. */
    @Test
    void coroutinesAndFuturesThatWaitLongAreToldOfOnceToo(@TempDir Path folder) throws Exception {
        ranks.option(1, Option.DUMP_STUCK_MS, 200).option(Option.DUMP_FILE, folder.resolve("dump"));
        ranks.job(2);
        for (int rank = 0; rank < 2; rank++) {
            ranks.start(rank, "org.sluice.coroutines.SuspendedRanksKt");
        }
        ranks.rank(1).await("waiting", PATIENCE_MS);
        String receive = "    receive from rank 0, tag %d, 8 bytes: no message has matched it; a %s has waited for ";
        Path file = folder.resolve("dump.1");
        // They may get stuck between two looks, which write one after the other.
        for (long start = System.nanoTime();
                !Files.exists(file) || !lastOf(file).contains(String.format(receive, 7, "coroutine"));
                Thread.sleep(20)) {
            assertTrue(
                    System.nanoTime() - start < PATIENCE_MS * 1_000_000,
                    () -> "no coroutine in what is written: " + ranks.rank(1).output());
        }
        // Long enough for several looks.
        Thread.sleep(500);
        String text = Files.readString(file);
        assertTrue(lastOf(file).contains(String.format(receive, 8, "future")), text);
        assertTrue(
                text.matches("(?s)sluice: state of rank 1 of 2, process "
                        + ranks.rank(1).pid()
                        + ", job [0-9a-f]{8}, as a call has waited for more than 200 ms"
                        + " \\(sluice.dump.stuck.ms\\)\n"
                        + ".*"),
                text);
        assertTrue(text.lines().filter(line -> line.startsWith("sluice: state")).count() <= 2, text);
        ranks.rank(0).tell("send");
        ranks.allEndWell(PATIENCE_MS);
    }

    /** Those that begin before the recording is noticed are in it from then on. */
    @Tag("all")
    @Test
    void slowCoroutinesAndFuturesAreRecordedHoweverTheyEnd() throws Exception {
        ranks.job(2);
        for (int rank = 0; rank < 2; rank++) {
            ranks.start(rank, "org.sluice.coroutines.RecordedCallRanksKt");
        }
        ranks.rank(1).await("begun", PATIENCE_MS);
        ranks.rank(0).tell("send");
        ranks.rank(1).await("closed DEVICE_CLOSED", PATIENCE_MS);
        for (String expected : List.of(
                "coroutine receive 0 1 8 done",
                "future receive 0 2 8 done",
                "coroutine receive 0 3 8 done",
                "future receive 0 4 8 done",
                "coroutine send 0 5 16 done",
                "coroutine receive 0 6 8 CANCELLED",
                "coroutine receive 0 7 8 DEVICE_CLOSED")) {
            assertEquals("", ranks.rank(1).await("slow " + expected, PATIENCE_MS), expected);
        }
        for (int rank = 0; rank < 2; rank++) {
            ranks.rank(rank).tell("end");
        }
        ranks.allEndWell(PATIENCE_MS);
    }

    private static String lastOf(Path file) throws IOException {
        String text = Files.readString(file);
        return text.endsWith("sluice: end of the state of rank 1\n")
                ? text.substring(text.lastIndexOf("sluice: state"))
                : "";
    }
}
