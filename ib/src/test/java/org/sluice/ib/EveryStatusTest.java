package org.sluice.ib;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.sluice.ib.sim.SimulatedVerbs;
import org.sluice.jni.verbs.VerbsCalls;

@Tag("all")
@Tag("once")
final class EveryStatusTest extends EveryStatusCases {
    private static final int STATUSES = 24;

    @Override
    protected VerbsCalls verbs() {
        return new SimulatedVerbs();
    }

    @Override
    protected int[] statuses() {
        return IntStream.range(1, STATUSES).toArray();
    }

    @Override
    protected int[] statusesOfRareWork() {
        return statuses();
    }
}
