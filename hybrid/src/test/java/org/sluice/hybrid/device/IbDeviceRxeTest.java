package org.sluice.hybrid.device;

import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The suite over verbs, which the options force although all ranks live in one JVM. */
@Tag("verbs")
class IbDeviceRxeTest extends DeviceConformance {
    /** SoftRoCE under emulation takes half a millisecond for a hop. */
    private static final int SLOWER = 10;

    @Override
    public Map<String, String> options() {
        return Map.of("sluice.channels", "ib");
    }

    @Override
    public int many(int count) {
        return count / SLOWER;
    }

    /** Credit beyond the first comes when the receiver polls. */
    @Override
    public boolean takesManyUnattended() {
        return false;
    }

    @Override
    public boolean readsInPlace() {
        return false;
    }

    /** As long as a receive slot takes. */
    @Override
    public int keepsUpTo() {
        return 8 << 10;
    }
}
