package org.sluice.hybrid.device;

import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The suite over the segment channel with two threads of the device that take turns at making progress. */
@Tag("all")
final class SegmentProgressThreadsTest extends DeviceConformance implements ThreadCases {
    @Override
    public Map<String, String> options() {
        return Map.of("sluice.channels", "shm", "sluice.progress.threads", "2");
    }
}
