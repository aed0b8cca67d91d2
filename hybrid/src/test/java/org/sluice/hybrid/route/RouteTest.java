package org.sluice.hybrid.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluice.device.ErrorCode;
import org.sluice.device.buffer.UserBuffer;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.Fences;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.counter.Counter;
import org.sluice.hybrid.request.Failure;

/** What goes to one peer: in order, whatever finds no room, and to its end when the peer is gone. */
@Timeout(60)
final class RouteTest {
    private static final int PEER = 3;
    private static final int CONTEXT = 2;
    private static final Failure DEAD = new Failure(ErrorCode.PEER_DEAD, PEER, "died in the test");

    private final NarrowChannel channel = new NarrowChannel();
    private final DeferredWork deferred = new DeferredWork();
    private final Route route = route(1 << 20);
    private final List<SendOperation> over = new ArrayList<>();

    private Route route(long shareBytes) {
        return new Route(PEER, Locality.SAME_NODE, channel, 200, shareBytes, deferred, Fences.SYMMETRIC);
    }

    private static SendOperation operation(Route route, int tag, int bytes) {
        SendOperation operation = route.operation();
        byte[] body = new byte[bytes];
        java.util.Arrays.fill(body, (byte) tag);
        operation.buffer = body;
        operation.base = body;
        operation.address = UserBuffer.address(body, 0, false);
        operation.bytes = bytes;
        operation.elementSize = 1;
        operation.contextId = CONTEXT;
        operation.tag = tag;
        return operation;
    }

    private int trySend(Route to, int tag, int bytes) {
        byte[] body = new byte[bytes];
        return to.trySendEager(CONTEXT, tag, body, UserBuffer.address(body, 0, false), bytes);
    }

    /** A large message is announced, and the receiver asks for all of it. */
    private SendOperation streamed(int tag, int bytes) {
        channel.room++;
        SendOperation operation = operation(route, tag, bytes);
        assertFalse(route.send(operation), "it is over when its bytes are");
        NarrowChannel.Packet start = channel.sent.remove(channel.sent.size() - 1);
        assertEquals(PacketKind.RNDV_START, start.kind());
        assertEquals(bytes, start.word(1));
        assertNull(route.onReply(start.word(0), tag, bytes, 0, over));
        return operation;
    }

    @Test
    void whatFindsRoomGoesAtOnce() {
        channel.room = 3;
        assertEquals(Channel.SENT, trySend(route, 1, 8));
        assertTrue(route.send(operation(route, 2, 200)), "over at once");
        assertEquals(Channel.SENT, trySend(route, 3, 0));
        assertEquals(List.of("EAGER 1 of 8", "EAGER 2 of 200", "EAGER 3 of 0"), channel.takeSent());
        assertEquals(3, channel.signals);
        assertFalse(route.hasWork() || deferred.isSet());
        assertTrue(route.isIdle());
    }

    @Test
    void whatTheChannelThrowsAtIsNotOnTheWay() {
        channel.refusal = new IllegalStateException("refused by the test");
        SendOperation operation = operation(route, 1, 500);
        assertSame(channel.refusal, assertThrows(IllegalStateException.class, () -> route.send(operation)));
        assertTrue(route.isIdle());
        assertFalse(route.hasWork());
        assertNull(route.onEnd(operation.id));
        channel.refusal = null;
        channel.room = 1;
        assertFalse(route.send(operation), "it is over when it is answered");
        assertSame(operation, route.onEnd(operation.id));
        assertTrue(route.isIdle());
    }

    @Test
    void whatFindsNoRoomGoesInOrderLater() {
        SendOperation first = operation(route, 1, 10);
        SendOperation second = operation(route, 2, 20);
        assertFalse(route.send(first));
        assertTrue(route.hasWork() && deferred.isSet(), "progress is asked to look");
        channel.room = 1;
        assertEquals(Channel.NO_RESOURCE, trySend(route, 3, 8), "there is room, but others wait for it");
        assertFalse(route.send(second));
        assertEquals(1, route.drive(over));
        assertEquals(List.of(first), over);
        assertTrue(route.hasWork());
        channel.room = 5;
        assertEquals(1, route.drive(over));
        assertEquals(List.of(first, second), over);
        assertFalse(route.hasWork());
        assertEquals(Channel.SENT, trySend(route, 3, 8));
        assertEquals(List.of("EAGER 1 of 10", "EAGER 2 of 20", "EAGER 3 of 8"), channel.takeSent());
        assertEquals(2, route.counters().get(Counter.DEFERRED));
    }

