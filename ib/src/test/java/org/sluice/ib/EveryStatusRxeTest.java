package org.sluice.ib;

import org.junit.jupiter.api.Tag;
import org.sluice.jni.verbs.VerbsCalls;

@Tag("verbs")
final class EveryStatusRxeTest extends EveryStatusCases {
    @Override
    protected VerbsCalls verbs() {
        return VerbsRanks.verbs();
    }
}
