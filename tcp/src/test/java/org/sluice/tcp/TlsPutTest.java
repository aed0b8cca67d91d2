package org.sluice.tcp;

import org.junit.jupiter.api.Tag;
import org.sluice.device.channel.PutCases;
import org.sluice.device.channel.TestRank;

/** Long messages within TLS: they are decrypted to where the receiver has them. */
@Tag("conformance")
final class TlsPutTest extends PutCases {
    @Override
    protected TestRank[] open(int count) {
        return TcpRanks.joined(count, TcpRanks.options("sluice.tcp.tls", "on"));
    }

    @Override
    protected boolean writesByItself() {
        return false;
    }
}