    @Test
    void whatHasNotGoneIsTakenBackAtOnceAndWhatWasToldOfWhenThePeerSaysSo() {
        SendOperation first = operation(route, 1, 10);
        SendOperation second = operation(route, 2, 500);
        SendOperation third = operation(route, 3, 10);
        route.send(first);
        route.send(second);
        route.send(third);
        assertEquals(Withdrawal.WITHDRAWN, route.withdraw(first));
        assertEquals(Withdrawal.TOO_LATE, route.withdraw(first));
        channel.room = 5;
        route.drive(over);
        assertEquals(List.of(third), over, "the other is over when it is answered");
        assertEquals(2, channel.takeSent().size(), "RNDV_START and the third");
        assertNull(route.withdrawn(second.id), "it was not asked for");
        assertEquals(Withdrawal.ASKED_FOR, route.withdraw(second));
        assertEquals(List.of("RNDV_CANCEL 0 of 8"), channel.takeSent());
        assertEquals(Withdrawal.TOO_LATE, route.withdraw(second));
        assertSame(second, route.withdrawn(second.id));
        assertFalse(second.started, "the peer has forgotten where its bytes are");
        assertTrue(route.isIdle());
        assertEquals(Withdrawal.TOO_LATE, route.withdraw(third));
    }

    @Test
    void aPeerThatHasNoRoomIsAskedForASendLater() {
        channel.room = 1;
        SendOperation operation = operation(route, 1, 500);
        assertFalse(route.send(operation));
        channel.takeSent();
        assertNull(route.withdrawn(operation.id), "it was not asked for");
        assertEquals(Withdrawal.TO_BE_ASKED_FOR, route.withdraw(operation), "there is no room");
        assertTrue(route.hasWork() && deferred.isSet(), "progress is asked to look");
        assertEquals(Withdrawal.TOO_LATE, route.withdraw(operation));
        channel.room = 1;
        route.drive(over);
        assertEquals(List.of("RNDV_CANCEL 0 of 8"), channel.takeSent());
        assertSame(operation, route.withdrawn(operation.id));
        assertTrue(route.isIdle());
    }

    @Test
    void severalThatWaitAreGatheredAndNothingElseIs() {
        channel.room = 1;
        assertEquals(Channel.SENT, trySend(route, 1, 8));
        route.send(operation(route, 2, 10));
        channel.room = 5;
        route.drive(over);
        assertEquals(0, channel.gatherings, "one alone");
        channel.room = 0;
        for (int tag = 3; tag < 6; tag++) {
            route.send(operation(route, tag, 10));
        }
        channel.room = 2;
        assertEquals(2, route.drive(over));
        assertEquals(1, channel.gatherings);
        assertFalse(channel.isGathering, "it ends although there was no room");
        assertEquals(3, over.size());
    }

    @Test
    void whatTheChannelKeepsIsAskedForUntilItIsGone() {
        for (int tag = 1; tag < 3; tag++) {
            route.send(operation(route, tag, 10));
        }
        channel.room = 2;
        channel.isFlushed = false;
        assertEquals(2, route.drive(over));
        for (int i = 0; i < 3; i++) {
            assertTrue(route.hasWork(), "something is kept, round " + i);
            assertFalse(route.isIdle());
            assertEquals(0, route.drive(over));
        }
        channel.isFlushed = true;
        route.drive(over);
        assertFalse(route.hasWork());
        assertTrue(route.isIdle());
        assertEquals(5, channel.gatherings);
        route.drive(over);
        assertEquals(5, channel.gatherings, "nothing is kept any more");
    }

    @Test
    void aFailedRouteKeepsNothing() {
        for (int tag = 1; tag < 3; tag++) {
            route.send(operation(route, tag, 10));
        }
        channel.room = 2;
        channel.isFlushed = false;
        route.drive(over);
        route.fail(DEAD, over);
        assertFalse(route.hasWork());
        assertTrue(route.isIdle());
        route.drive(over);
        assertEquals(1, channel.gatherings, "the channel may be closed");
    }

