package org.sluice.hybrid.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.counter.Counter;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;

/** Receives whose memory their senders write to. */
final class OfferedReceivesTest extends WritingScript {
    /** A receive of this many bytes that has told where to. */
    private Completion offered(int peer, int room, int bytes) {
        Completion completion = new Completion(null);
        byte[] into = new byte[room];
        exchange.post(into, 0, room, 0, peer, 7, completion);
        long[] start = {5, bytes, HostileChannel.WRITTEN, 0};
        byte[] body = new byte[32];
        Memory.copy(start, Memory.arrayOffset(start), body, Memory.arrayOffset(body), body.length);
        channel.arrive(peer, PacketKind.RNDV_START, 0, 7, body);
        run();
        return completion;
    }

    private long lastReceiveId() {
        HostileChannel.Sent reply = channel.sent.removeLast();
        assertEquals(PacketKind.RNDV_REPLY, reply.kind());
        assertEquals(5, reply.words().length);
        assertEquals(5, reply.words()[0]);
        assertEquals(HostileChannel.WRITTEN, reply.words()[3]);
        assertEquals(4096, reply.words()[4]);
        return reply.words()[1];
    }

    @Test
    void aReceiveEndsWhenItsSenderSaysSo() {
        Completion completion = offered(PEER, 400, 300);
        long id = lastReceiveId();
        assertFalse(completion.isReached());
        assertTrue(exchange.isReceiving());
        assertEquals(List.of(PEER), channel.offers);
        channel.arrive(PEER, PacketKind.RNDV_END, id, 300);
        run();
        assertTrue(completion.isReached());
        assertNull(completion.failure());
        assertEquals(List.of(), channel.offers);
        assertEquals(List.of(), sentKinds());
        assertFalse(exchange.isReceiving());
        assertEquals(0, counters.get(Counter.COPIES));
    }

    @Test
    void aReceiveThatIsTooShortGetsWhatFits() {
        Completion completion = offered(PEER, 100, 300);
        assertEquals(100, channel.sent.peek().words()[2]);
        channel.arrive(PEER, PacketKind.RNDV_END, lastReceiveId(), 100);
        run();
        assertEquals(ErrorCode.TRUNCATED, completion.error());
    }

    @Test
    void aReceiveOfNothingOffersNothing() {
        Completion completion = offered(PEER, 0, 300);
        assertEquals(ErrorCode.TRUNCATED, completion.error());
        assertEquals(List.of(PacketKind.RNDV_END), sentKinds());
        assertEquals(List.of(), channel.offers);
    }

    @Test
    void whatCannotBeOfferedIsStreamed() {
        channel.unable = true;
        Completion completion = offered(PEER, 300, 300);
        HostileChannel.Sent reply = channel.sent.remove();
        assertEquals(3, reply.words().length);
        long id = reply.words()[1];
        channel.arrive(PEER, PacketKind.RNDV_DATA, (int) (id >> 32), (int) id, new byte[300]);
        run();
        assertTrue(completion.isReached());
        assertNull(completion.failure());
    }

    @Test
    void receivesOfADeadPeerEndOnceTheChannelLetsGoOfThem() {
        Completion completion = offered(PEER, 300, 300);
        exchange.peerFailed(new Failure(ErrorCode.PEER_DEAD, PEER, "unplugged"));
        run();
        assertTrue(channel.disconnected.contains(PEER));
        assertEquals(ErrorCode.PEER_DEAD, completion.error());
        assertEquals(List.of(), channel.offers);
    }

    @Test
    void closingWaitsForWhatIsWritten() {
        Completion completion = offered(PEER, 300, 300);
        exchange.endReceives(CLOSED);
        run();
        assertFalse(completion.isReached());
        assertTrue(exchange.isReceiving());
        channel.arrive(PEER, PacketKind.RNDV_END, lastReceiveId(), 300);
        run();
        assertEquals(ErrorCode.DEVICE_CLOSED, completion.error());
        assertFalse(channel.disconnected.contains(PEER));
        assertFalse(exchange.isReceiving());
        assertEquals(List.of(), channel.offers);
    }

    @Test
    void theEndOfTheDeviceTakesTheConnectionOfWhomMemoryIsOfferedTo() {
        Completion completion = offered(PEER, 300, 300);
        exchange.endReceives(CLOSED);
        exchange.end(new Failure(ErrorCode.DEVICE_FAILED, -1, "later"));
        assertTrue(channel.disconnected.contains(PEER));
        assertFalse(channel.disconnected.contains(OTHER));
        assertEquals(ErrorCode.DEVICE_CLOSED, completion.error());
        assertEquals(List.of(), channel.offers);
    }

    @Test
    void anEndBeforeAllBytesWereWritten() {
        Completion completion = offered(PEER, 300, 300);
        channel.arrive(PEER, PacketKind.RNDV_END, lastReceiveId(), 299);
        assertCutOff(PEER, completion, "299");
    }

    @Test
    void anEndOfSomebodyElse() {
        Completion honest = offered(PEER, 300, 300);
        Completion liars = offered(OTHER, 300, 300);
        sentKinds();
        channel.arrive(OTHER, PacketKind.RNDV_END, 0, 300);
        run();
        assertEquals(ErrorCode.PEER_CORRUPT, routes[OTHER].failure().code());
        assertEquals(ErrorCode.PEER_CORRUPT, liars.error());
        assertFalse(honest.isReached());
        assertEquals(List.of(PEER), channel.offers);
    }

    @Test
    void anEndOfAReceiveThatAskedForAStream() {
        channel.unable = true;
        Completion completion = offered(PEER, 300, 300);
        channel.arrive(PEER, PacketKind.RNDV_END, channel.sent.remove().words()[1], 300);
        assertCutOff(PEER, completion, "RNDV_END");
    }

    @Test
    void aStreamToAReceiveThatToldWhereToWrite() {
        Completion completion = offered(PEER, 300, 300);
        long id = lastReceiveId();
        channel.arrive(PEER, PacketKind.RNDV_DATA, (int) (id >> 32), (int) id, new byte[300]);
        assertCutOff(PEER, completion, "RNDV_DATA");
    }
}
