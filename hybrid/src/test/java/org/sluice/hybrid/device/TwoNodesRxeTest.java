package org.sluice.hybrid.device;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What {@link IbDeviceRxeTest} shows within one guest of sends, over a wire: half of each job's ranks are in another.
 * The rest is {@link OtherTwoNodesRxeTest}'s.
 */
@Tag("all")
@Tag("verbs-nodes")
final class TwoNodesRxeTest implements VerbsCases, SendCases {
    @RegisterExtension
    static final TwoNodes NODES = new TwoNodes();

    private static final int SLOWER = 20;

    @Override
    public TwoNodes nodes() {
        return NODES;
    }

    @Override
    public int many(int count) {
        return count / SLOWER;
    }
}
