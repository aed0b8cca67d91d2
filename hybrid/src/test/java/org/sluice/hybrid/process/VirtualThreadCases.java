package org.sluice.hybrid.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.sluice.device.option.Option;
import org.sluice.launch.JavaHome;

/**
 * Virtual threads of two processes wait for each other over one channel. Rank 0 parks without spinning or yielding
 * first, and has one carrier: a single thread that holds it keeps all others from it. Rank 1 waits as it likes, and has
 * two.
 */
abstract class VirtualThreadCases {
    private static final long PATIENCE_MS = 120_000;
    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

    @RegisterExtension
    final RankJvms ranks = new RankJvms();

    VirtualThreadCases(String channel) {
        ranks.option(Option.CHANNELS, channel).option(0, Option.WAIT_SPIN_US, 0).option(0, Option.WAIT_YIELD_US, 0);
    }

    /** This one, or where tests run on the older alone the newer that whoever runs them has found. */
    private static JavaHome withVirtualThreads() {
        JavaHome ours = JavaHome.current();
        if (ours.feature() >= FIRST_WITH_VIRTUAL_THREADS) {
            return ours;
        }
        String second = System.getProperty("sluice.test.second.jdk", "");
        assumeTrue(
                !second.isEmpty(),
                "virtual threads came with JDK 21, this is " + ours.feature() + ", and no newer one was named");
        return JavaHome.of(Path.of(second));
    }

    @Test
    void hundredsWaitForEachOtherOnOneCarrierOrTwo() throws Exception {
        run();
        int parks = Integer.parseInt(ranks.rank(0).await("parks ", PATIENCE_MS));
        assertTrue(
                parks >= VirtualRanks.THREADS,
                "of " + VirtualRanks.THREADS + " threads that all waited at once, with no spinning, only " + parks
                        + " parked");
    }

    /** In a guest a flight recorder takes a JVM longer to start than all else. */
    @Test
    @Tag("all")
    void noneIsRecordedThatHeldItsCarrier() throws Exception {
        run(VirtualRanks.RECORDED);
        assertEquals(
                "[] []",
                ranks.rank(0).await("pinned ", PATIENCE_MS) + " "
                        + ranks.rank(1).await("pinned ", PATIENCE_MS));
    }

    private void run(String... arguments) throws Exception {
        ranks.java(withVirtualThreads()).job(2);
        for (int rank = 0; rank < 2; rank++) {
            int carriers = rank + 1;
            ranks.flag("-Djdk.virtualThreadScheduler.parallelism=" + carriers)
                    .flag("-Djdk.virtualThreadScheduler.maxPoolSize=" + carriers);
            ranks.start(rank, VirtualRanks.class, arguments);
        }
        for (int rank = 0; rank < 2; rank++) {
            ranks.rank(rank).await("all came", PATIENCE_MS);
        }
        ranks.allEndWell(PATIENCE_MS);
    }
}
