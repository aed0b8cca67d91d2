package org.sluice.bench.contestant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class OwnMemoryTest {
    @Test
    void whatIsNotAllowedIsSaidWithItsReason() {
        String refused = OwnMemory.missing(
                        List.of("sh", "-c", "echo unshare failed: Operation not permitted >&2; exit 1"))
                .orElseThrow();
        assertTrue(
                refused.contains(
                        "which isn't allowed here (unshare failed: Operation not permitted); root in a guest may:"
                                + " ./sluice vm"),
                refused);
        String absent = OwnMemory.missing(List.of("/nowhere/unshare")).orElseThrow();
        assertTrue(absent.contains("(Cannot run program"), absent);
        assertEquals(Optional.empty(), OwnMemory.missing(List.of("env")));
    }
}
