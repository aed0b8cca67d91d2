package org.sluice.hybrid.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;

/** What the flight recorder is told changes nothing for the program. */
final class FlightEventsTest {
    @Test
    void aFailureThatIsRecordedIsNotHeardByThat() {
        Failure failure = new Failure(ErrorCode.PEER_CLOSED, 1, "rank 1 has closed its device");
        Completion send = new Completion(null);
        assertEquals("its limit came first", FlightEvents.outcome(send));
        send.fail(failure, 0, 0, 7, 0, 1);
        assertEquals("PEER_CLOSED", FlightEvents.outcome(send));
        assertFalse(failure.isHeard(), "the recorder is not the program");
    }
}
