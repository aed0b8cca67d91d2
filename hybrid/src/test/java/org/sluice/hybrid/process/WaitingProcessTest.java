package org.sluice.hybrid.process;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Ranks that wait leave the cores to others. */
@Tag("once")
@Timeout(60)
final class WaitingProcessTest {
    private static final long PATIENCE_MS = 20_000;
    private static final int SHORT_MS = 1500;
    private static final int LONG_MS = 10_000;

    @RegisterExtension
    final RankJvms ranks = new RankJvms();

    /** Of which the clock counts ticks of 10 ms. */
    @Test
    void aRankThatWaitsForAMessageUsesLittleOfACore() throws Exception {
        assertIdle(SHORT_MS, 0.1);
    }

    @Test
    @Tag("all")
    void aRankThatWaitsTenSecondsUsesUnderATwentiethOfACore() throws Exception {
        assertIdle(LONG_MS, 0.05);
    }

    private void assertIdle(int waitMs, double limit) throws Exception {
        ranks.startAll(2, WaitingRanks.class, "wait");
        ranks.rank(0).await("sleeping", PATIENCE_MS);
        ranks.rank(1).await("waiting", PATIENCE_MS);
        Thread.sleep(200);
        long before = ranks.rank(1).processorMs();
        long start = System.nanoTime();
        Thread.sleep(waitMs);
        long usedMs = ranks.rank(1).processorMs() - before;
        double share = 1e6 * usedMs / (System.nanoTime() - start);
        System.out.printf("a rank that waits uses %.1f %% of a core%n", 100 * share);
        assertTrue(share < limit, usedMs + " ms of " + waitMs);
        ranks.rank(0).tell("send");
        ranks.allEndWell(PATIENCE_MS);
    }

    @Test
    void fourRanksPassMessagesAroundARingPromptly() throws Exception {
        ranks.startAll(4, WaitingRanks.class, "ring");
        for (int rank = 0; rank < 4; rank++) {
            System.out.println(
                    "ring of 4, rank " + rank + ": " + ranks.rank(rank).await("exchanged", PATIENCE_MS));
        }
        ranks.allEndWell(PATIENCE_MS);
    }
}
