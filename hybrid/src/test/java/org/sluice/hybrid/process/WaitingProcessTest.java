package org.sluice.hybrid.process;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Ranks that wait leave the cores to others. */
@Timeout(60)
final class WaitingProcessTest {
    private static final long PATIENCE_MS = 20_000;
    private static final long WAIT_MS = 3000;

    @RegisterExtension
    final RankJvms ranks = new RankJvms();

    @Test
    void aRankThatWaitsForAMessageUsesLittleOfACore() throws Exception {
        ranks.startAll(2, WaitingRanks.class, "wait");
        ranks.rank(0).await("sleeping", PATIENCE_MS);
        ranks.rank(1).await("waiting", PATIENCE_MS);
        Thread.sleep(200);
        long before = ranks.rank(1).processorMs();
        long start = System.nanoTime();
        Thread.sleep(WAIT_MS);
        long usedMs = ranks.rank(1).processorMs() - before;
        double share = 1e6 * usedMs / (System.nanoTime() - start);
        System.out.printf("a rank that waits uses %.1f %% of a core%n", 100 * share);
        assertTrue(share < 0.1, usedMs + " ms of " + WAIT_MS);
        ranks.rank(0).tell("send");
        ranks.allEndWell(PATIENCE_MS);
    }

    @Test
    void fourRanksPassMessagesAroundARingPromptly() throws Exception {
        ranks.startAll(4, WaitingRanks.class, "ring");
        for (int rank = 0; rank < 4; rank++) {
            System.out.println("ring of 4, rank " + rank + ": " + ranks.rank(rank).await("exchanged", PATIENCE_MS));
        }
        ranks.allEndWell(PATIENCE_MS);
    }
}
