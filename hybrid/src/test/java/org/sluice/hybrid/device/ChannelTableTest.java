package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class ChannelTableTest {
    private static String[] none(int ranks) {
        String[] reasons = new String[ranks];
        Arrays.fill(reasons, "");
        return reasons;
    }

    @Test
    void ranksStandByTheirChannelAndTheFastestComesFirst() {
        assertEquals(
                "sluice: rank 2 of 7 reaches rank 1 by threads, ranks 0, 5 by shm, ranks 3, 4, 6 by ib",
                ChannelTable.text(2, new String[] {"shm", "threads", "threads", "ib", "ib", "shm", "ib"}, none(7), ""));
    }

    @Test
    void whyThereIsNoIbIsSaid() {
        assertEquals(
                "sluice: rank 0 of 2 reaches rank 1 by shm; no ib: no device",
                ChannelTable.text(0, new String[] {"threads", "shm"}, none(2), "no device"));
    }

    @Test
    void whyARankOfThisMachineGoesAnotherWayIsSaidOnceForEachReason() {
        assertEquals(
                "sluice: rank 0 of 5 reaches rank 1 by shm, ranks 2 to 4 by ib; no shm to ranks 2, 4: another user; no"
                        + " shm to rank 3: another folder",
                ChannelTable.text(
                        0,
                        new String[] {"threads", "shm", "ib", "ib", "ib"},
                        new String[] {"", "", "another user", "another folder", "another user"},
                        ""));
    }

    @Test
    void oneRankReachesItself() {
        assertEquals(
                "sluice: rank 0 of 1 reaches itself alone",
                ChannelTable.text(0, new String[] {"threads"}, none(1), ""));
    }
}
