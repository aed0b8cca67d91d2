package org.sluice.hybrid.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.device.option.Option;

/** kill -9 of a rank that writes to a landing ring and is written to. */
@Tag("long")
@Tag("verbs-deaths")
final class LandingDeathRxeTest {
    private static final long PATIENCE_MS = 60_000L * RankJvms.PATIENCE;

    @RegisterExtension
    final RankJvms ranks = new RankJvms().option(Option.CHANNELS, "ib");

    @Test
    void aPeerThatWritesAndIsWrittenTo() throws Exception {
        theExchangeFailsAndOthersGoOn("write", LandingRanks.EXCHANGES);
    }

    @ParameterizedTest
    @CsvSource({"write," + LandingRanks.COMPUTES, "write-imm," + LandingRanks.EXCHANGES})
    void aPeerThatComputesOrTellsOfItsWrites(String eager, String what) throws Exception {
        theExchangeFailsAndOthersGoOn(eager, what);
    }

    private void theExchangeFailsAndOthersGoOn(String eager, String what) throws Exception {
        ranks.option(Option.IB_EAGER, eager).startAll(3, LandingRanks.class, what);
        ranks.rank(0).await("ready", PATIENCE_MS);
        Thread.sleep(300);
        ranks.rank(2).kill();
        String failure = ranks.rank(0).await("exchange failed", PATIENCE_MS);
        assertTrue(failure.startsWith("PEER_DEAD 2 "), failure);
        ranks.rank(0).await("done", PATIENCE_MS);
        assertEquals(0, ranks.rank(0).exit(PATIENCE_MS));
        assertEquals(0, ranks.rank(1).exit(PATIENCE_MS));
    }
}
