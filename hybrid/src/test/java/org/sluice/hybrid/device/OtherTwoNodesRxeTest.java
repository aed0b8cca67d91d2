package org.sluice.hybrid.device;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What of {@link WireCases} {@link TwoNodesRxeTest} leaves out: two emulated guests on two cores take some seconds for
 * each case.
 */
@Tag("long")
@Tag("verbs-nodes")
final class OtherTwoNodesRxeTest
        implements VerbsCases, RequestCases, ProbeCases, CancelledSendCases, RouteTransferCases, HandlerCases {
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
