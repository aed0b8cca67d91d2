package org.sluice.hybrid.process;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.device.option.Option;

/** As {@link CollectiveDeathProcessTest}, over verbs, and with one of the four on a node of its own. */
@Tag("all")
@Tag("verbs-deaths")
@Timeout(300)
final class CollectiveDeathRxeTest {
    /** Without a launcher that tells of it, on processors that are emulated. */
    private static final long NOTICE_MS = 5_000L * RankJvms.PATIENCE;

    /** Beside the other tests an emulated processor may not come to the kernel's own threads for seconds. */
    private static final int ACK_TIMEOUT = 18;

    private static final int CONNECT_TIMEOUT_MS = 60_000;

    private static final int NONE = -1;

    @RegisterExtension
    final RankJvms ranks = new RankJvms();

    @Test
    void ofARankThatIsApart() throws Exception {
        allOthersHearOfIt("broadcast", 50000, 3, 3);
    }

    @ParameterizedTest
    @Tag("long")
    @CsvSource({"allReduce, 1000, 1, -1", "barrier, 0, 2, 0"})
    void allOthersHearOfIt(String call, int count, int victim, int apart) throws Exception {
        ranks.option(Option.IB_ACK_TIMEOUT, ACK_TIMEOUT).option(Option.IB_CONNECT_TIMEOUT_MS, CONNECT_TIMEOUT_MS);
        if (apart == NONE) {
            ranks.option(Option.CHANNELS, "ib");
        } else {
            ranks.apart(apart);
        }
        long latest = CollectiveDeathProcessTest.latestMs(ranks, call, count, victim, 50);
        assertTrue(latest <= NOTICE_MS, latest + " ms");
    }
}
