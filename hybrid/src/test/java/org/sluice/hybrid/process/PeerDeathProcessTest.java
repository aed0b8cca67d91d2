package org.sluice.hybrid.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** kill -9 of a rank at numbered steps: whoever has to do with it hears of it, and all others go on. */
@Timeout(60)
final class PeerDeathProcessTest {
    private static final int VICTIM = 2;
    /** A second is promised, and most take what a look at the peers takes, 200 ms, and a little; but the ranks here outnumber the processors. */
    private static final long NOTICE_MS = 3000;
    private static final long PATIENCE_MS = 20_000;

    @RegisterExtension
    final RankJvms ranks = new RankJvms();

    @ParameterizedTest
    @ValueSource(strings = {"posted-receive", "posted-wildcard", "probe", "polled-probe", "polled-request", "flood", "flood-to-sleeper",
        "rendezvous-receiver", "rendezvous-sender", "rendezvous-sender-message-buffer", "synchronous-send", "victim-holds-lease",
        "lease-of-victim", "barrier", "sent-before", "unreceived-rendezvous", "closing"})
    void theOthersHearOfADeathAndGoOn(String step) throws Exception {
        ranks.startAll(3, DyingRanks.class, step);
        for (int rank = 0; rank < 3; rank++) {
            ranks.rank(rank).await("ready", PATIENCE_MS);
        }
        // Into the middle of what is going on.
        Thread.sleep(100);
        long killed = System.nanoTime();
        ranks.rank(VICTIM).kill();
        if (List.of("sent-before", "unreceived-rendezvous", "closing").contains(step)) {
            // These look at the dead rank only later.
            Thread.sleep(300);
            killed = System.nanoTime();
            ranks.rank(0).tell("killed");
            ranks.rank(1).tell("killed");
        }
        for (int rank = 0; rank < VICTIM; rank++) {
            String failure = ranks.rank(rank).await("step failed", PATIENCE_MS);
            long noticedMs = (System.nanoTime() - killed) / 1_000_000;
            System.out.println(step + ": rank " + rank + " noticed within " + noticedMs + " ms");
            assertTrue(failure.startsWith("PEER_DEAD " + VICTIM + " "), failure);
            assertTrue(noticedMs < NOTICE_MS, noticedMs + " ms");
        }
        for (int rank = 0; rank < VICTIM; rank++) {
            for (String call : List.of("send", "receive", "wildcard", "receive after acknowledge")) {
                String failure = ranks.rank(rank).await(call + " failed", PATIENCE_MS);
                assertTrue(failure.startsWith("PEER_DEAD " + VICTIM + " "), failure);
            }
            ranks.rank(rank).await("closed", PATIENCE_MS);
            assertEquals(0, ranks.rank(rank).exit(PATIENCE_MS));
        }
    }

    @Test
    void aBarrierFailsOnEveryRankThatLives() throws Exception {
        int size = 5;
        ranks.startAll(size, BarrierRanks.class);
        ranks.rank(size - 1).await("ready", PATIENCE_MS);
        Thread.sleep(200);
        ranks.rank(size - 1).kill();
        for (int rank = 0; rank < size - 1; rank++) {
            for (String barrier : List.of("first", "second")) {
                String failure = ranks.rank(rank).await(barrier + " failed", PATIENCE_MS);
                assertTrue(failure.startsWith("PEER_DEAD " + (size - 1) + " "), failure);
            }
            assertEquals(0, ranks.rank(rank).exit(PATIENCE_MS));
        }
    }

    @Test
    void aDeathEndsWhatCloseWaitsFor() throws Exception {
        ranks.startAll(2, ClosingRanks.class, "to-dead-peer");
        ranks.rank(0).await("closing", PATIENCE_MS);
        Thread.sleep(200);
        long killed = System.nanoTime();
        ranks.rank(1).kill();
        ranks.rank(0).await("closed", PATIENCE_MS);
        long closedMs = (System.nanoTime() - killed) / 1_000_000;
        System.out.println("close: ended within " + closedMs + " ms");
        assertTrue(closedMs < NOTICE_MS, closedMs + " ms");
        assertEquals(0, ranks.rank(0).exit(PATIENCE_MS));
    }

    @Test
    void aJobThatIsKilledWholeLeavesNothing() throws Exception {
        ranks.startAll(3, DyingRanks.class, "rendezvous-sender");
        for (int rank = 0; rank < 3; rank++) {
            ranks.rank(rank).await("ready", PATIENCE_MS);
        }
        assertEquals(List.of(), ranks.segmentFiles(), "names of segments of an open job");
        for (int rank = 0; rank < 3; rank++) {
            ranks.rank(rank).signal("KILL");
        }
        for (int rank = 0; rank < 3; rank++) {
            assertEquals(137, ranks.rank(rank).exit(PATIENCE_MS));
        }
        assertEquals(List.of(), ranks.segmentFiles());
    }
}
