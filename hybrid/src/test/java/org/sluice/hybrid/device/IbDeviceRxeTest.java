package org.sluice.hybrid.device;

import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The suite over verbs, which the options force although all ranks live in one JVM. */
@Tag("verbs")
final class IbDeviceRxeTest extends DeviceConformance {
    @Override
    public Map<String, String> options() {
        return Map.of("sluice.channels", "ib");
    }
}
