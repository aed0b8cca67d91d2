package org.sluice.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.option.Options;

@Tag("all")
@Tag("verbs")
final class RdmaDeviceRxeTest {
    private static Finding examine(Map<String, String> options) {
        return RdmaDevice.examine(Options.of(options, Map.of(), Map.of()));
    }

    @Test
    void theDeviceThatRanksWouldUseIsDescribed() {
        Finding found = examine(Map.of());
        assertEquals(Finding.Level.OK, found.level(), found.text());
        assertTrue(
                found.text()
                        .matches(".*port 1, Ethernet, packets of \\d+ bytes, at \\d+\\.\\d+\\.\\d+\\.\\d+, GID \\d+"
                                + " \\(RoCE v2\\); memory that may be locked: .*"),
                found.text());
    }

    @Test
    void anAddressThatNoDeviceServesIsSaidWithTheDevicesThatThereAre() {
        Finding found = examine(Map.of("sluice.ib.address", "127.0.0.1"));
        assertEquals(Finding.Level.SLOWER, found.level(), found.text());
        assertTrue(
                found.text().contains("127.0.0.1: ") && found.text().matches(".*Devices: [^.]*\\brxe0\\b.*"),
                found.text());
    }
}
