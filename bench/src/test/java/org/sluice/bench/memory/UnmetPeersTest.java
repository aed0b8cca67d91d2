package org.sluice.bench.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class UnmetPeersTest {
    private static final long OF_JVM = 5_000_000;
    private static final long OF_RANK = 70_000;
    private static final long OF_PEER = 300;

    @Test
    void whatEachPeerTakesIsToldFromTheRest() {
        assertEquals(OF_PEER, UnmetPeers.bytesOfEach(held(8), held(24), held(40)), 1e-9);
    }

    private static long held(int ranks) {
        return OF_JVM + OF_RANK * ranks + OF_PEER * ranks * (ranks - 1);
    }
}
