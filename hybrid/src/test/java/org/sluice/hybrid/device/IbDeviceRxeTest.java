package org.sluice.hybrid.device;

import org.junit.jupiter.api.Tag;

/** The suite over verbs within one JVM. */
@Tag("verbs")
class IbDeviceRxeTest extends DeviceConformance implements VerbsCases {
    /** SoftRoCE under emulation takes half a millisecond for a hop. */
    private static final int SLOWER = 10;

    @Override
    public int many(int count) {
        return count / SLOWER;
    }
}
