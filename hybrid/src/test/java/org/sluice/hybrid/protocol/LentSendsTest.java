package org.sluice.hybrid.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;
import org.sluice.device.buffer.UserBuffer;
import org.sluice.device.channel.PacketKind;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.route.SendOperation;

/** Eager messages whose memory the channel reads: when they end, and how. */
final class LentSendsTest extends WritingScript {
    private Completion send(int peer, int tag, boolean lendable) {
        SendOperation operation = routes[peer].operation();
        byte[] body = new byte[64];
        operation.completion = new Completion(null);
        operation.buffer = body;
        operation.base = body;
        operation.address = UserBuffer.address(body, 0, false);
        operation.bytes = body.length;
        operation.elementSize = 1;
        operation.tag = tag;
        operation.lendable = lendable;
        Completion completion = operation.completion;
        if (routes[peer].send(operation)) {
            exchange.endSend(routes[peer], operation, routes[peer].refusal());
        }
        return completion;
    }

    private Completion lent(int peer, int tag) {
        return send(peer, tag, true);
    }

    @Test
    void aSendEndsWhenItsMemoryComesBack() {
        Completion first = lent(PEER, 1);
        Completion second = lent(PEER, 2);
        run();
        assertFalse(first.isReached());
        assertEquals(2, channel.leases.size());
        assertEquals(PEER, exchange.firstBusyPeer());
        channel.endLoan(channel.loans.get(0), true);
        run();
        assertTrue(first.isReached());
        assertNull(first.failure());
        assertFalse(second.isReached());
        channel.endLoan(channel.loans.get(0), true);
        run();
        assertTrue(second.isReached());
        assertEquals(0, channel.leases.size());
        assertEquals(-1, exchange.firstBusyPeer());
        assertEquals(List.of(), sentKinds(), "nothing is copied");
    }

    @Test
    void whatFindsNoRoomWaitsInOrderAndIsLentThen() {
        channel.depth = 1;
        Completion first = lent(PEER, 1);
        Completion second = lent(PEER, 2);
        Completion third = send(PEER, 3, false);
        run();
        assertEquals(1, channel.loans.size());
        assertFalse(third.isReached(), "it is behind the second");
        channel.endLoan(channel.loans.get(0), true);
        run();
        assertEquals(2, channel.loans.get(0).offset());
        assertTrue(first.isReached());
        assertTrue(third.isReached());
        assertFalse(second.isReached());
        channel.endLoan(channel.loans.get(0), true);
        run();
        assertTrue(second.isReached());
    }

    @Test
    void whatTheChannelCannotReadIsCopied() {
        channel.unable = true;
        Completion completion = lent(PEER, 1);
        assertTrue(completion.isReached());
        assertEquals(List.of(PacketKind.EAGER), sentKinds());
        assertEquals(0, channel.leases.size());
    }

    @Test
    void oneThatMayNotHaveArrivedEndsWithThePeer() {
        Completion completion = lent(PEER, 1);
        Completion other = lent(OTHER, 1);
        channel.endLoan(channel.loans.get(0), false);
        run();
        assertFalse(completion.isReached());
        exchange.peerFailed(new Failure(ErrorCode.PEER_DEAD, PEER, "unplugged"));
        run();
        assertEquals(ErrorCode.PEER_DEAD, completion.error());
        assertEquals(1, channel.leases.size());
        assertFalse(other.isReached());
        assertEquals(OTHER, exchange.firstBusyPeer());
        channel.endLoan(channel.loans.get(0), true);
        run();
        assertNull(other.failure());
    }

    @Test
    void aDeadPeersMessagesEndOnceTheChannelReadsThemNoMore() {
        Completion completion = lent(PEER, 1);
        exchange.peerFailed(new Failure(ErrorCode.PEER_DEAD, PEER, "unplugged"));
        run();
        assertEquals(0, channel.loans.size(), "the order is: disconnect, then end");
        assertEquals(ErrorCode.PEER_DEAD, completion.error());
        assertEquals(0, channel.leases.size());
        assertEquals(-1, exchange.firstBusyPeer());
        assertEquals(ErrorCode.PEER_DEAD, lent(PEER, 2).error());
    }

    /** Its last packet may come before the news that it has the message. */
    @Test
    void aPeerThatClosesHavingReceivedItDoesNotFailTheSend() {
        Completion completion = lent(PEER, 1);
        channel.arrive(PEER, PacketKind.CLOSE, 0, 0, new byte[0]);
        run();
        assertFalse(completion.isReached());
        assertFalse(channel.disconnected.contains(PEER));
        channel.endLoan(channel.loans.get(0), true);
        run();
        assertTrue(completion.isReached());
        assertNull(completion.failure());
        assertTrue(channel.disconnected.contains(PEER));
    }

    @Test
    void aPeerThatClosedAndThenDiedIsClosed() {
        Completion completion = lent(PEER, 1);
        channel.arrive(PEER, PacketKind.CLOSE, 0, 0, new byte[0]);
        channel.endLoan(channel.loans.get(0), false);
        run();
        assertFalse(completion.isReached());
        exchange.peerFailed(new Failure(ErrorCode.PEER_DEAD, PEER, "unplugged"));
        run();
        assertEquals(ErrorCode.PEER_CLOSED, completion.error());
    }

    @Test
    void theEndOfTheDeviceTakesTheConnectionOfWhatIsStillRead() {
        Completion completion = lent(PEER, 1);
        exchange.end(CLOSED);
        assertTrue(channel.disconnected.contains(PEER));
        assertFalse(channel.disconnected.contains(OTHER));
        assertEquals(ErrorCode.DEVICE_CLOSED, completion.error());
        assertEquals(0, channel.leases.size());
    }
}
