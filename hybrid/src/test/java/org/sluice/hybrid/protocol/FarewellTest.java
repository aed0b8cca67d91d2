package org.sluice.hybrid.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.Fences;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.counter.Counters;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.progress.ProgressEngine;
import org.sluice.hybrid.progress.Sleeper;
import org.sluice.hybrid.progress.WaitPolicy;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.route.DeferredWork;
import org.sluice.hybrid.route.Locality;
import org.sluice.hybrid.route.Route;

/** What peers hear of a device that closes or failed, and what a device makes of hearing it. */
final class FarewellTest {
    private static final int SELF = 0;
    private static final int RANKS = 4;

    private final HostileChannel channel = new HostileChannel();
    private final ByteBuffer wordMemory = ByteBuffer.allocateDirect(WaitWord.BYTES);
    private Exchange exchange;

    @BeforeEach
    void open() {
        DeferredWork deferred = new DeferredWork();
        Route[] routes = new Route[RANKS];
        for (int rank = 0; rank < RANKS; rank++) {
            routes[rank] = new Route(rank, Locality.SAME_NODE, channel, 1024, 1 << 20, deferred, Fences.SYMMETRIC);
        }
        Counters counters = new Counters();
        exchange = new Exchange(SELF, new Channel[] {channel}, routes, deferred, 1 << 20, false, counters);
        exchange.engine(new ProgressEngine(
                exchange,
                new WaitWord(Memory.address(wordMemory), wordMemory, null),
                new WaitPolicy(0, 0, 1_000_000_000),
                Sleeper.napping(),
                0,
                "none",
                counters));
    }

    private List<Integer> told() {
        List<Integer> peers = new ArrayList<>();
        for (HostileChannel.Sent packet : channel.sent) {
            assertEquals(PacketKind.CLOSE, packet.kind());
            assertEquals(Farewell.DEVICE_FAILED, packet.words()[0]);
            peers.add(packet.peer());
        }
        return peers;
    }

    private List<Integer> closedTo() {
        List<Integer> peers = new ArrayList<>();
        for (HostileChannel.Sent packet : channel.sent) {
            assertEquals(PacketKind.CLOSE, packet.kind());
            assertEquals(0, packet.words().length);
            peers.add(packet.peer());
        }
        return peers;
    }

    private BitSet sayGoodbye() {
        BitSet unmet = exchange.sayGoodbye();
        assertEquals("{1, 3}", unmet.toString());
        assertEquals(List.of(2), closedTo(), "they wait for nobody who was never met");
        assertEquals(Set.of(), channel.leftUnmet);
        return unmet;
    }

    @Test
    void aPeerThatWasNeverMetIsSentNothingWhereItKnows() {
        channel.unmet.addAll(List.of(SELF, 1, 3));
        exchange.leaveUnmet(sayGoodbye(), true);
        assertEquals(List.of(2), closedTo());
        assertEquals(Set.of(1, 3), channel.leftUnmet);
        assertEquals(-1, exchange.firstBusyPeer());
    }

    @Test
    void oneThatIsMetMeanwhileIsSentTheLastPacketToo() {
        channel.unmet.addAll(List.of(1, 3));
        BitSet unmet = sayGoodbye();
        channel.unmet.remove(3);
        exchange.leaveUnmet(unmet, true);
        assertEquals(List.of(2, 3), closedTo());
        assertEquals(Set.of(1), channel.leftUnmet);
    }

    @Test
    void soAreAllThatDoNotKnow() {
        channel.unmet.addAll(List.of(1, 3));
        exchange.leaveUnmet(sayGoodbye(), false);
        assertEquals(List.of(2, 1, 3), closedTo());
        assertEquals(Set.of(), channel.leftUnmet);
    }

    @Test
    void nobodyHasToTellAPeerThatIsGone() {
        channel.unmet.add(1);
        channel.arrive(1, PacketKind.CLOSE);
        exchange.work();
        assertTrue(exchange.sayGoodbye().isEmpty());
        assertEquals(List.of(2, 3), closedTo());
    }

