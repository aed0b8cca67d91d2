package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The suite over all three channels at once: of each job's ranks the first says that it lives on a node of its own, the second and fourth share a JVM, and the
 * third has one of its own beside them.
 */
@Tag("verbs")
@Tag("long")
final class MixedDeviceRxeTest implements VerbsCases, StormCases {
    private static final int SLOWER = 20;

    @Override
    public Map<String, String> options() {
        return Map.of();
    }

    @Override
    public Whereabouts whereabouts() {
        return new Whereabouts(rank -> rank % 2, rank -> Math.min(rank, 1));
    }

    @Override
    public int many(int count) {
        return count / SLOWER;
    }

    @Test
    void eachPeerIsReachedByTheFastestChannel() {
        try (DeviceJob job = open(4)) {
            assertEquals("ib shm threads", job.device(1).channelTo(0) + " " + job.device(1).channelTo(2) + " " + job.device(1).channelTo(3));
        }
    }
}
