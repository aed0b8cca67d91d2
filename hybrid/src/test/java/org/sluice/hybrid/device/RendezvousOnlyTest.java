package org.sluice.hybrid.device;

import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The suite where every message with content goes by rendezvous, and hardly anything may lie unmatched. */
@Tag("once")
@Tag("all")
final class RendezvousOnlyTest extends DeviceConformance implements LostBufferCases, WithdrawnCases {
    @Override
    public Map<String, String> options() {
        return Map.of("sluice.eager.limit.bytes", "0", "sluice.eager.share.bytes", "4096");
    }
}
