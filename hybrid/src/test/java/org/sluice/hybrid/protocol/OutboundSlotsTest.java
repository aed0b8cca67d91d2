package org.sluice.hybrid.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;
import org.sluice.device.buffer.MessageAllocator;
import org.sluice.device.buffer.UserBuffer;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.counter.Counter;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.route.OutboundSlots;
import org.sluice.hybrid.route.SendOperation;

/** Persistent routes that lead away: when slots are taken and free, when sends end, what the receiver may say. */
final class OutboundSlotsTest extends WritingScript {
    private static final int SLOTS = 2;
    private static final int MOST = 100;
    private static final int STRIDE = 128;
    private static final long RECEIVER_ID = 77;

    private final CountingMemory memory = new CountingMemory();
    private final ByteBuffer direct = ByteBuffer.allocateDirect(MOST);
    private ScriptedSlots slots;
    private OutboundSlots route;

    private static final class CountingMemory implements MessageAllocator {
        private int living;

        @Override
        public long allocate(long bytes) {
            living++;
            return Memory.allocate(bytes);
        }

        @Override
        public void free(long address, long bytes) {
            living--;
            Memory.free(address);
        }
    }

    @BeforeEach
    void openRoute() {
        slots = new ScriptedSlots(channel.leases);
        channel.slots = slots;
        route = new OutboundSlots(PEER, channel, memory, MOST, SLOTS);
        Completion answer = new Completion(null);
        exchange.persistent().open(route, answer);
        HostileChannel.Sent asked = channel.sent.remove();
        assertEquals(PacketKind.ROUTE_OPEN, asked.kind());
        assertEquals(
                List.of(route.id(), (long) MOST, (long) SLOTS),
                java.util.Arrays.stream(asked.words()).boxed().toList());
        assertFalse(answer.isReached());
        channel.arrive(PEER, PacketKind.ROUTE_READY, route.id(), RECEIVER_ID, ScriptedSlots.KEY, 4096);
        run();
        assertTrue(answer.isReached() && answer.failure() == null && route.isWritten());
    }

    private Completion send(Object buffer, int bytes) {
        SendOperation operation = routes[PEER].operation();
        Completion completion = new Completion(null);
        operation.completion = completion;
        operation.buffer = buffer;
        operation.base = UserBuffer.base(buffer);
        operation.address = UserBuffer.address(buffer, 0, false);
        operation.bytes = bytes;
        operation.elementSize = 1;
        operation.slots = route;
        if (routes[PEER].send(operation)) {
            exchange.endSend(routes[PEER], operation, routes[PEER].refusal());
        }
        return completion;
    }

    private void assertTold(int slot, int bytes) {
        HostileChannel.Sent packet = channel.sent.remove();
        assertEquals(PacketKind.ROUTE_DATA, packet.kind());
        assertEquals(
                List.of(RECEIVER_ID, (long) slot, (long) bytes),
                java.util.Arrays.stream(packet.words()).boxed().toList());
    }

    private void release(long bits) {
        channel.arrive(PEER, PacketKind.ROUTE_RELEASE, route.id(), bits);
        run();
    }

    private void end(int write, boolean ok) {
        channel.end(slots.writes.get(write), ok);
        run();
    }

    @Test
    void aSendOutOfDirectMemoryEndsWithItsWrite() {
        Completion send = send(direct, 50);
        assertEquals(new ScriptedSlots.Write(PEER, 0, 50, slots.writes.get(0).ticket()), slots.writes.get(0));
        assertTold(0, 50);
        run();
        assertFalse(send.isReached());
        assertEquals(PEER, exchange.firstBusyPeer(), "close waits for it");
        assertEquals(1, channel.leases.size());
        end(0, true);
        assertTrue(send.isReached());
        assertNull(send.failure());
        assertEquals(List.of(), channel.leases);
        assertEquals(-1, exchange.firstBusyPeer());
        assertEquals(0, routes[PEER].counters().get(Counter.COPIES));
    }

