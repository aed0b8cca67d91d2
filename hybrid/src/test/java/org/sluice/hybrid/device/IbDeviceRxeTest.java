package org.sluice.hybrid.device;

import org.junit.jupiter.api.Tag;

/** What moves messages over verbs within one JVM. */
@Tag("verbs")
class IbDeviceRxeTest implements WireCases, KeptPlacesCases {
    /** SoftRoCE under emulation takes half a millisecond for a hop. */
    static final int SLOWER = 10;

    @Override
    public int many(int count) {
        return count / SLOWER;
    }
}
