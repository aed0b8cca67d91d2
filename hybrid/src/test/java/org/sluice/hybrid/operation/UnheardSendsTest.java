package org.sluice.hybrid.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;
import org.sluice.hybrid.request.Failure;

/** What a close tells of sends that failed and that nobody asked about. */
final class UnheardSendsTest {
    private final UnheardSends sends = new UnheardSends();

    private static Failure closed(int peer) {
        return new Failure(ErrorCode.PEER_CLOSED, peer, "rank " + peer + " has closed its device");
    }

    @Test
    void theyAreCountedForEachPeer() {
        Failure one = closed(1);
        sends.add(one);
        sends.add(one);
        sends.add(new Failure(ErrorCode.PEER_DEAD, 2, "rank 2 died"));
        assertEquals(
                "2 sends to rank 1 (PEER_CLOSED: rank 1 has closed its device), 1 send to rank 2 (PEER_DEAD: rank 2"
                        + " died)",
                sends.text());
    }

    @Test
    void whatACallHasToldIsKnown() {
        Failure one = closed(1);
        sends.add(one);
        one.toException(null);
        assertEquals("", sends.text());
    }

    /** A close that failed says so itself, and what was withdrawn was so by the program. */
    @Test
    void onlyPeersThatAreGoneCount() {
        sends.add(new Failure(ErrorCode.DEVICE_CLOSED, -1, "closed meanwhile"));
        sends.add(new Failure(ErrorCode.CANCELLED, 1, "withdrawn"));
        assertEquals("", sends.text());
    }
}
