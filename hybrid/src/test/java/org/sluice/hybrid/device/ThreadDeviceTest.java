package org.sluice.hybrid.device;

import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The suite between ranks that are threads of one JVM, as a program gets them without any option. */
@Tag("conformance")
final class ThreadDeviceTest extends DeviceConformance
        implements LostBufferCases, WithdrawnCases, DroppedBufferCases, ThreadCases {
    @Override
    public Map<String, String> options() {
        return Map.of();
    }
}