    @Test
    void aSendOutOfAnArrayIsCopiedAndOver() {
        Completion send = send(new byte[60], 60);
        assertTold(0, 60);
        assertTrue(send.isReached());
        assertEquals(1, routes[PEER].counters().get(Counter.COPIES));
        assertEquals(1, memory.living);
        Completion second = send(new byte[70], 70);
        assertTrue(second.isReached());
        assertTold(1, 70);
        assertEquals(STRIDE, slots.writes.get(1).offset());
        assertEquals(1, memory.living, "one for all slots");
    }

    /** The release may overtake the news that the write is over: its source may not change yet. */
    @Test
    void aSlotIsFreeWhenItIsReleasedAndItsWriteIsOver() {
        send(new byte[1], 1);
        send(new byte[1], 1);
        channel.sent.clear();
        release(0b01);
        send(new byte[9], 9);
        assertEquals(List.of(PacketKind.EAGER), sentKinds(), "released, and still read");
        end(0, true);
        send(new byte[9], 9);
        assertTold(0, 9);
        end(0, true);
        send(new byte[9], 9);
        assertEquals(List.of(PacketKind.EAGER), sentKinds(), "not read any more, and not released");
        assertEquals(2, routes[PEER].counters().get(Counter.ROUTE_SLOTS_EXCEEDED));
        assertEquals(3, routes[PEER].counters().get(Counter.SENT_BY_ROUTE));
    }

    @Test
    void aWriteThatFindsNoRoomWaitsInOrder() {
        slots.depth = 0;
        Completion first = send(direct, 10);
        Completion second = send(new byte[20], 20);
        run();
        assertFalse(first.isReached() || second.isReached());
        assertEquals(List.of(), sentKinds());
        assertEquals(List.of(), channel.leases, "nothing is held meanwhile");
        slots.depth = 4;
        run();
        assertTold(0, 10);
        assertTold(1, 20);
        assertTrue(second.isReached());
        assertFalse(first.isReached());
    }

    @Test
    void aConnectionThatFailsBeforeTheWriteLeavesTheSlotAsItWas() {
        slots.isFailing = true;
        Completion own = send(direct, 10);
        Completion array = send(new byte[20], 20);
        run();
        assertFalse(own.isReached() || array.isReached());
        assertEquals(List.of(), channel.leases);
        assertFalse(exchange.persistent().isWriting(PEER), "nothing is on the way");
        slots.isFailing = false;
        run();
        assertTold(0, 10);
        assertTold(1, 20);
        exchange.peerFailed(new Failure(ErrorCode.PEER_DEAD, PEER, "unplugged"));
        run();
        assertEquals(ErrorCode.PEER_DEAD, own.error());
        assertEquals(List.of(), channel.leases);
    }

    @Test
    void aPacketThatFindsNoRoomFollowsLaterAndNothingIsWrittenTwice() {
        channel.room = 0;
        Completion send = send(direct, 10);
        assertEquals(1, slots.writes.size());
        end(0, true);
        assertFalse(send.isReached(), "the receiver doesn't know of it");
        channel.room = 1;
        run();
        assertTold(0, 10);
        assertTrue(send.isReached());
        assertNull(send.failure());
        assertEquals(0, slots.writes.size());
        assertEquals(List.of(), channel.leases);
    }

    @Test
    void closeFollowsTheLastMessage() {
        channel.room = 0;
        send(direct, 10);
        Completion waiting = send(new byte[20], 20);
        exchange.persistent().close(route);
        run();
        assertEquals(List.of(), sentKinds());
        channel.room = 2;
        run();
        assertTold(0, 10);
        // Nothing is written on a closed route, so the second goes as any other; the end may come before or after it.
        assertTrue(waiting.isReached());
        assertEquals(java.util.Set.of(PacketKind.EAGER, PacketKind.ROUTE_CLOSE), java.util.Set.copyOf(sentKinds()));
        channel.arrive(PEER, PacketKind.ROUTE_CLOSED, route.id());
        run();
        assertNull(routes[PEER].failure());
        assertEquals(PEER, exchange.firstBusyPeer(), "its write is still on the way");
        end(0, true);
        assertEquals(-1, exchange.firstBusyPeer());
        exchange.persistent().close(route);
        assertEquals(List.of(), sentKinds());
    }

