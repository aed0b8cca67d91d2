package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;

final class IbPresenceTest {
    @TempDir
    Path folder;

    @Test
    void aDeviceIsSeenAndItsAbsenceIsSaid() throws Exception {
        assertTrue(IbPresence.deviceReason(folder.toString()).contains("no RDMA device"), "an empty folder");
        assertTrue(IbPresence.deviceReason(folder.resolve("none").toString()).contains("no RDMA device"), "no folder");
        Files.createDirectory(folder.resolve("rxe0"));
        assertEquals("", IbPresence.deviceReason(folder.toString()));
    }

    @Test
    void whereItIsSwitchedOffThatIsSaid() {
        Options given = Options.of(Map.of("sluice.verbs", "off"), Map.of(), Map.of());
        assertEquals("switched off: sluice.verbs is off (given to open)", IbPresence.unavailableReason(given));
        Options variable = Options.of(Map.of(), Map.of(), Map.of("SLUICE_VERBS", "off"));
        assertEquals(
                "switched off: sluice.verbs is off (" + variable.origin(Option.VERBS) + ")",
                IbPresence.absentReason(variable));
        assertFalse(IbPresence.absentReason(Options.of(Map.of(), Map.of(), Map.of()))
                .contains("switched off"));
    }
}
