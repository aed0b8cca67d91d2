package org.sluice.hybrid.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.sluice.device.channel.Fences;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.operation.Ends;
import org.sluice.hybrid.operation.PeerFailed;
import org.sluice.hybrid.operation.ReceiveOperation;
import org.sluice.hybrid.rendezvous.RendezvousReceiver;
import org.sluice.hybrid.rendezvous.Turns;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.route.DeferredWork;
import org.sluice.hybrid.route.FasterWay;
import org.sluice.hybrid.route.Locality;
import org.sluice.hybrid.route.Route;

/** Receives of messages that can be read and streamed, under a clock that the test sets. */
final class FasterWayTest {
    private static final int PEER = 1;
    private static final int BYTES = 200;

    private final HostileChannel channel = new HostileChannel();
    private final Counters counters = new Counters();
    private final Ends ends = new Ends(0, false);
    private final byte[] data = new byte[2 * BYTES];
    private final byte[] into = new byte[2 * BYTES];
    private final long body = Memory.allocate(2 * BYTES);
    private final RendezvousReceiver receiver;
    private long now = 1_000_000;

    FasterWayTest() {
        DeferredWork deferred = new DeferredWork();
        Route[] routes = new Route[2];
        for (int rank = 0; rank < routes.length; rank++) {
            routes[rank] = new Route(rank, Locality.SAME_NODE, channel, 1024, 1 << 20, deferred, Fences.SYMMETRIC);
        }
        PeerFailed failed = new PeerFailed() {
            @Override
            public void corrupt(int peer, String reason) {
                throw new AssertionError(reason);
            }

            @Override
            public void unreadable(int peer, String reason) {
                throw new AssertionError(reason);
            }
        };
        receiver = new RendezvousReceiver(routes, ends, counters, failed, new Turns.Load(), () -> now);
        channel.onTrial = true;
        for (int i = 0; i < data.length; i++) {
            data[i] = (byte) (i * 7 + 1);
        }
    }

    private Completion accept(int room, int messageBytes) {
        Completion completion = new Completion(null);
        RemoteReference reference = new RemoteReference();
        reference.set(9, 4096, null);
        receiver.accept(
                ends.receiveOperation(into, 0, room, 0, PEER, 1, completion), PEER, 1, messageBytes, 7, reference);
        return completion;
    }

    /** The kind of what the sender was told last, and the id of the receive that wants a stream. */
    private HostileChannel.Sent answer() {
        return channel.sent.removeLast();
    }

    private void stream(HostileChannel.Sent reply, int bytes) {
        Memory.copy(data, Memory.arrayOffset(data), null, body, bytes);
        receiver.onData(PEER, reply.words()[1], body, bytes);
    }

    /**
     * One message by itself.
     *
     * @return whether it was streamed
     */
    private boolean message(long streamNanos, long readNanos) {
        java.util.Arrays.fill(into, (byte) 0);
        Completion completion = accept(BYTES, BYTES);
        boolean isStreamed = !channel.sent.isEmpty() && channel.sent.peekLast().kind() == PacketKind.RNDV_REPLY;
        now += isStreamed ? streamNanos : readNanos;
        if (isStreamed) {
            stream(answer(), BYTES);
            assertEquals(-1, java.util.Arrays.mismatch(data, 0, BYTES, into, 0, BYTES));
        } else {
            receiver.drive();
            assertEquals(PacketKind.RNDV_END, answer().kind());
        }
        assertTrue(completion.isReached());
        assertNull(completion.failure());
        assertTrue(receiver.isIdle());
        return isStreamed;
    }

    /** The device's stream has become as fast as it will. */
    private void warm() {
        receiver.warmth().streamed(FasterWay.WARM_BYTES);
    }

    private int streamedOf(int messages, long streamNanos, long readNanos) {
        int streamed = 0;
        for (int i = 0; i < messages; i++) {
            streamed += message(streamNanos, readNanos) ? 1 : 0;
        }
        return streamed;
    }

    private void assertChosen(int streams, int reads) {
        assertEquals(streams, counters.get(Counter.STREAM_CHOSEN));
        assertEquals(reads, counters.get(Counter.GET_CHOSEN));
    }

    /** Else it would never become so. */
    @Test
    void untilTheStreamIsWarmAnEighthOfAllGoesThatWay() {
        assertEquals(4 * FasterWay.TRIES / 2, streamedOf(4 * (FasterWay.TRIES + FasterWay.KEPT), 1000, 10));
        assertChosen(0, 4);
        assertEquals(8, (FasterWay.TRIES + FasterWay.KEPT) / (FasterWay.TRIES / 2));
    }

    @Test
    void whatStaysTheBetterWayIsKeptForLonger() {
        warm();
        for (int kept = FasterWay.KEPT; kept < FasterWay.KEPT_MOST; kept *= 2) {
            assertEquals(FasterWay.TRIES / 2, streamedOf(FasterWay.TRIES + kept, 1000, 10));
        }
        assertEquals(FasterWay.TRIES / 2, streamedOf(FasterWay.TRIES + FasterWay.KEPT_MOST, 1000, 10));
        assertEquals(FasterWay.TRIES / 2, streamedOf(FasterWay.TRIES + FasterWay.KEPT_MOST, 1000, 10));
        // The cores are elsewhere.
        assertEquals(FasterWay.TRIES / 2 + 24, streamedOf(FasterWay.TRIES + 24, 1000, 1001));
        assertEquals(FasterWay.TRIES / 2, streamedOf(FasterWay.TRIES, 1000, 1001), "tried again so soon");
    }