    @Test
    void controlPacketsGoBeforeMessagesAndThoseBeforePiecesOfLargeOnes() {
        SendOperation large = streamed(7, 250);
        assertFalse(route.send(operation(route, 1, 10)));
        assertFalse(route.sendControl(PacketKind.RNDV_END, 5, 0, 0, 8), "it waits");
        assertFalse(route.sendControl(PacketKind.RELEASE, 6, 0, 0, 8));
        for (int i = 0; i < 4; i++) {
            channel.room = 1;
            assertEquals(1, route.drive(over), "one packet found room");
        }
        assertEquals(
                List.of("RNDV_END 0 of 8", "RELEASE 0 of 8", "EAGER 1 of 10", "RNDV_DATA 7 of 100"),
                channel.takeSent());
        channel.room = 10;
        assertEquals(1, route.drive(over), "one piece a round, so that others come between");
        assertFalse(over.contains(large));
        assertEquals(1, route.drive(over));
        assertTrue(over.contains(large));
        assertEquals(List.of("RNDV_DATA 7 of 100", "RNDV_DATA 7 of 50"), channel.takeSent());
        assertTrue(route.isIdle());
    }

    @Test
    void largeMessagesTakeTurns() {
        streamed(7, 300);
        streamed(8, 201);
        channel.room = 10;
        for (int i = 0; i < 6; i++) {
            assertEquals(1, route.drive(over));
        }
        List<String> sent = channel.takeSent();
        assertEquals(6, sent.size());
        assertEquals(Set.of("RNDV_DATA 7 of 100", "RNDV_DATA 8 of 100"), Set.copyOf(sent.subList(0, 2)));
        assertEquals(Set.of("RNDV_DATA 7 of 100", "RNDV_DATA 8 of 100"), Set.copyOf(sent.subList(2, 4)));
        assertEquals(Set.of("RNDV_DATA 7 of 100", "RNDV_DATA 8 of 1"), Set.copyOf(sent.subList(4, 6)));
        assertEquals(2, over.size());
    }

    @Test
    void pastItsShareAnEagerMessageIsOnlyAnnounced() {
        Route narrow = route(200);
        channel.room = 100;
        assertEquals(Channel.SENT, trySend(narrow, 1, 150));
        assertEquals(Channel.NO_RESOURCE, trySend(narrow, 2, 150), "150 of 200 bytes are in use");
        SendOperation announced = operation(narrow, 2, 150);
        assertFalse(narrow.send(announced));
        assertEquals(1, narrow.counters().get(Counter.EAGER_SHARE_EXCEEDED));
        NarrowChannel.Packet start = channel.sent.get(1);
        assertEquals(PacketKind.RNDV_START, start.kind());
        assertNull(narrow.onRelease(150));
        assertEquals(Channel.SENT, trySend(narrow, 3, 150), "given back");
        assertSame(announced, narrow.onEnd(start.word(0)));
        assertNull(narrow.onEnd(start.word(0)), "once");
    }

    @Test
    void whatAPeerCannotMeanIsSaid() {
        channel.room = 100;
        assertEquals(Channel.SENT, trySend(route, 1, 150));
        assertNotNull(route.onRelease(EagerShare.charge(150) + 1));
        assertNotNull(route.onRelease(-1));
        assertNull(route.onRelease(100));
        assertNotNull(route.onRelease(99), "it can't take back what it gave");
        assertNotNull(route.onReply(12345, 1, 1, 0, over));
        assertFalse(route.send(operation(route, 2, 500)));
        long id = channel.sent.get(1).word(0);
        assertNotNull(route.onReply(id, 1, 501, 0, over));
        assertNotNull(route.onReply(id, 1, -1, 0, over));
        assertNotNull(route.onReply(id, 1, 500, -1, over));
        assertNotNull(route.onReply(id, 1, 500, 500, over), "there is no rest");
        assertNull(route.onReply(id, 1, 0, 0, over), "a receive of nothing");
        assertEquals(1, over.size());
        assertNotNull(route.onReply(id, 1, 0, 0, over), "once");
    }

