package org.sluice.hybrid.process;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Ranks that wait leave the cores to others. */
@Tag("once")
@Timeout(60)
final class WaitingProcessTest {
    private static final long PATIENCE_MS = 20_000;
    /** Who spins, or only yields, uses all of one. */
    private static final double MOST_SHARE = 0.25;

    private static final double MOST_SLEEPS = 300;
    private static final int SHORT_MS = 1500;
    private static final int LONG_MS = 10_000;

    @RegisterExtension
    final RankJvms ranks = new RankJvms();

    @Test
    void aRankThatWaitsForAMessageUsesLittleOfACore() throws Exception {
        assertIdle(SHORT_MS);
    }

    @Test
    @Tag("all")
    void aRankThatWaitsTenSecondsUsesLittleOfACore() throws Exception {
        assertIdle(LONG_MS);
    }

    /** What a wake-up costs is the machine's, three times as much where others use it; how many there are is ours. */
    private void assertIdle(int waitMs) throws Exception {
        ranks.startAll(2, WaitingRanks.class, "wait");
        ranks.rank(0).await("sleeping", PATIENCE_MS);
        ranks.rank(1).await("waiting", PATIENCE_MS);
        Thread.sleep(200);
        long before = ranks.rank(1).processorMs();
        Map<String, Long> sleepsBefore = ranks.rank(1).sleeps();
        long start = System.nanoTime();
        Thread.sleep(waitMs);
        long usedMs = ranks.rank(1).processorMs() - before;
        double share = 1e6 * usedMs / (System.nanoTime() - start);
        double sleeps = sleepsSince(sleepsBefore) * 1e9 / (System.nanoTime() - start);
        System.out.printf("a rank that waits uses %.1f %% of a core, %.0f sleeps/s%n", 100 * share, sleeps);
        assertTrue(share < MOST_SHARE, usedMs + " ms of " + waitMs);
        assertTrue(sleeps < MOST_SLEEPS, sleeps + " a second");
        ranks.rank(0).tell("send");
        ranks.allEndWell(PATIENCE_MS);
    }

    /** Of rank 1: a thread that has ended since takes none of the others' away. */
    private long sleepsSince(Map<String, Long> before) throws IOException {
        return ranks.rank(1).sleeps().entrySet().stream()
                .mapToLong(each -> Math.max(0, each.getValue() - before.getOrDefault(each.getKey(), 0L)))
                .sum();
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
