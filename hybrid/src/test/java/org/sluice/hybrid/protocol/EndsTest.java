package org.sluice.hybrid.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;

final class EndsTest {
    /**
     * Whoever ends the device finds it where it was put before something was thrown: it has ended, and the others have
     * to end too.
     */
    @Test
    void aReceiveThatWasLostEndsOnce() {
        Ends ends = new Ends(0, false);
        Completion completion = Completion.reusable(null);
        ReceiveOperation operation = ends.receiveOperation(new byte[8], 0, 8, 1, 2, 0, completion);
        ends.lost(operation, new InternalError("a page is gone"));
        assertTrue(completion.isReached());
        ends.failed(operation, new Failure(ErrorCode.DEVICE_FAILED, -1, "the device"));
        SluiceException told = assertThrows(SluiceException.class, () -> completion.result(new Status()));
        assertEquals(ErrorCode.DEVICE_FAILED, told.code());
        assertTrue(told.getMessage().contains("a page is gone"), told.getMessage());
    }
}
