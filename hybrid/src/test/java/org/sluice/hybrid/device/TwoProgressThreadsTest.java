package org.sluice.hybrid.device;

import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The suite with two threads of the device that take turns at making progress. */
@Tag("long")
final class TwoProgressThreadsTest extends DeviceConformance {
    @Override
    public Map<String, String> options() {
        return Map.of("sluice.progress.threads", "2");
    }
}