    @Test
    void memoryForArraysIsFreedWhenNothingIsWrittenFromIt() {
        send(new byte[10], 10);
        exchange.persistent().close(route);
        assertEquals(1, memory.living);
        end(0, true);
        assertEquals(0, memory.living);
        assertEquals(List.of(), channel.leases);
    }

    @Test
    void whatCannotBeReadyGoesInTheOrdinaryWay() {
        slots.isUnable = true;
        Completion array = send(new byte[10], 10);
        assertEquals(List.of(PacketKind.EAGER), sentKinds());
        assertTrue(array.isReached());
        assertEquals(0, memory.living);
        Completion buffer = send(direct, 20);
        assertEquals(List.of(PacketKind.EAGER), sentKinds());
        assertTrue(buffer.isReached());
    }

    @Test
    void aDeadPeerEndsItsSendsEachOnce() {
        Completion written = send(direct, 10);
        channel.room = 0;
        Completion untold = send(ByteBuffer.allocateDirect(10), 10);
        Completion waiting = send(new byte[10], 10);
        exchange.peerFailed(new Failure(ErrorCode.PEER_DEAD, PEER, "unplugged"));
        run();
        assertTrue(channel.disconnected.contains(PEER));
        for (Completion each : List.of(written, untold, waiting)) {
            assertEquals(ErrorCode.PEER_DEAD, each.error());
        }
        assertEquals(List.of(), channel.leases);
        assertEquals(-1, exchange.firstBusyPeer());
        assertEquals(ErrorCode.PEER_DEAD, send(direct, 10).error());
        exchange.persistent().close(route);
    }

    @Test
    void aWriteThatFailedEndsWithItsPeer() {
        Completion send = send(direct, 10);
        end(0, false);
        assertFalse(send.isReached());
        exchange.peerFailed(new Failure(ErrorCode.PEER_DEAD, PEER, "unplugged"));
        run();
        assertEquals(ErrorCode.PEER_DEAD, send.error());
    }

    @Test
    void aPeerThatClosesWaitsForWhatIsOnTheWayToIt() {
        Completion send = send(direct, 10);
        channel.arrive(PEER, PacketKind.CLOSE);
        run();
        assertFalse(send.isReached() || channel.disconnected.contains(PEER));
        end(0, true);
        assertNull(send.failure());
        assertTrue(send.isReached() && channel.disconnected.contains(PEER));
    }

    @Test
    void theEndOfTheDeviceEndsWritesFirst() {
        Completion send = send(direct, 10);
        exchange.end(CLOSED);
        assertTrue(channel.disconnected.contains(PEER));
        assertFalse(channel.disconnected.contains(OTHER));
        assertEquals(ErrorCode.DEVICE_CLOSED, send.error());
        assertEquals(List.of(), channel.leases);
    }

    @Test
    void anAnswerThatComesWhileTheDeviceClosesIsClosedAgain() {
        OutboundSlots late = new OutboundSlots(PEER, channel, memory, MOST, SLOTS);
        Completion answer = new Completion(null);
        exchange.persistent().open(late, answer);
        exchange.failPosted(CLOSED);
        assertEquals(ErrorCode.DEVICE_CLOSED, answer.error());
        channel.sent.clear();
        channel.arrive(PEER, PacketKind.ROUTE_READY, late.id(), RECEIVER_ID + 1, ScriptedSlots.KEY, 4096);
        run();
        assertEquals(List.of(PacketKind.ROUTE_CLOSE), sentKinds());
        assertNull(routes[PEER].failure());
    }

    /** Of {@link #MOST} bytes, with pieces of 40: three of them, one at a time. */
    private Completion sendLong(Object buffer) {
        slots.pieceBytes = 40;
        slots.depth = 1;
        Completion send = send(buffer, MOST);
        assertStarted();
        run();
        return send;
    }

    private void assertStarted() {
        HostileChannel.Sent packet = channel.sent.remove();
        assertEquals(PacketKind.ROUTE_START, packet.kind());
        assertEquals(
                List.of(RECEIVER_ID, 0L, (long) MOST),
                java.util.Arrays.stream(packet.words()).boxed().toList());
    }

