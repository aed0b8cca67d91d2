package org.sluice.bench.contestant;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class SluiceSwitchesTest {
    @Test
    void slotsAreAsLargeAsWhatIsToGoEagerly() {
        assertEquals(Map.of("SLUICE_EAGER_LIMIT_BYTES", "1024"), SluiceSwitches.options(1024));
        assertEquals(
                Map.of("SLUICE_EAGER_LIMIT_BYTES", "65536", "SLUICE_IB_BODY_BYTES", "65536"),
                SluiceSwitches.options(65536));
    }
}
