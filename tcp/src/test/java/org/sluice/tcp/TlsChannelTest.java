package org.sluice.tcp;

import org.junit.jupiter.api.Tag;
import org.sluice.device.channel.ChannelConformance;
import org.sluice.device.channel.TestRank;

/** The channel contract within TLS. */
@Tag("conformance")
final class TlsChannelTest extends ChannelConformance {
    @Override
    protected TestRank[] open(int count) {
        return TcpRanks.joined(count, TcpRanks.options("sluice.tcp.tls", "on"));
    }

    @Override
    protected int many(int count) {
        return count / 20;
    }
}
