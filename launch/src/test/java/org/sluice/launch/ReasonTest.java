package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;

@Tag("once")
final class ReasonTest {
    @Test
    void whatSluiceSaysIsOneLineOfWhatATerminalPrints() {
        assertEquals(
                "NO_MEMORY: too small ?[31m for ? it",
                Reason.of(new SluiceException(ErrorCode.NO_MEMORY, "too small\n\u001b[31m  for \u00fc it")));
        String cut = Reason.of(new SluiceException(ErrorCode.NO_MEMORY, "x".repeat(2000)));
        assertEquals(Reason.LONGEST, cut.length());
        assertEquals(" ...", cut.substring(cut.length() - 4));
    }

    @Test
    void whatAnotherRanksEndOrTheProgramDidIsNone() {
        assertEquals("", Reason.of(new SluiceException(ErrorCode.PEER_DEAD, 3, "rank 3 died", null)));
        assertEquals("", Reason.of(new IllegalStateException("planned")));
    }
}
