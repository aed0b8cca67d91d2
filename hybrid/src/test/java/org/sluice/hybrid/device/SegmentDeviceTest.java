package org.sluice.hybrid.device;

import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The suite over the segment channel, which the options force although all ranks live in one JVM. */
@Tag("conformance")
final class SegmentDeviceTest extends DeviceConformance
        implements LostBufferCases, WithdrawnCases, DroppedBufferCases, ThreadCases {
    @Override
    public Map<String, String> options() {
        return Map.of("sluice.channels", "shm");
    }
}
