package org.sluice.ib;

import org.sluice.ib.sim.SimulatedVerbs;
import org.sluice.jni.verbs.VerbsCalls;

final class EveryStatusTest extends EveryStatusCases {
    @Override
    protected VerbsCalls verbs() {
        return new SimulatedVerbs();
    }
}
