package org.sluice.coroutines;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.sluice.hybrid.process.RankJvms;

/**
 * One buffer is received into from either of two ranks, one of which is killed: nobody writes to it, and the other's
 * message is received by the next.
 */
@Tag("once")
@Timeout(60)
final class SelectDeathProcessTest {
    private static final long PATIENCE_MS = 20_000;

    @RegisterExtension
    final RankJvms ranks = new RankJvms();

    @Test
    void theDeathOfOneOfItsSourcesEndsAReceiveUnderSeveralPatterns() throws Exception {
        ranks.job(3);
        for (int rank = 0; rank < 3; rank++) {
            ranks.start(rank, "org.sluice.coroutines.SelectingRanksKt");
        }
        ranks.rank(1).await("ready", PATIENCE_MS);
        ranks.rank(0).await("waiting", PATIENCE_MS);
        ranks.rank(1).kill();
        assertEquals("PEER_DEAD 1", ranks.rank(0).await("select", PATIENCE_MS));
        assertEquals(0, ranks.rank(0).exit(PATIENCE_MS));
        assertEquals(0, ranks.rank(2).exit(PATIENCE_MS));
    }
}
