package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The suite over two channels at once: of each job's ranks the second and third say that they share a JVM, and all
 * others are apart on one node.
 */
@Tag("all")
@Tag("once")
final class MixedDeviceTest extends DeviceConformance
        implements LostBufferCases, WithdrawnCases, DroppedBufferCases, ArrivalOrderCases {
    @Override
    public Map<String, String> options() {
        return Map.of();
    }

    @Override
    public Whereabouts whereabouts() {
        return new Whereabouts(rank -> (rank + 1) / 2, rank -> 0);
    }

    @Override
    public int stormSeconds() {
        return 3;
    }

    @Override
    public List<String> channelsOfRankOne() {
        return List.of("shm", "threads");
    }

    @Test
    void eachPeerIsReachedByTheFastestChannel() {
        try (DeviceJob job = open(4)) {
            assertEquals(
                    "shm threads shm",
                    job.device(1).channelTo(0) + " " + job.device(1).channelTo(2) + " "
                            + job.device(1).channelTo(3));
        }
    }
}
