package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the suite has over all three channels that each of them alone can't show. */
@Tag("all")
@Tag("verbs")
final class MixedDeviceRxeTest extends AllChannels implements StormCases, ArrivalOrderCases {
    @Override
    public int stormRanks() {
        return 4;
    }

    @Override
    public int stormSeconds() {
        return 2;
    }

    @Override
    public List<String> channelsOfRankOne() {
        return List.of("ib", "shm", "threads");
    }

    @Test
    void eachPeerIsReachedByTheFastestChannel() {
        try (DeviceJob job = open(4)) {
            assertEquals(
                    "ib shm threads",
                    job.device(1).channelTo(0) + " " + job.device(1).channelTo(2) + " "
                            + job.device(1).channelTo(3));
        }
    }
}
