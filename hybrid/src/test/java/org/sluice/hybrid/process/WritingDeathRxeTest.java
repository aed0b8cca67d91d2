package org.sluice.hybrid.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.sluice.device.option.Option;

/**
 * kill -9 of either end while a message is written by RDMA, or of the receiver while messages leave where the program
 * has them.
 */
@Tag("long")
@Tag("verbs-deaths")
final class WritingDeathRxeTest {
    private static final long PATIENCE_MS = 60_000L * RankJvms.PATIENCE;

    @RegisterExtension
    final RankJvms ranks = new RankJvms().option(Option.CHANNELS, "ib").option(Option.IB_RENDEZVOUS, "write");

    private void kill(Class<?> program, String what) throws Exception {
        ranks.startAll(3, program);
        ranks.rank(0).await("ready", PATIENCE_MS);
        Thread.sleep(150);
        ranks.rank(2).kill();
        String failure = ranks.rank(0).await(what + " failed", PATIENCE_MS);
        assertTrue(failure.startsWith("PEER_DEAD 2 "), failure);
        ranks.rank(0).await("done", PATIENCE_MS);
        assertEquals(0, ranks.rank(0).exit(PATIENCE_MS));
        assertEquals(0, ranks.rank(1).exit(PATIENCE_MS));
    }

    @Test
    void theReceiveFailsWithItsWriterAndIsNotWrittenLater() throws Exception {
        kill(ReadingRanks.class, "receive");
    }

    @Test
    void theSendFailsWithItsReceiver() throws Exception {
        kill(WritingRanks.class, "send");
    }

    @Test
    void messagesThatWereNotCopiedFailWithTheirReceiver() throws Exception {
        kill(LendingRanks.class, "send");
    }
}
