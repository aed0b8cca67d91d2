package org.sluice.hybrid.device;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The suite over verbs with half of each job's ranks in another guest: what {@link IbDeviceRxeTest} shows within one, over a wire. Its floods and
 * storms are left to that: a wire adds nothing to them but time.
 */
@Tag("verbs-nodes")
final class TwoNodesRxeTest implements SendCases, BufferCases, RequestCases, ProbeCases, LeaseCases, ArgumentCases, CloseCases {
    @RegisterExtension
    static final TwoNodes NODES = new TwoNodes();

    private static final int SLOWER = 20;

    @Override
    public TwoNodes nodes() {
        return NODES;
    }

    @Override
    public Map<String, String> options() {
        return Map.of("sluice.channels", "ib");
    }

    @Override
    public int many(int count) {
        return count / SLOWER;
    }

    /** Credit beyond the first comes when the receiver polls. */
    @Override
    public boolean takesManyUnattended() {
        return false;
    }

    @Override
    public boolean readsInPlace() {
        return false;
    }

    /** As long as a receive slot takes. */
    @Override
    public int keepsUpTo() {
        return 8 << 10;
    }
}