    private void assertEnded() {
        HostileChannel.Sent packet = channel.sent.remove();
        assertEquals(PacketKind.ROUTE_END, packet.kind());
        assertEquals(
                List.of(RECEIVER_ID, 0L, (long) MOST),
                java.util.Arrays.stream(packet.words()).boxed().toList());
    }

    private void assertPiece(int offset, int bytes) {
        assertEquals(1, slots.writes.size());
        assertEquals(offset, slots.writes.get(0).offset());
        assertEquals(bytes, slots.writes.get(0).bytes());
    }

    @Test
    void aLongMessageIsAnnouncedAndOthersGoBetweenItsPieces() {
        Completion send = sendLong(direct);
        assertPiece(0, 40);
        byte[] small = new byte[8];
        routes[PEER].trySendEager(0, 5, small, UserBuffer.address(small, 0, false), 8);
        assertEquals(List.of(PacketKind.EAGER), sentKinds(), "it passes");
        assertEquals(PEER, exchange.firstBusyPeer(), "close waits for it");
        end(0, true);
        assertPiece(40, 40);
        end(0, true);
        assertPiece(80, 20);
        assertEnded();
        assertFalse(send.isReached(), "its memory is still read");
        end(0, true);
        assertTrue(send.isReached());
        assertNull(send.failure());
        assertEquals(List.of(), channel.leases);
        assertEquals(-1, exchange.firstBusyPeer());
        assertEquals(1, routes[PEER].counters().get(Counter.SENT_BY_ROUTE));
        assertEquals(0, routes[PEER].counters().get(Counter.COPIES));
    }

    @Test
    void aLongArrayIsCopiedPieceByPieceAndEndsWithItsLast() {
        Completion send = sendLong(new byte[MOST]);
        for (int piece = 0; piece < 3; piece++) {
            assertFalse(send.isReached());
            assertEquals(piece + 1, counters.get(Counter.COPIES));
            end(0, true);
        }
        assertEnded();
        assertTrue(send.isReached());
        assertNull(send.failure());
        exchange.persistent().close(route);
        assertEquals(0, memory.living);
    }

    @Test
    void aLongMessageHasItsSlotUntilItIsReleasedAndWritten() {
        sendLong(direct);
        end(0, true);
        end(0, true);
        assertEnded();
        release(0b01);
        slots.depth = 4;
        send(new byte[9], 9);
        assertTold(1, 9);
        end(0, true);
        send(new byte[9], 9);
        assertTold(0, 9);
    }

    @Test
    void nothingOfALongMessageIsReleasedBeforeItsEnd() {
        sendLong(direct);
        channel.arrive(PEER, PacketKind.ROUTE_RELEASE, route.id(), 0b01);
        run();
        assertEquals(ErrorCode.PEER_CORRUPT, routes[PEER].failure().code());
    }

    @Test
    void closeFollowsTheEndOfALongMessage() {
        sendLong(direct);
        exchange.persistent().close(route);
        assertEquals(List.of(), sentKinds());
        end(0, true);
        end(0, true);
        assertEquals(List.of(PacketKind.ROUTE_END, PacketKind.ROUTE_CLOSE), sentKinds());
        channel.arrive(PEER, PacketKind.ROUTE_CLOSED, route.id());
        run();
        end(0, true);
        assertNull(routes[PEER].failure());
        assertEquals(-1, exchange.firstBusyPeer());
    }

    @Test
    void aLongMessageEndsWithItsPeerOnce() {
        Completion own = sendLong(direct);
        Completion array = send(new byte[MOST], MOST);
        exchange.peerFailed(new Failure(ErrorCode.PEER_DEAD, PEER, "unplugged"));
        run();
        assertTrue(channel.disconnected.contains(PEER));
        assertEquals(ErrorCode.PEER_DEAD, own.error());
        assertEquals(ErrorCode.PEER_DEAD, array.error());
        assertEquals(List.of(), channel.leases);
        assertEquals(0, memory.living);
        assertEquals(-1, exchange.firstBusyPeer());
    }

