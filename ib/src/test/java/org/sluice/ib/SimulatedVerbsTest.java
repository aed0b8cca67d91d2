package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.sluice.device.channel.GetCases;
import org.sluice.device.channel.TestRank;
import org.sluice.ib.sim.SimulatedVerbs;

/** The channel contract over a library that is simulated: what holds over a real one holds here. */
@Tag("conformance")
final class SimulatedVerbsTest extends GetCases {
    private final SimulatedVerbs simulated = new SimulatedVerbs();

    @Override
    protected TestRank[] open(int count) {
        return VerbsRanks.joined(count, VerbsRanks.options(Map.of()), simulated);
    }

    @Override
    protected int many(int count) {
        return count / 20;
    }

    @Override
    protected int lengthStep() {
        return 7;
    }

    @AfterEach
    void nothingWasWrong() {
        assertEquals(List.of(), simulated.wrongs());
    }
}
