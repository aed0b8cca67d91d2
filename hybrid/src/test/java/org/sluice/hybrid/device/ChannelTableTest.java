package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class ChannelTableTest {
    @Test
    void ranksStandByTheirChannelAndTheFastestComesFirst() {
        assertEquals("sluice: rank 2 of 7 reaches rank 1 by threads, ranks 0, 5 by shm, ranks 3, 4, 6 by ib",
                ChannelTable.text(2, new String[] {"shm", "threads", "threads", "ib", "ib", "shm", "ib"}, ""));
    }

    @Test
    void whyThereIsNoIbIsSaid() {
        assertEquals("sluice: rank 0 of 2 reaches rank 1 by shm; no ib: no device", ChannelTable.text(0, new String[] {"threads", "shm"}, "no device"));
    }

    @Test
    void oneRankReachesItself() {
        assertEquals("sluice: rank 0 of 1 reaches itself alone", ChannelTable.text(0, new String[] {"threads"}, ""));
    }
}
