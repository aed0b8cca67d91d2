package org.sluice.ib;

import org.junit.jupiter.api.Tag;
import org.sluice.jni.verbs.VerbsCalls;

/** Every status, over a library that is simulated: {@code EveryStatusTest}. */
@Tag("long")
@Tag("verbs")
final class EveryStatusRxeTest extends EveryStatusCases {
    @Override
    protected VerbsCalls verbs() {
        return VerbsRanks.verbs();
    }

    /** Those that Sluice tells apart, and those at the ends: a life takes a while in a guest. */
    @Override
    protected int[] statuses() {
        return new int[] {1, 5, 10, 12, 23};
    }

    @Override
    protected int[] statusesOfRareWork() {
        return new int[] {12};
    }
}
