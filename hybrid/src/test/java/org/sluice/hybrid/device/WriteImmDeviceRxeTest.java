package org.sluice.hybrid.device;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The suite over verbs where short messages are written and found by completions. */
@Tag("verbs")
@Tag("long")
final class WriteImmDeviceRxeTest extends IbDeviceRxeTest {
    @Override
    public Map<String, String> options() {
        Map<String, String> options = new HashMap<>(super.options());
        options.put("sluice.ib.eager", "write-imm");
        return options;
    }
}