    /** A hop that changes is noticed within a moment, whatever the size. */
    @Test
    void ofHugeMessagesFewAreKeptToAWay() {
        assertEquals(FasterWay.KEPT_MOST, FasterWay.most(FasterWay.sizeClass(64 << 10)));
        assertEquals(512, FasterWay.most(FasterWay.sizeClass(1 << 20)));
        assertEquals(32, FasterWay.most(FasterWay.sizeClass(16 << 20)));
        assertEquals(FasterWay.KEPT, FasterWay.most(FasterWay.CLASSES - 1));
    }

    @Test
    void eachSizeHasItsWay() {
        assertEquals(0, FasterWay.sizeClass(0));
        assertEquals(0, FasterWay.sizeClass((32 << 10) - 1));
        assertEquals(1, FasterWay.sizeClass(32 << 10));
        assertEquals(6, FasterWay.sizeClass(1 << 20));
        assertEquals(FasterWay.CLASSES - 1, FasterWay.sizeClass(Long.MAX_VALUE));
    }

    @Test
    void whereReadingIsFasterItIsKept() {
        warm();
        assertEquals(FasterWay.TRIES / 2, streamedOf(FasterWay.TRIES, 1000, 999));
        assertEquals(0, streamedOf(FasterWay.KEPT, 1, 1_000_000), "what came later counts no more");
        assertChosen(0, 1);
    }

    @Test
    void whereRanksShareCoresNothingIsTried() {
        receiver.shareCores();
        for (int i = 0; i < 3 * (FasterWay.TRIES + FasterWay.KEPT); i++) {
            assertFalse(message(1, 1000));
        }
        assertEquals(0, counters.get(Counter.GET_CHOSEN) + counters.get(Counter.STREAM_CHOSEN));
    }

    @Test
    void whereTheStreamIsFasterItIsKept() {
        warm();
        assertEquals(FasterWay.TRIES / 2, streamedOf(FasterWay.TRIES, 999, 1000));
        assertEquals(FasterWay.KEPT, streamedOf(FasterWay.KEPT, 1_000_000, 1));
        assertChosen(1, 0);
    }

    @Test
    void afterAWhileBothAreTriedAgain() {
        warm();
        streamedOf(FasterWay.TRIES + FasterWay.KEPT, 1000, 2000);
        assertEquals(FasterWay.TRIES / 2, streamedOf(FasterWay.TRIES, 3000, 2000), "the best of before is forgotten");
        assertEquals(0, streamedOf(5, 3000, 2000));
        assertChosen(1, 1);
    }

    /** A sender that was busy elsewhere. */
    @Test
    void theBestTryCounts() {
        warm();
        for (int i = 0; i < FasterWay.TRIES; i++) {
            message(i == 2 ? 500 : 1_000_000, i == FasterWay.TRIES - 1 ? 600 : 700);
        }
        assertTrue(message(1, 1));
        assertChosen(1, 0);
    }

    /** Two lengths by turns, of one class: the short ones take more for each byte. */
    @Test
    void whatAProgramSendsByTurnsGoesBothWays() {
        warm();
        boolean[][] seen = new boolean[2][2];
        for (int i = 0; i < FasterWay.TRIES; i++) {
            seen[i % 2][message(10, 10) ? 1 : 0] = true;
        }
        assertTrue(seen[0][0] && seen[0][1] && seen[1][0] && seen[1][1]);
    }

    @Test
    void whatIsOnTheWayTogetherGoesOneWayAndSharesItsTime() {
        warm();
        assertEquals(FasterWay.TRIES / 2, streamedOf(FasterWay.TRIES / 2, 51, 1));
        channel.depth = 1;
        Completion first = accept(BYTES, BYTES);
        Completion second = accept(BYTES, BYTES);
        assertTrue(channel.sent.isEmpty(), "both are read");
        now += 100;
        while (!first.isReached() || !second.isReached()) {
            HostileChannel.Get get = channel.gets.remove(0);
            receiver.onGetDone((ReceiveOperation) get.ticket(), true);
            receiver.drive();
        }
        channel.sent.clear();
        channel.depth = 0;
        // 400 bytes in 100 ns, so that 200 in 51 are slower.
        assertEquals(0, streamedOf(FasterWay.TRIES / 2 - 1, 51, 10_000));
        assertFalse(message(1, 1));
        assertChosen(0, 1);
    }

    /** The system lets this rank read no more, or pages are gone: the sender streams, and that is what is kept. */
    @Test
    void whatCannotBeReadIsStreamedAndSoIsAllAfterThat() {
        warm();
        channel.unable = true;
        assertEquals(FasterWay.TRIES, streamedOf(FasterWay.TRIES, 1_000_000, 1));
        channel.unable = false;
        assertEquals(10, streamedOf(10, 1_000_000, 1));
        assertChosen(1, 0);
    }

    @Test
    void theTimeOfATruncatedMessageDoesNotCount() {
        warm();
        assertEquals(FasterWay.TRIES / 2, streamedOf(FasterWay.TRIES / 2, 1000, 1));
        Completion truncated = accept(BYTES / 2, BYTES);
        receiver.drive();
        assertTrue(truncated.isReached());
        assertEquals(PacketKind.RNDV_END, answer().kind());
        assertEquals(0, streamedOf(FasterWay.TRIES / 2 - 1, 1000, 1001));
        assertTrue(message(1, 1), "its nanoseconds were none");
        assertChosen(1, 0);
    }

    @Test
    void aChannelThatKnowsIsNotTried() {
        channel.onTrial = false;
        assertEquals(0, streamedOf(100, 1, 1_000_000));
        assertChosen(0, 0);
    }
}
