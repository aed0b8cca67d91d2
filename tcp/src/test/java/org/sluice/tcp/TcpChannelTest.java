package org.sluice.tcp;

import org.junit.jupiter.api.Tag;
import org.sluice.device.channel.ChannelConformance;
import org.sluice.device.channel.TestRank;

/** The channel contract over sockets of this machine. */
@Tag("conformance")
final class TcpChannelTest extends ChannelConformance {
    @Override
    protected TestRank[] open(int count) {
        return TcpRanks.joined(count, TcpRanks.options());
    }

    @Override
    protected int many(int count) {
        return count / 20;
    }
}
