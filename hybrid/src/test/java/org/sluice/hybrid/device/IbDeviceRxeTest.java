package org.sluice.hybrid.device;

import java.util.Map;
import org.junit.jupiter.api.Tag;

/**
 * The part of the suite that verbs meet so far, over the channel that the options force although all ranks live in one JVM; docs/verbs.md
 * says what is missing.
 */
@Tag("verbs")
final class IbDeviceRxeTest implements SendCases, BufferCases, RequestCases, ProbeCases, ArgumentCases {
    @Override
    public Map<String, String> options() {
        return Map.of("sluice.channels", "ib");
    }
}
