package org.sluice.hybrid.process;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A rank that does nothing for a while is alive: stopped, in a long collection, or busy with its own work. */
@Tag("once")
@Timeout(60)
final class StoppedRankProcessTest {
    private static final long PATIENCE_MS = 20_000;
    private static final long STOP_MS = 3000;

    @RegisterExtension
    final RankJvms ranks = new RankJvms();

    @Test
    void aStoppedRankIsNoDeadRank() throws Exception {
        ranks.startAll(2, ExchangingRanks.class);
        ranks.rank(0).await("going", PATIENCE_MS);
        ranks.rank(1).signal("STOP");
        Thread.sleep(STOP_MS);
        ranks.rank(1).signal("CONT");
        endWell();
    }

    @Tag("all")
    @Test
    void aRankThatDoesNotCallIsNoDeadRank() throws Exception {
        ranks.startAll(2, ExchangingRanks.class, "pause");
        endWell();
    }

    /** Of whom nothing is held while it reads an array; what is moved meanwhile is streamed. */
    @Tag("all")
    @Test
    void aRankThatIsStoppedWhileItReadsHoldsUpNobody() throws Exception {
        HalfReadRanks.start(ranks, "stopped");
        stopThere("half");
        ranks.rank(1).tell("go on");
        stopThere("reading");
        ranks.allEndWell(PATIENCE_MS);
    }

    private void stopThere(String where) throws Exception {
        ranks.rank(1).await(where, PATIENCE_MS);
        ranks.rank(1).signal("STOP");
        ranks.rank(0).tell(where);
        ranks.rank(0).await("went on: " + where, PATIENCE_MS);
        ranks.rank(1).signal("CONT");
    }

    private void endWell() throws InterruptedException {
        ranks.rank(0).await("going after a pause", PATIENCE_MS);
        ranks.rank(0).tell("end");
        ranks.rank(0).await("ended well", PATIENCE_MS);
        ranks.rank(1).await("ended well", PATIENCE_MS);
        ranks.allEndWell(PATIENCE_MS);
    }
}
