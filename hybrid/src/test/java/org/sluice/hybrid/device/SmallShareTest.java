package org.sluice.hybrid.device;

import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The suite where eager payload soon uses its share up, so that both protocols mix all the time. */
@Tag("once")
@Tag("all")
final class SmallShareTest extends DeviceConformance {
    @Override
    public Map<String, String> options() {
        return Map.of("sluice.eager.share.bytes", "4096");
    }
}
