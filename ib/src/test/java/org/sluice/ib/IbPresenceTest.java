package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
}
