package org.sluice.hybrid.device;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** What moves messages over verbs, floods and storms too, where short messages are written into polled memory. */
@Tag("verbs")
@Tag("long")
final class WriteDeviceRxeTest extends IbDeviceRxeTest implements FloodCases, StormCases {
    @Override
    public Map<String, String> options() {
        Map<String, String> options = new HashMap<>(super.options());
        options.put("sluice.ib.eager", "write");
        return options;
    }
}