    @Test
    void aPeerThatClosesGetsNoMorePiecesAndThoseOnTheWayEndFirst() {
        Completion send = sendLong(direct);
        channel.arrive(PEER, PacketKind.CLOSE);
        run();
        assertFalse(send.isReached() || channel.disconnected.contains(PEER));
        end(0, true);
        assertEquals(List.of(), slots.writes);
        assertEquals(ErrorCode.PEER_CLOSED, send.error());
        assertTrue(channel.disconnected.contains(PEER));
    }

    @Test
    void anAnnouncementThatFindsNoRoomKeepsItsSlotAndFollows() {
        slots.pieceBytes = 40;
        channel.room = 0;
        Completion send = send(direct, MOST);
        run();
        assertEquals(List.of(), slots.writes, "nothing is written that nobody was told of");
        channel.room = 1;
        run();
        assertStarted();
        assertEquals(3, slots.writes.size());
        assertFalse(send.isReached());
        channel.room = 1;
        run();
        assertEnded();
    }

    private void assertLiar(String word, long... packet) {
        Completion waiting = send(direct, 10);
        channel.arrive(PEER, (int) packet[0], java.util.Arrays.copyOfRange(packet, 1, packet.length));
        assertCutOff(PEER, waiting, word);
    }

    @Test
    void aReleaseOfASlotThatHoldsNothing() {
        assertLiar("ROUTE_RELEASE", PacketKind.ROUTE_RELEASE, route.id(), 0b10);
    }

    @Test
    void aReleaseOfNoSlot() {
        assertLiar("ROUTE_RELEASE", PacketKind.ROUTE_RELEASE, route.id(), 0);
    }

    @Test
    void aReleaseOfASlotThatThereIsNot() {
        assertLiar("ROUTE_RELEASE", PacketKind.ROUTE_RELEASE, route.id(), 0b101);
    }

    /** What is written, and not told: nobody can have received it. */
    @Test
    void aReleaseOfAMessageThatWasNotTold() {
        channel.room = 0;
        assertLiar("ROUTE_RELEASE", PacketKind.ROUTE_RELEASE, route.id(), 0b01);
    }

    @Test
    void aReleaseOfARouteThatIsNot() {
        assertLiar("ROUTE_RELEASE", PacketKind.ROUTE_RELEASE, route.id() + 1, 1);
    }

    @Test
    void aSecondAnswer() {
        assertLiar("ROUTE_READY", PacketKind.ROUTE_READY, route.id(), 1, ScriptedSlots.KEY, 4096);
    }

    @Test
    void anAnswerToNoQuestion() {
        assertLiar("ROUTE_READY", PacketKind.ROUTE_READY, 12345, 1, ScriptedSlots.KEY, 4096);
    }

    @Test
    void anEndThatNobodyAskedFor() {
        assertLiar("ROUTE_CLOSED", PacketKind.ROUTE_CLOSED, route.id());
    }

    @Test
    void memoryThatCannotBe() {
        OutboundSlots second = new OutboundSlots(PEER, channel, memory, MOST, SLOTS);
        Completion answer = new Completion(null);
        exchange.persistent().open(second, answer);
        channel.arrive(PEER, PacketKind.ROUTE_READY, second.id(), 1, 5, 4096);
        assertCutOff(PEER, answer, "ROUTE_READY says to write where nobody can");
    }

    private Completion refused(long taken, long limit) {
        OutboundSlots second = new OutboundSlots(PEER, channel, memory, MOST, SLOTS);
        Completion answer = new Completion(null);
        exchange.persistent().open(second, answer);
        channel.arrive(PEER, PacketKind.ROUTE_READY, second.id(), taken, 0, limit);
        run();
        assertFalse(second.isWritten());
        return answer;
    }

    @Test
    void aRefusalSaysWhatThereIsAndWhatToDo() {
        String full = refused(90_000, 92_000).failure().message();
        for (String word : List.of("2 slots of 100 bytes", "4096", "90000 of the 92000", "sluice.routes.bytes")) {
            assertTrue(full.contains(word), full);
        }
        Failure locked = refused(0, 92_000).failure();
        assertEquals(ErrorCode.NO_MEMORY, locked.code());
        assertTrue(locked.message().contains("ulimit -l"), locked.message());
        Completion off = refused(0, 0);
        assertTrue(off.isReached());
        assertNull(off.failure(), "switched off: they go as any other");
    }
}
