package org.sluice.tcp;

import org.junit.jupiter.api.Tag;
import org.sluice.device.channel.PutCases;
import org.sluice.device.channel.TestRank;

/** Long messages, which their sender writes to where the receiver has them. */
@Tag("conformance")
final class TcpPutTest extends PutCases {
    @Override
    protected TestRank[] open(int count) {
        return TcpRanks.joined(count, TcpRanks.options());
    }

    @Override
    protected boolean writesByItself() {
        return false;
    }
}
