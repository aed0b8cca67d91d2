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
import org.sluice.device.counter.Counter;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.route.SendOperation;

/** Messages that this rank writes into its receivers' memory. */
final class WrittenPiecesTest extends WritingScript {
    /** A send that was announced. */
    private Completion announced(int peer, int bytes) {
        SendOperation operation = routes[peer].operation();
        byte[] body = new byte[bytes];
        operation.completion = new Completion(null);
        operation.buffer = body;
        operation.base = body;
        operation.address = UserBuffer.address(body, 0, false);
        operation.bytes = bytes;
        operation.elementSize = 1;
        operation.synchronous = true;
        Completion completion = operation.completion;
        assertFalse(routes[peer].send(operation));
        return completion;
    }

    /** A send of this many bytes that was told where to. */
    private Completion written(int peer, int bytes, long receiveId, long accepted) {
        Completion completion = announced(peer, bytes);
        long sendId = channel.sent.removeLast().words()[0];
        channel.arrive(peer, PacketKind.RNDV_REPLY, sendId, receiveId, accepted, HostileChannel.WRITTEN, 8192);
        run();
        return completion;
    }

    @Test
    void theEndGoesOutBehindTheLastPieceAndTheSendEndsWithAll() {
        Completion completion = written(PEER, 350, 99, 350);
        assertEquals(
                List.of(0L, 100L, 200L, 300L),
                channel.puts.stream().map(HostileChannel.Get::offset).toList());
        assertEquals(50, channel.puts.get(3).bytes());
        assertEquals(
                List.of(99L, 350L),
                List.of(channel.sent.peek().words()[0], channel.sent.peek().words()[1]));
        assertEquals(List.of(PacketKind.RNDV_END), sentKinds());
        while (!channel.puts.isEmpty()) {
            assertFalse(completion.isReached());
            assertEquals(1, channel.leases.size());
            assertEquals(PEER, exchange.firstBusyPeer());
            channel.endPut(channel.puts.get(channel.puts.size() / 2), true);
            run();
        }
        assertTrue(completion.isReached());
        assertNull(completion.failure());
        assertEquals(0, channel.leases.size());
        assertEquals(-1, exchange.firstBusyPeer());
        assertEquals(4, counters.get(Counter.PUT_CHUNKS));
        assertEquals(List.of(), sentKinds());
    }

    @Test
    void nothingIsSentBeforeTheLastPieceWasBegun() {
        Completion completion = written(PEER, 900, 3, 900);
        for (int begun = 4; begun < 9; begun++) {
            assertEquals(List.of(), sentKinds());
            channel.endPut(channel.puts.get(0), true);
            run();
        }
        assertEquals(List.of(PacketKind.RNDV_END), sentKinds());
        assertFalse(completion.isReached());
    }

    @Test
    void onlyWhatHasRoomIsWritten() {
        Completion completion = written(PEER, 900, 3, 120);
        assertEquals(
                List.of(100, 20),
                channel.puts.stream().map(HostileChannel.Get::bytes).toList());
        assertEquals(120, channel.sent.peek().words()[1]);
        channel.endPut(channel.puts.get(0), true);
        channel.endPut(channel.puts.get(0), true);
        run();
        assertNull(completion.failure());
        assertTrue(completion.isReached());
    }

    @Test
    void severalMessagesToOnePeerGoOnTogether() {
        Completion[] sends = {announced(PEER, 2000), announced(PEER, 2000), announced(PEER, 2000)};
        long[] ids = channel.sent.stream().mapToLong(each -> each.words()[0]).toArray();
        sentKinds();
        for (int i = 0; i < 3; i++) {
            channel.arrive(PEER, PacketKind.RNDV_REPLY, ids[i], i, 2000, HostileChannel.WRITTEN, 8192);
        }
        run();
        int[] pieces = new int[3];
        for (int i = 0; i < 60; i++) {
            HostileChannel.Get oldest = channel.puts.get(0);
            pieces[(int) ((SendOperation) oldest.ticket()).receiveId]++;
            channel.endPut(oldest, true);
            run();
            if (i == 30) {
                assertTrue(
                        pieces[0] < 20 && pieces[1] > 5 && pieces[2] > 5,
                        "the first hogs the peer: " + pieces[0] + " " + pieces[1]);
            }
        }
        for (Completion send : sends) {
            assertTrue(send.isReached());
        }
        assertEquals(List.of(PacketKind.RNDV_END, PacketKind.RNDV_END, PacketKind.RNDV_END), sentKinds());
    }

    @Test
    void aRoundThatOnlyWaitsDoesNothing() {
        written(PEER, 2000, 1, 2000);
        assertEquals(0, run(), "a rank that waits for pieces could never sleep");
    }

    @Test
    void aFailedPieceEndsTheSendOnlyWithThePeer() {
        Completion completion = written(PEER, 300, 1, 300);
        Completion fine = written(OTHER, 50, 1, 50);
        channel.endPut(channel.puts.get(0), false);
        channel.endPut(channel.puts.get(0), true);
        channel.endPut(channel.puts.get(0), true);
        run();
        assertFalse(completion.isReached());
        exchange.peerFailed(new Failure(ErrorCode.PEER_DEAD, PEER, "unplugged"));
        run();
        assertEquals(ErrorCode.PEER_DEAD, completion.error());
        assertFalse(fine.isReached());
        channel.endPut(channel.puts.get(0), true);
        run();
        assertNull(fine.failure());
        assertTrue(fine.isReached());
        assertEquals(0, channel.leases.size());
    }

