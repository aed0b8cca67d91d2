package org.sluice.hybrid.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.option.Option;

/** A rank leaves in good order, and what the others see of that. */
@Tag("once")
@Timeout(60)
final class CloseProcessTest {
    private static final long PATIENCE_MS = 20_000;

    @RegisterExtension
    final RankJvms ranks = new RankJvms();

    @ParameterizedTest
    @ValueSource(strings = {"early", "exit"})
    void whatWasSentBeforeTheCloseStaysReceivable(String way) throws Exception {
        ranks.startAll(2, ClosingRanks.class, way);
        ranks.rank(0).await("early", PATIENCE_MS);
        if (way.equals("exit")) {
            assertEquals(0, ranks.rank(0).exit(PATIENCE_MS));
            // Longer than peers look for each other's life.
            Thread.sleep(500);
        }
        ranks.rank(1).tell("go");
        expectClosed();
        ranks.allEndWell(PATIENCE_MS);
    }

    private void expectClosed() throws InterruptedException {
        for (String call : List.of("receive", "send", "probe", "iprobe")) {
            String failure = ranks.rank(1).await(call + " failed", PATIENCE_MS);
            assertTrue(failure.startsWith("PEER_CLOSED 0 "), failure);
        }
    }

    @Test
    void postedReceivesEndWithTheirDevice() throws Exception {
        ranks.startAll(2, ClosingRanks.class, "posted");
        assertTrue(ranks.rank(0).await("posted failed", PATIENCE_MS).startsWith("DEVICE_CLOSED"));
        expectClosed();
        ranks.allEndWell(PATIENCE_MS);
    }

    @Test
    void wildcardReceivesOutliveACleanClose() throws Exception {
        ranks.startAll(2, ClosingRanks.class, "wildcard");
        ranks.allEndWell(PATIENCE_MS);
    }

    @Test
    void sendsThatNobodyReceivedAndNobodyAskedAboutAreToldOf() throws Exception {
        ranks.startAll(2, ClosingRanks.class, "unheard");
        ranks.allEndWell(PATIENCE_MS);
        assertTrue(
                ranks.rank(0)
                        .output()
                        .contains("sluice: rank 0 has closed its device, and the program was never told that these"
                                + " failed: 3 sends to rank 1 (PEER_CLOSED: rank 1 has closed its device);"),
                ranks.rank(0)::output);
        assertFalse(ranks.rank(1).output().contains("sluice: "), ranks.rank(1)::output);
    }

    @Test
    void whoAskedAboutOneOfThemKnows() throws Exception {
        ranks.startAll(2, ClosingRanks.class, "heard");
        assertTrue(ranks.rank(0).await("send failed", PATIENCE_MS).startsWith("PEER_CLOSED 1 "));
        ranks.allEndWell(PATIENCE_MS);
        assertFalse(ranks.rank(0).output().contains("sluice: "), ranks.rank(0)::output);
    }

    @Test
    void whoWaitsForAnybodyWhenAllOthersHaveClosedSaysSoAndWaitsOn() throws Exception {
        ranks.startAll(2, ClosingRanks.class, "abandoned");
        String line =
                "sluice: rank 1 waits for a message from any source, but every other rank has closed its device or is"
                        + " dead";
        assertEquals(": only rank 1 itself could send one", ranks.rank(1).await(line, PATIENCE_MS));
        ranks.rank(1).tell("go");
        ranks.allEndWell(PATIENCE_MS);
        assertEquals(
                2,
                ranks.rank(1).output().split("waits for a message from any source", -1).length,
                "it is said once: " + ranks.rank(1).output());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "serving | 2 | but every other rank has closed its device or is dead",
                "alone | 1 | but the job has no other rank"
            })
    void whoServesWhenNobodyElseCanSendSaysSoAndServesOn(String role, int size, String why) throws Exception {
        ranks.startAll(size, ClosingRanks.class, role);
        int last = size - 1;
        assertEquals(
                ": only rank " + last + " itself could send them a message, or call stop",
                ranks.rank(last).await("sluice: rank " + last + " serves its handlers, " + why, PATIENCE_MS));
        ranks.rank(last).tell("go");
        ranks.allEndWell(PATIENCE_MS);
        assertEquals(
                2,
                ranks.rank(last).output().split("serves its handlers", -1).length,
                "it is said once: " + ranks.rank(last).output());
        assertFalse(ranks.rank(last).output().contains("from any source"), ranks.rank(last)::output);
    }

    @Test
    void aMessageThatNobodyReceivesEndsTheCloseByTimeout() throws Exception {
        ranks.option(Option.CLOSE_TIMEOUT_MS, 700);
        ranks.startAll(2, ClosingRanks.class, "unreceived");
        String failure = ranks.rank(0).await("close failed", PATIENCE_MS);
        assertTrue(failure.startsWith("TIMEOUT 1 after "), failure);
        long tookMs = Long.parseLong(failure.split(" ")[3]);
        assertTrue(tookMs >= 700 && tookMs < 5000, failure);
        assertEquals("DEVICE_CLOSED", ranks.rank(0).await("send", PATIENCE_MS));
        assertEquals(0, ranks.rank(0).exit(PATIENCE_MS));
    }
}