    @Test
    void aPeerThatClosesUnmetEndsWhatNamesItAndNothingElse() {
        Completion named = new Completion(null);
        Completion any = new Completion(null);
        exchange.post(new byte[8], 0, 8, 0, 1, 1, named);
        exchange.post(new byte[8], 0, 8, 0, Device.ANY_SOURCE, 1, any);
        channel.closing.add(1);
        exchange.work();
        assertEquals(ErrorCode.PEER_CLOSED, named.error());
        assertEquals("rank 1 has closed its device", named.failure().message());
        assertFalse(any.isReached());
        Completion later = new Completion(null);
        exchange.post(new byte[8], 0, 8, 0, 1, 1, later);
        assertEquals(ErrorCode.PEER_CLOSED, later.error());
    }

    @Test
    void everyPeerIsToldOnce() {
        exchange.fail(new IllegalStateException("provoked"));
        exchange.fail(new IllegalStateException("and again"));
        exchange.work();
        assertEquals(List.of(1, 2, 3), told());
        assertFalse(exchange.waitsForRoom());
    }

    @Test
    void onePeerThatIsFullIsToldLaterAndOneThatCannotBeReachedKeepsNoOther() {
        channel.full.add(2);
        channel.broken.add(1);
        exchange.fail(new IllegalStateException("provoked"));
        assertEquals(List.of(3), told());
        exchange.fail(new IllegalStateException("what failing brings with it"));
        assertTrue(exchange.waitsForRoom(), "somebody has to go on with it");
        assertEquals(0, exchange.work());
        channel.full.clear();
        assertEquals(1, exchange.work());
        assertEquals(List.of(3, 2), told());
        assertFalse(exchange.waitsForRoom());
    }

    /** A device that has failed polls no more. */
    @Test
    void aPeerForWhichPollingWouldMakeRoomHearsByTheEndOfItsConnection() {
        channel.stuck.add(2);
        exchange.fail(new IllegalStateException("provoked"));
        assertEquals(List.of(1, 3), told());
        assertEquals(Set.of(2), channel.disconnected);
        assertFalse(exchange.waitsForRoom());
    }

    @Test
    void nothingIsSentOnceTheDeviceIsClosed() {
        channel.full.addAll(List.of(1, 2, 3));
        exchange.fail(new IllegalStateException("provoked"));
        exchange.end(new Failure(ErrorCode.DEVICE_CLOSED, -1, "closed"));
        channel.full.clear();
        assertEquals(0, exchange.work());
        exchange.fail(new IllegalStateException("after the close"));
        assertEquals(List.of(), told());
    }

    @Test
    void aReceiveFromAPeerWhoseDeviceFailedSaysSo() {
        Completion named = new Completion(null);
        Completion any = new Completion(null);
        Completion other = new Completion(null);
        exchange.post(new byte[8], 0, 8, 0, 1, 1, named);
        exchange.post(new byte[8], 0, 8, 0, Device.ANY_SOURCE, 1, any);
        exchange.post(new byte[8], 0, 8, 0, 2, 1, other);
        channel.arrive(1, PacketKind.CLOSE, Farewell.DEVICE_FAILED);
        exchange.work();
        assertEquals(ErrorCode.PEER_DEAD, named.error());
        assertEquals(ErrorCode.PEER_DEAD, any.error(), "what it waits for may never come");
        assertFalse(other.isReached());
    }

    @Test
    void aDeviceThatWasLeftOpenSaysSo() {
        exchange.fail(new EndedOpen(SELF));
        assertEquals(RANKS - 1, channel.sent.size());
        channel.sent.forEach(packet -> assertEquals(Farewell.ENDED_OPEN, packet.words()[0]));
    }

    @Test
    void aPeerThatLeftItsDeviceOpenIsNotSaidToHaveFailed() {
        Completion completion = new Completion(null);
        exchange.post(new byte[8], 0, 8, 0, 1, 1, completion);
        channel.arrive(1, PacketKind.CLOSE, Farewell.ENDED_OPEN);
        exchange.work();
        assertEquals(ErrorCode.PEER_DEAD, completion.error());
        assertEquals(
                "rank 1 has ended without closing its device",
                completion.failure().message());
    }

    @Test
    void aLastWordOfAnotherLengthIsNoneOfSluice() {
        Completion completion = new Completion(null);
        exchange.post(new byte[8], 0, 8, 0, 1, 1, completion);
        channel.arrive(1, PacketKind.CLOSE, 1, 2);
        exchange.work();
        assertEquals(ErrorCode.PEER_CORRUPT, completion.error());
    }
}
