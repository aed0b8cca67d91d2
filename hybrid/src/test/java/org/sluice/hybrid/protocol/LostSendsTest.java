package org.sluice.hybrid.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;

/**
 * What a channel says at its end of messages that may not have arrived is told by close where no request has told of
 * it.
 */
final class LostSendsTest extends WritingScript {
    private final SluiceException lost = new SluiceException(ErrorCode.PEER_DEAD, PEER, "not acknowledged", null);

    @BeforeEach
    void loses() {
        channel.lost = lost;
    }

    private void fail(ErrorCode code) {
        exchange.peerFailed(new Failure(code, PEER, "unplugged"));
        run();
    }

    @Test
    void whatNobodyWasToldOfIsTold() {
        assertSame(lost, exchange.undelivered());
        fail(ErrorCode.PEER_DEAD);
        assertSame(lost, exchange.undelivered());
    }

    @Test
    void aRequestThatFailedWasEnough() {
        Completion receive = new Completion(null);
        exchange.post(new byte[8], 0, 8, 0, PEER, 1, receive);
        fail(ErrorCode.PEER_DEAD);
        assertEquals("unplugged", receive.failure().message());
        assertLostIsKnown();
    }

    @Test
    void soIsARequestThatCameLater() {
        fail(ErrorCode.PEER_DEAD);
        Completion receive = new Completion(null);
        exchange.post(new byte[8], 0, 8, 0, PEER, 1, receive);
        assertEquals("unplugged", receive.failure().message());
        assertLostIsKnown();
    }

    @Test
    void soIsThatTheProgramAcknowledgedIt() {
        fail(ErrorCode.PEER_DEAD);
        exchange.acknowledge(PEER);
        assertLostIsKnown();
    }

    @Test
    void whoClosedNeedsNothing() {
        fail(ErrorCode.PEER_CLOSED);
        assertLostIsKnown();
    }

    /** Of this peer; others may have lost something too. */
    private void assertLostIsKnown() {
        for (int other = 0; other < routes.length; other++) {
            if (other != PEER) {
                exchange.peerFailed(new Failure(ErrorCode.PEER_CLOSED, other, "closed"));
            }
        }
        run();
        assertNull(exchange.undelivered());
    }
}
