package org.sluice.hybrid.device;

import java.util.Map;

/** The suite with a thread of the device that makes all progress. */
final class OneProgressThreadTest extends DeviceConformance {
    @Override
    public Map<String, String> options() {
        return Map.of("sluice.progress.threads", "1");
    }
}
