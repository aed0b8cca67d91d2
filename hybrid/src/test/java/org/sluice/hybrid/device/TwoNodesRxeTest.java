package org.sluice.hybrid.device;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The suite over verbs with half of each job's ranks in another guest: what {@link IbDeviceRxeTest} shows within one, over a wire. Its floods and
 * storms are left to that: a wire adds nothing to them but time.
 */
@Tag("verbs-nodes")
final class TwoNodesRxeTest implements VerbsCases, RouteTransferCases, HandlerCases {
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
