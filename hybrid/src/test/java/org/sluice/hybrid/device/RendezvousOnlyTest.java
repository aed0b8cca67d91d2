package org.sluice.hybrid.device;

import java.util.Map;

/** The suite where every message with content goes by rendezvous, and hardly anything may lie unmatched. */
final class RendezvousOnlyTest extends DeviceConformance implements LostBufferCases, WithdrawnCases {
    @Override
    public Map<String, String> options() {
        return Map.of("sluice.eager.limit.bytes", "0", "sluice.eager.share.bytes", "4096");
    }
}
