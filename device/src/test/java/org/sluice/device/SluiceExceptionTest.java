package org.sluice.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** What a stack trace begins with: a user finds the page of errors by it. */
final class SluiceExceptionTest {
    @Test
    void itsTextHasTheCode() {
        SluiceException exception = new SluiceException(ErrorCode.PEER_DEAD, 3, "rank 3 died", null);
        assertEquals("org.sluice.device.SluiceException: PEER_DEAD: rank 3 died", exception.toString());
        assertEquals("rank 3 died", exception.getMessage());
    }
}
