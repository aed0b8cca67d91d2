package org.sluice.hybrid.device;

import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The suite without the native library: sleepers look by themselves now and then. */
@Tag("all")
@Tag("once")
final class WithoutNativeLibraryTest extends DeviceConformance implements LostBufferCases, WithdrawnCases {
    @Override
    public Map<String, String> options() {
        return Map.of("sluice.os", "off");
    }
}
