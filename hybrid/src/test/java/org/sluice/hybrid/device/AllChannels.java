package org.sluice.hybrid.device;

import java.util.Map;

/**
 * All three channels at once: of each job's ranks the first says that it lives on a node of its own, the second and
 * fourth share a JVM, and the third has one of its own beside them.
 */
abstract class AllChannels implements DeviceCases {
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
}
