package org.sluice.hybrid.process;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.device.option.Option;

/**
 * A rank that can open no more files says so, with the limit and what to do; the others are told, what is connected
 * goes on, and so does it once there are some.
 */
@Tag("all")
@Tag("once")
@Timeout(120)
final class FewFilesProcessTest {
    private static final long PATIENCE_MS = 30_000;
    private static final int LIMIT = 200;
    private static final String WORDS = "this process has all the files and sockets open that it may";
    private static final String LIMITED = WORDS + ", " + LIMIT + " (ulimit -n): raise that";
    private static final int CONNECT_MS = 1500;
    private static final int PEERS = 5;

    @RegisterExtension
    final RankJvms ranks = new RankJvms();

    @BeforeEach
    void limit() {
        ranks.option(Option.CHANNELS, "tcp")
                .option(Option.TCP_INTERFACE, "127.0.0.1")
                .option(Option.TCP_CONNECT_TIMEOUT_MS, CONNECT_MS)
                // Whoever is asked whether it is still there takes files, and gives them back.
                .option(Option.TCP_KEEPALIVE_MS, 0)
                .prefix(0, "sh", "-c", "ulimit -n " + LIMIT + "; exec \"$@\"", "sh");
    }

    @ParameterizedTest
    @CsvSource({"0, rank 0 can't reach its job's launcher", "8, listening at /127.0.0.1:0 failed"})
    void oneThatOpensWithoutSaysSoAndTheOthersDoNotWait(int few, String what) throws Exception {
        ranks.startAll(2, FewFilesRanks.class, Integer.toString(few));
        String said = ranks.rank(0).await("failed ", PATIENCE_MS);
        assertTrue(said.startsWith("NO_MEMORY ") && said.contains(what + ": " + WORDS), said);
        // Of which none was left to read the number.
        assertTrue(said.contains(few == 0 ? WORDS + " (ulimit -n): raise that" : LIMITED), said);
        ranks.rank(0).exit(PATIENCE_MS);
        ranks.server().rankDied(0);
        String other = ranks.rank(1).await("failed ", PATIENCE_MS);
        assertTrue(other.startsWith("OPEN_FAILED ") && other.contains("rank 0"), other);
    }

    @Test
    void oneThatLosesThemGoesOnWithWhomItHas() throws Exception {
        ranks.startAll(PEERS, FewFilesRanks.class);
        String dialled = ranks.rank(0).await("send failed ", PATIENCE_MS);
        assertTrue(dialled.startsWith("PEER_DEAD 2 ") && dialled.contains("127.0.0.1 port "), dialled);
        assertTrue(dialled.contains(LIMITED), dialled);
        ranks.rank(0).await("waits", PATIENCE_MS);

        long before = ranks.rank(0).processorMs();
        long start = System.nanoTime();
        ranks.rank(3).tell("send");
        String refused = ranks.rank(3).await("send failed ", PATIENCE_MS);
        long usedMs = ranks.rank(0).processorMs() - before;
        long tookMs = (System.nanoTime() - start) / 1_000_000;
        assertTrue(refused.startsWith("PEER_DEAD 0 ") && refused.contains("127.0.0.1 port "), refused);
        assertTrue(refused.contains("took the connection, and did not answer in time"), refused);
        ranks.rank(0).await("sluice: rank 0 can't take a connection that another rank makes to it: " + LIMITED, 0);
        assertTrue(usedMs < tookMs / 4, "it was busy for " + usedMs + " of " + tookMs + " ms");

        ranks.rank(1).tell("send");
        ranks.rank(0).await("heard", PATIENCE_MS);
        ranks.rank(4).tell("send");
        Thread.sleep(CONNECT_MS / 3);
        ranks.rank(0).tell("close them");
        ranks.rank(2).tell("end");
        ranks.allEndWell(PATIENCE_MS);
    }
}
