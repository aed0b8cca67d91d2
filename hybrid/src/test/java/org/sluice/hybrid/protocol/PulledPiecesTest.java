package org.sluice.hybrid.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.Fences;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.operation.ReceiveOperation;
import org.sluice.hybrid.progress.ProgressEngine;
import org.sluice.hybrid.progress.Sleeper;
import org.sluice.hybrid.progress.WaitPolicy;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.route.DeferredWork;
import org.sluice.hybrid.route.Locality;
import org.sluice.hybrid.route.Route;

/**
 * Receives that read their sender's memory through a channel whose gets end later. The channel's pieces have 100 bytes.
 */
final class PulledPiecesTest {
    private static final int PEER = 1;
    private static final int OTHER = 2;
    private static final long SHARE = 1 << 20;
    private static final long KEY = 9;

    private final HostileChannel channel = new HostileChannel();
    private final Counters counters = new Counters();
    private final Exchange exchange;
    private final ByteBuffer wordMemory = ByteBuffer.allocateDirect(WaitWord.BYTES);

    PulledPiecesTest() {
        DeferredWork deferred = new DeferredWork();
        Route[] routes = new Route[3];
        for (int rank = 0; rank < routes.length; rank++) {
            routes[rank] = new Route(rank, Locality.REMOTE, channel, 1024, SHARE, deferred, Fences.SYMMETRIC);
        }
        exchange = new Exchange(0, new Channel[] {channel}, routes, deferred, SHARE, false, counters);
        exchange.engine(new ProgressEngine(
                exchange,
                new WaitWord(Memory.address(wordMemory), wordMemory, null),
                new WaitPolicy(0, 0, 1_000_000_000),
                Sleeper.napping(),
                0,
                "none",
                counters));
        channel.depth = 4;
    }

    /** A receive that has met a message of this length. */
    private Completion pulled(int peer, long sendId, int bytes) {
        Completion completion = new Completion(null);
        byte[] into = new byte[bytes];
        exchange.post(into, 0, bytes, 0, peer, (int) sendId, completion);
        long[] start = {sendId, bytes, KEY, 4096};
        byte[] body = new byte[32];
        Memory.copy(start, Memory.arrayOffset(start), body, Memory.arrayOffset(body), body.length);
        channel.arrive(peer, PacketKind.RNDV_START, 0, (int) sendId, body);
        run();
        return completion;
    }

    private int run() {
        int done = 0;
        for (int i = 0; i < 20; i++) {
            done += exchange.work();
        }
        return done;
    }

    private List<Integer> sentKinds() {
        List<Integer> kinds =
                channel.sent.stream().map(HostileChannel.Sent::kind).toList();
        channel.sent.clear();
        return kinds;
    }

    @Test
    void theEndIsSentAfterTheLastPieceWhicheverThatIs() {
        Completion completion = pulled(PEER, 5, 350);
        assertEquals(
                List.of(0L, 100L, 200L, 300L),
                channel.gets.stream().map(HostileChannel.Get::offset).toList());
        assertEquals(50, channel.gets.get(3).bytes());
        while (!channel.gets.isEmpty()) {
            assertFalse(completion.isReached());
            assertEquals(List.of(), sentKinds());
            channel.end(channel.gets.get(channel.gets.size() / 2), true);
            run();
        }
        assertTrue(completion.isReached());
        assertNull(completion.failure());
        assertEquals(5, channel.sent.peek().words()[0]);
        assertEquals(List.of(PacketKind.RNDV_END), sentKinds());
        assertEquals(4, counters.get(Counter.GET_CHUNKS));
        assertEquals(0, counters.get(Counter.COPIES));
    }

    @Test
    void severalMessagesOfOnePeerGoOnTogether() {
        Completion first = pulled(PEER, 1, 2000);
        Completion second = pulled(PEER, 2, 2000);
        Completion third = pulled(PEER, 3, 2000);
        int[] pieces = new int[3];
        for (int i = 0; i < 60; i++) {
            assertEquals(4, channel.gets.size() + Math.max(0, i - 56), "as many as there is room for");
            HostileChannel.Get oldest = channel.gets.get(0);
            pieces[(int) ((ReceiveOperation) oldest.ticket()).sendId - 1]++;
            channel.end(oldest, true);
            run();
            if (i == 30) {
                assertTrue(
                        pieces[0] < 20 && pieces[1] > 5 && pieces[2] > 5,
                        "the first hogs the peer: " + pieces[0] + " " + pieces[1]);
            }
        }
        assertTrue(first.isReached() && second.isReached() && third.isReached());
        assertEquals(List.of(PacketKind.RNDV_END, PacketKind.RNDV_END, PacketKind.RNDV_END), sentKinds());
    }

