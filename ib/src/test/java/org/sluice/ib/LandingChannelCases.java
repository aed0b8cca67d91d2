package org.sluice.ib;

import org.sluice.device.channel.GetCases;
import org.sluice.device.channel.TestRank;

/** The channel contract, with landing rings from the first packet on that a test sends. */
abstract class LandingChannelCases extends GetCases {
    private static final int FEW = 3;

    private final String eager;

    LandingChannelCases(String eager) {
        this.eager = eager;
    }

    @Override
    protected TestRank[] open(int count) {
        // Of many ranks only two write: to get all there would take most of the time.
        TestRank[] opened = LandingRanks.writing(count, LandingRanks.options(eager), VerbsRanks.verbs());
        if (count == FEW) {
            LandingRanks.warmUp(opened[0], opened[2]);
            LandingRanks.warmUp(opened[1], opened[2]);
        }
        return opened;
    }

    @Override
    protected int many(int count) {
        return count / 40;
    }

    @Override
    protected int lengthStep() {
        return 13;
    }
}
