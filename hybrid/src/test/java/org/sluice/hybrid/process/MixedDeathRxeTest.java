package org.sluice.hybrid.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.device.option.Option;

/**
 * kill -9 of a rank in a job of three that is spread over two channels: whichever of them led to it, both others hear
 * of the death while they are in something that concerns the dead one, talk to each other by theirs all the while, and
 * go on.
 */
@Tag("long")
@Tag("verbs-deaths")
@Timeout(300)
final class MixedDeathRxeTest {
    private static final int VICTIM = 2;
    private static final long PATIENCE_MS = 60_000L * RankJvms.PATIENCE;

    @RegisterExtension
    final RankJvms ranks = new RankJvms().option(Option.CHANNELS_SHOW, "on");

    /** @param apart the rank that is reached over verbs alone: the one that dies, or one that lives on */
    @ParameterizedTest
    @CsvSource({"posted-wildcard, 2", "posted-wildcard, 1", "barrier, 1", "barrier, 2", "closing, 1", "closing, 2"})
    void atEachStepTheOthersHearOfADeathByEitherChannel(String step, int apart) throws Exception {
        killAtStep(step, apart);
    }

    private void killAtStep(String step, int apart) throws Exception {
        ranks.apart(apart).startAll(3, DyingRanks.class, step);
        ranks.rank(0)
                .await(
                        "sluice: rank 0 of 3 reaches "
                                + (apart == 2 ? "rank 1 by shm, rank 2 by ib" : "rank 2 by shm, rank 1 by ib"),
                        PATIENCE_MS);
        for (int rank = 0; rank < 3; rank++) {
            ranks.rank(rank).await("ready", PATIENCE_MS);
        }
        Thread.sleep(100);
        ranks.rank(VICTIM).kill();
        if (step.equals("closing")) {
            // They look at the dead rank only later.
            Thread.sleep(300);
            ranks.rank(0).tell("killed");
            ranks.rank(1).tell("killed");
        }
        for (int rank = 0; rank < VICTIM; rank++) {
            for (String call : List.of("step", "send", "receive", "wildcard", "receive after acknowledge")) {
                String failure = ranks.rank(rank).await(call + " failed", PATIENCE_MS);
                assertTrue(failure.startsWith("PEER_DEAD " + VICTIM + " "), failure);
            }
            ranks.rank(rank).await("closed", PATIENCE_MS);
            assertEquals(0, ranks.rank(rank).exit(PATIENCE_MS));
        }
    }
}