    @Test
    void aRoundThatOnlyWaitsDoesNothing() {
        pulled(PEER, 1, 2000);
        assertEquals(0, run(), "a rank that waits for pieces could never sleep");
    }

    @Test
    void aFailedPieceEndsTheReceiveOnlyWithThePeer() {
        Completion completion = pulled(PEER, 1, 300);
        Completion fine = pulled(OTHER, 2, 50);
        channel.end(channel.gets.get(0), false);
        channel.end(channel.gets.get(0), true);
        channel.end(channel.gets.get(0), true);
        run();
        assertFalse(completion.isReached());
        assertEquals(0, exchange.work());
        exchange.peerFailed(new Failure(ErrorCode.PEER_DEAD, PEER, "unplugged"));
        run();
        assertEquals(ErrorCode.PEER_DEAD, completion.error());
        assertFalse(fine.isReached());
        channel.end(channel.gets.get(0), true);
        run();
        assertNull(fine.failure());
        assertTrue(fine.isReached());
        assertEquals(List.of(PacketKind.RNDV_END), sentKinds());
    }

    @Test
    void receivesOfADeadPeerEndOnceTheChannelLetsGoOfThem() {
        Completion completion = pulled(PEER, 1, 300);
        exchange.peerFailed(new Failure(ErrorCode.PEER_DEAD, PEER, "unplugged"));
        run();
        assertTrue(channel.disconnected.contains(PEER));
        assertEquals(0, channel.gets.size(), "the order is: disconnect, then end");
        assertEquals(ErrorCode.PEER_DEAD, completion.error());
        assertEquals(List.of(), sentKinds());
    }

    @Test
    void closingWaitsForThePiecesOnTheWay() {
        Completion reading = pulled(PEER, 1, 1000);
        Failure closed = new Failure(ErrorCode.DEVICE_CLOSED, -1, "closed");
        exchange.endReceives(closed);
        for (int left = 4; left > 0; left--) {
            assertFalse(reading.isReached());
            assertTrue(exchange.isReceiving());
            assertEquals(left, channel.gets.size(), "no more is asked for");
            channel.end(channel.gets.get(0), true);
            run();
        }
        assertEquals(ErrorCode.DEVICE_CLOSED, reading.error());
        assertFalse(exchange.isReceiving());
        assertFalse(channel.disconnected.contains(PEER));
    }

    @Test
    void theEndOfTheDeviceTakesTheConnectionOfWhatIsStillRead() {
        Completion reading = pulled(PEER, 1, 1000);
        Failure closed = new Failure(ErrorCode.DEVICE_CLOSED, -1, "closed");
        exchange.endReceives(closed);
        exchange.end(new Failure(ErrorCode.DEVICE_FAILED, -1, "later"));
        assertTrue(channel.disconnected.contains(PEER));
        assertFalse(channel.disconnected.contains(OTHER));
        assertEquals(ErrorCode.DEVICE_CLOSED, reading.error());
    }

    @Test
    void whatCannotBeReadIntoIsStreamed() {
        channel.unable = true;
        Completion completion = pulled(PEER, 8, 300);
        assertEquals(300, channel.sent.peek().words()[2]);
        long receiveId = channel.sent.peek().words()[1];
        assertEquals(List.of(PacketKind.RNDV_REPLY), sentKinds());
        channel.arrive(PEER, PacketKind.RNDV_DATA, (int) (receiveId >> 32), (int) receiveId, new byte[300]);
        run();
        assertTrue(completion.isReached());
        assertNull(completion.failure());
    }

    /** The rest of a message may lie where the channel can't read: then that comes as a stream. */
    @Test
    void ofAMessageThatCannotBeReadToItsEndTheRestIsStreamed() {
        Completion completion = pulled(PEER, 8, 1000);
        channel.unable = true;
        while (!channel.gets.isEmpty()) {
            assertEquals(List.of(), sentKinds());
            channel.end(channel.gets.get(0), true);
            run();
        }
        long[] reply = channel.sent.peek().words();
        assertEquals(1000, reply[2]);
        int rest = 1000 - (int) reply[3];
        assertTrue(rest > 0 && rest < 1000, () -> rest + " bytes are to come");
        assertEquals(List.of(PacketKind.RNDV_REPLY), sentKinds());
        assertFalse(completion.isReached());
        channel.arrive(PEER, PacketKind.RNDV_DATA, (int) (reply[1] >> 32), (int) reply[1], new byte[rest]);
        run();
        assertTrue(completion.isReached());
        assertNull(completion.failure());
    }
}