    @Test
    void sendsToADeadPeerEndOnceTheChannelLetsGoOfThem() {
        Completion completion = written(PEER, 300, 1, 300);
        exchange.peerFailed(new Failure(ErrorCode.PEER_DEAD, PEER, "unplugged"));
        run();
        assertTrue(channel.disconnected.contains(PEER));
        assertEquals(0, channel.puts.size(), "the order is: disconnect, then end");
        assertEquals(ErrorCode.PEER_DEAD, completion.error());
        assertEquals(0, channel.leases.size());
    }

    /** The peer's last packet may come before the news that the bytes are there. */
    @Test
    void aPeerThatClosesHavingReceivedEverythingDoesNotFailTheSend() {
        Completion whole = written(PEER, 300, 1, 300);
        Completion begun = written(PEER, 2000, 2, 2000);
        assertEquals(4, channel.puts.size());
        channel.arrive(PEER, PacketKind.CLOSE, 0, 0, new byte[0]);
        run();
        for (int left = 4; left > 0; left--) {
            assertFalse(begun.isReached());
            assertFalse(channel.disconnected.contains(PEER));
            assertEquals(left, channel.puts.size(), "no more is begun");
            channel.endPut(channel.puts.get(0), true);
            run();
        }
        assertTrue(whole.isReached());
        assertNull(whole.failure());
        assertTrue(channel.disconnected.contains(PEER));
        assertEquals(ErrorCode.PEER_CLOSED, begun.error());
    }

    @Test
    void aPeerThatClosedAndThenDiedIsClosed() {
        Completion begun = written(PEER, 300, 2, 300);
        channel.arrive(PEER, PacketKind.CLOSE, 0, 0, new byte[0]);
        run();
        assertFalse(begun.isReached());
        exchange.peerFailed(new Failure(ErrorCode.PEER_DEAD, PEER, "unplugged"));
        run();
        assertEquals(ErrorCode.PEER_CLOSED, begun.error());
        assertEquals(0, channel.puts.size());
    }

    @Test
    void theEndOfTheDeviceTakesTheConnectionOfWhatIsStillWritten() {
        Completion writing = written(PEER, 1000, 1, 1000);
        Completion announced = announced(OTHER, 300);
        exchange.end(CLOSED);
        assertTrue(channel.disconnected.contains(PEER));
        assertFalse(channel.disconnected.contains(OTHER));
        assertEquals(0, channel.puts.size());
        assertEquals(ErrorCode.DEVICE_CLOSED, writing.error());
        assertEquals(ErrorCode.DEVICE_CLOSED, announced.error());
    }

    @Test
    void anAnswerWithMoreOrLessRoomThanTheMessageCanHave() {
        for (long accepted : new long[] {301, 0, -1, Long.MIN_VALUE}) {
            WrittenPiecesTest fresh = new WrittenPiecesTest();
            fresh.assertCutOff(PEER, fresh.written(PEER, 300, 1, accepted), "room for " + accepted);
        }
    }

    @Test
    void anAnswerThatNamesNoMemoryThereIs() {
        Completion completion = announced(PEER, 300);
        channel.arrive(PEER, PacketKind.RNDV_REPLY, channel.sent.remove().words()[0], 1, 300, 12345, 8192);
        assertCutOff(PEER, completion, "0x3039");
        assertEquals(0, channel.leases.size(), "a peer that is to be written to reads nothing");
    }

    @Test
    void anAnswerThatNamesMemoryForAMessageThatIsStreamed() {
        channel.writes = false;
        Completion completion = announced(PEER, 300);
        channel.arrive(
                PEER, PacketKind.RNDV_REPLY, channel.sent.remove().words()[0], 1, 300, HostileChannel.WRITTEN, 8192);
        assertCutOff(PEER, completion, "only be streamed");
    }

    @Test
    void anAnswerThatComesTwice() {
        Completion completion = announced(PEER, 600);
        long id = channel.sent.remove().words()[0];
        channel.arrive(PEER, PacketKind.RNDV_REPLY, id, 1, 600, HostileChannel.WRITTEN, 8192);
        channel.arrive(PEER, PacketKind.RNDV_REPLY, id, 1, 600, HostileChannel.WRITTEN, 8192);
        assertCutOff(PEER, completion, "RNDV_REPLY");
    }

    @Test
    void aReceiverThatSaysItHasReadWhatIsWritten() {
        Completion completion = announced(PEER, 600);
        long id = channel.sent.remove().words()[0];
        channel.arrive(PEER, PacketKind.RNDV_REPLY, id, 1, 600, HostileChannel.WRITTEN, 8192);
        channel.arrive(PEER, PacketKind.RNDV_END, id);
        assertCutOff(PEER, completion, "RNDV_END");
    }
}
