package org.sluice.hybrid.device;

import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The suite where whoever waits neither spins nor yields, but parks at once. */
@Tag("once")
@Tag("all")
final class ImpatientWaitTest extends DeviceConformance {
    @Override
    public Map<String, String> options() {
        return Map.of("sluice.wait.spin.us", "0", "sluice.wait.yield.us", "0");
    }
}