    /** A message that may go past all else goes past nothing that was there before. */
    @Test
    void nothingGoesPastWhatWaitsOrAfterTheLast() {
        assertFalse(route.send(operation(route, 1, 10)));
        channel.room = 100;
        assertEquals(Channel.NO_RESOURCE, trySend(route, 2, 10), "1 waits");
        route.drive(over);
        assertEquals(Channel.SENT, trySend(route, 2, 10), "1 has gone");
        assertEquals(1, channel.sent.get(0).tag());
        assertEquals(2, channel.sent.get(1).tag());
        route.refuse(DEAD);
        assertEquals(Channel.NO_RESOURCE, trySend(route, 3, 0));
        assertNull(route.onRelease(1));
        assertEquals(Channel.NO_RESOURCE, trySend(route, 4, 0), "news of room opens nothing");
        assertEquals(2, channel.sent.size());
    }

    @Test
    void aFailureEndsAllThatIsOnTheWayAndAllThatIsToCome() {
        Set<SendOperation> onTheWay = new java.util.HashSet<>();
        onTheWay.add(streamed(7, 250));
        channel.room = 1;
        SendOperation started = operation(route, 8, 250);
        assertFalse(route.send(started));
        onTheWay.add(started);
        SendOperation parked = operation(route, 9, 10);
        assertFalse(route.send(parked));
        onTheWay.add(parked);
        assertFalse(route.sendControl(PacketKind.RNDV_END, 1, 0, 0, 8));
        route.fail(DEAD, over);
        assertEquals(3, over.size());
        assertEquals(onTheWay, Set.copyOf(over));
        route.fail(new Failure(ErrorCode.PEER_CLOSED, PEER, "later"), over);
        assertSame(DEAD, route.failure(), "the first reason counts");
        channel.sent.clear();
        channel.room = 100;
        assertEquals(Channel.NO_RESOURCE, trySend(route, 1, 1));
        assertTrue(route.send(operation(route, 1, 1)), "over, with the failure");
        assertTrue(route.sendControl(PacketKind.CLOSE, 0, 0, 0, 0), "nothing waits any more");
        assertEquals(0, route.drive(over));
        assertEquals(List.of(), channel.takeSent());
        assertTrue(route.isIdle());
    }

    @Test
    void operationsAreUsedAgainAndComeEmpty() {
        SendOperation operation = operation(route, 1, 1);
        operation.synchronous = true;
        operation.started = true;
        operation.accepted = 5;
        operation.streamed = 5;
        route.recycle(operation);
        SendOperation again = route.operation();
        assertSame(operation, again);
        assertTrue(
                again.buffer == null && again.base == null && again.completion == null && again.given == null,
                "nothing is kept alive");
        assertFalse(again.synchronous || again.started);
        assertEquals(0, again.accepted + again.streamed);
    }

    /** The sender marks its route and then the device's flag; progress clears the flag and then looks at the routes. */
    @Test
    void nothingThatWasParkedIsForgotten() throws InterruptedException {
        int count = 10_000;
        long seed = System.nanoTime();
        Thread sender = new Thread(() -> {
            for (int tag = 0; tag < count; tag++) {
                if (trySend(route, tag, 4) != Channel.SENT) {
                    route.send(operation(route, tag, 4));
                }
            }
        });
        sender.start();
        Random random = new Random(seed);
        int sent = 0;
        long deadline = System.nanoTime() + 30_000_000_000L;
        while (sent < count && System.nanoTime() - deadline < 0) {
            if (deferred.isSet()) {
                deferred.clear();
                if (route.hasWork()) {
                    route.drive(over);
                    if (route.hasWork()) {
                        deferred.set();
                    }
                }
            }
            over.clear();
            route.lock();
            for (NarrowChannel.Packet packet : channel.sent) {
                assertEquals(sent++, packet.tag(), "in order; seed " + seed);
            }
            channel.sent.clear();
            channel.room = random.nextInt(4);
            route.unlock();
        }
        sender.join();
        assertEquals(count, sent, "seed " + seed + ", " + route);
    }
}
