package org.sluice.ib;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.sluice.device.channel.PutCases;
import org.sluice.device.channel.TestRank;

/** What every channel does that writes, over real verbs. */
@Tag("all")
@Tag("verbs")
final class PutRxeTest extends PutCases {
    @Override
    protected TestRank[] open(int count) {
        return VerbsRanks.joined(
                count, VerbsRanks.options(Map.of("sluice.ib.rendezvous", "write")), VerbsRanks.verbs());
    }
}
