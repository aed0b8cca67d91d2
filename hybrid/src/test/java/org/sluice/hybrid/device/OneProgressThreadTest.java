package org.sluice.hybrid.device;

import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The suite with a thread of the device that makes all progress. */
@Tag("all")
@Tag("once")
final class OneProgressThreadTest extends DeviceConformance {
    @Override
    public Map<String, String> options() {
        return Map.of("sluice.progress.threads", "1");
    }
}
