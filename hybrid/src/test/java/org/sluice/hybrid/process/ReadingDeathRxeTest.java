package org.sluice.hybrid.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.sluice.device.option.Option;

/** kill -9 of a rank while another reads its memory by RDMA, and what those see of it who look inside. */
@Tag("all")
@Tag("verbs-deaths")
final class ReadingDeathRxeTest {
    private static final long PATIENCE_MS = 60_000L * RankJvms.PATIENCE;

    /** More than sluice.peer.check.ms: the recorder is told of connections when the peers are looked at. */
    private static final long NOTICED_MS = 500;

    @RegisterExtension
    final RankJvms ranks = new RankJvms().option(Option.CHANNELS, "ib").option(Option.IB_RENDEZVOUS, "read");

    @Test
    void theReceiveFailsAndItsBufferIsTheProgramsAgain() throws Exception {
        theReceiveFails(ReadingRanks.OBSERVED);
    }

    /** The recorder, which takes an emulated JVM more than ten seconds to start. */
    @Tag("long")
    @Test
    void theFlightRecorderHasTheConnectionsAndTheDeath() throws Exception {
        theReceiveFails(ReadingRanks.RECORDED);
        String connects = ranks.rank(0).await("connects", PATIENCE_MS);
        assertMatches(connects, ".*2 ib READY;.*2 ib FAILED;.*");
        assertMatches(connects, ".*1 ib IDLE;.*1 ib READY;.*");
        assertMatches(ranks.rank(0).await("failures", PATIENCE_MS), ".*2 PEER_DEAD;.*");
    }

    private void theReceiveFails(String how) throws Exception {
        ranks.startAll(3, ReadingRanks.class, how);
        String dump = ranks.rank(0).await("dump", PATIENCE_MS);
        assertMatches(dump, ".*Connection\\[to 1 at .*?, IDLE, .*");
        assertMatches(
                dump,
                ".*Connection\\[to 2 at .*?, READY, SendQueue\\[\\d+ on the way, .*?Credits\\[may send \\d+, has lent"
                        + " [1-9]\\d* of [1-9]\\d*\\].*");
        ranks.rank(0).await("ready", PATIENCE_MS);
        Thread.sleep(NOTICED_MS);
        ranks.rank(2).kill();
        String failure = ranks.rank(0).await("receive failed", PATIENCE_MS);
        assertTrue(failure.startsWith("PEER_DEAD 2 "), failure);
        assertMatches(ranks.rank(0).await("channel ib", PATIENCE_MS), ".*registrations=[1-9].*work\\.requests=[1-9].*");
        String other = ranks.rank(0).await("peer 1", PATIENCE_MS);
        assertMatches(other, "ib sent 1 of 524288, came 1, \\{.*sent\\.bytes=524288, sent\\.rendezvous=1\\}, failed:");
        String dead = ranks.rank(0).await("peer 2", PATIENCE_MS);
        assertMatches(dead, "ib sent 0 of 0, came [1-9]\\d*, \\{.*\\}, failed: .*rank 2.*");
        ranks.rank(0).await("done", PATIENCE_MS);
        assertEquals(0, ranks.rank(0).exit(PATIENCE_MS));
        assertEquals(0, ranks.rank(1).exit(PATIENCE_MS));
    }

    private static void assertMatches(String text, String pattern) {
        assertTrue(text.matches(pattern), text);
    }
}
