package org.sluice.hybrid.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.sluice.device.option.Option;

/** kill -9 of a rank to which messages go that share packets. */
@Tag("long")
@Tag("verbs-deaths")
final class FloodedDeathRxeTest {
    private static final long PATIENCE_MS = 60_000L * RankJvms.PATIENCE;

    @RegisterExtension
    final RankJvms ranks = new RankJvms().option(Option.CHANNELS, "ib").option(Option.IB_WINDOW, 8);

    @Test
    void theSendsFailAndOthersGoOn() throws Exception {
        ranks.startAll(3, FloodingRanks.class);
        ranks.rank(0).await("ready", PATIENCE_MS);
        Thread.sleep(150);
        ranks.rank(2).kill();
        String failure = ranks.rank(0).await("send failed", PATIENCE_MS);
        assertTrue(failure.startsWith("PEER_DEAD 2 "), failure);
        ranks.rank(0).await("done", PATIENCE_MS);
        assertEquals(0, ranks.rank(0).exit(PATIENCE_MS));
        assertEquals(0, ranks.rank(1).exit(PATIENCE_MS));
    }
}
