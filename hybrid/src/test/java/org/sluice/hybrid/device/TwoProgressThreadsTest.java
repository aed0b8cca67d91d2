package org.sluice.hybrid.device;

import java.util.Map;

/** The suite with two threads of the device that take turns at making progress. */
final class TwoProgressThreadsTest extends DeviceConformance {
    @Override
    public Map<String, String> options() {
        return Map.of("sluice.progress.threads", "2");
    }
}
