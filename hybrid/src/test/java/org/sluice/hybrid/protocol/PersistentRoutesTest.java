package org.sluice.hybrid.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.counter.Counter;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;

/**
 * Persistent routes that lead here: what their senders may say, when slots are free again, when their memory is freed.
 */
final class PersistentRoutesTest extends WritingScript {
    private static final int SLOTS = 4;
    private static final int MOST = 100;
    private static final long SENDER_ID = 42;

    private ScriptedSlots slots;

    @BeforeEach
    void lend() {
        slots = new ScriptedSlots(channel.leases);
        channel.slots = slots;
        exchange.persistent().limitBytes(10_000);
    }

    /** @return the id that the sender is told */
    private long opened(int peer) {
        channel.arrive(peer, PacketKind.ROUTE_OPEN, SENDER_ID, MOST, SLOTS);
        run();
        HostileChannel.Sent ready = channel.sent.remove();
        assertEquals(PacketKind.ROUTE_READY, ready.kind());
        assertEquals(SENDER_ID, ready.words()[0]);
        assertEquals(ScriptedSlots.KEY, ready.words()[2]);
        assertEquals(slots.lent.get(slots.lent.size() - 1), ready.words()[3]);
        return ready.words()[1];
    }

    private void message(int peer, long id, long slot, long bytes, int tag) {
        if (slot >= 0 && slot < SLOTS && !slots.lent.isEmpty()) {
            Memory.putLong(slots.lent.get(0) + slot * 128, tag);
        }
        long[] words = {id, slot, bytes};
        byte[] body = new byte[24];
        Memory.copy(words, Memory.arrayOffset(words), body, Memory.arrayOffset(body), body.length);
        channel.arrive(peer, PacketKind.ROUTE_DATA, 0, tag, body);
        run();
    }

    private Completion receive(long[] into, int tag) {
        Completion completion = new Completion(null);
        exchange.post(into, 0, into.length * 8L, 0, PEER, tag, completion);
        run();
        return completion;
    }

    private long released() {
        HostileChannel.Sent packet = channel.sent.remove();
        assertEquals(PacketKind.ROUTE_RELEASE, packet.kind());
        assertEquals(SENDER_ID, packet.words()[0]);
        return packet.words()[1];
    }

    @Test
    void aMessageGoesFromItsSlotIntoTheReceiveWithOneCopy() {
        long id = opened(PEER);
        long[] into = new long[2];
        Completion expected = receive(into, 5);
        message(PEER, id, 2, 16, 5);
        assertNull(expected.failure());
        assertTrue(expected.isReached());
        assertEquals(5, into[0]);
        assertEquals(1, counters.get(Counter.COPIES));
        message(PEER, id, 3, 8, 6);
        assertEquals(1, counters.get(Counter.COPIES), "one that nobody wants yet stays in its slot");
        assertTrue(receive(into, 6).isReached());
        assertEquals(6, into[0]);
        assertEquals(2, counters.get(Counter.COPIES));
    }

    @Test
    void halfOfTheSlotsAreToldAtOnce() {
        long id = opened(PEER);
        message(PEER, id, 0, 8, 1);
        receive(new long[1], 1);
        assertTrue(channel.sent.isEmpty(), "the sender has others");
        message(PEER, id, 3, 8, 1);
        receive(new long[1], 1);
        assertEquals(0b1001, released());
        assertTrue(channel.sent.isEmpty());
    }

    /** The sender has used all, and one is free: it hears of it although there is only one. */
    @Test
    void aSenderWithoutASlotHearsOfEachThatIsFree() {
        long id = opened(PEER);
        message(PEER, id, 0, 8, 9);
        receive(new long[1], 9);
        for (int slot = 1; slot < SLOTS; slot++) {
            assertTrue(channel.sent.isEmpty());
            message(PEER, id, slot, 8, slot);
        }
        assertEquals(0b0001, released());
        receive(new long[1], 2);
        assertTrue(channel.sent.isEmpty(), "now it has one");
        message(PEER, id, 0, 8, 9);
        assertEquals(0b0100, released());
        receive(new long[1], 1);
        assertTrue(channel.sent.isEmpty());
        message(PEER, id, 2, 8, 9);
        assertEquals(0b0010, released());
    }

    @Test
    void memoryGoesWithTheLastMessageAfterTheEnd() {
        long id = opened(PEER);
        message(PEER, id, 0, 8, 1);
        message(PEER, id, 1, 8, 2);
        channel.arrive(PEER, PacketKind.ROUTE_CLOSE, id);
        run();
        assertEquals(List.of(PacketKind.ROUTE_CLOSED), sentKinds());
        receive(new long[1], 2);
        assertEquals(1, slots.lent.size());
        long[] into = new long[1];
        assertTrue(receive(into, 1).isReached());
        assertEquals(1, into[0]);
        assertEquals(0, slots.lent.size());
        assertTrue(channel.sent.isEmpty(), "nobody is told of slots any more");
        // All of the limit is there again.
        opened(PEER);
    }

    @Test
    void whatArrivedIsReceivedAlsoFromADeadPeer() {
        long id = opened(PEER);
        message(PEER, id, 0, 8, 1);
        exchange.peerFailed(new Failure(ErrorCode.PEER_DEAD, PEER, "unplugged"));
        run();
        assertTrue(channel.disconnected.contains(PEER));
        assertEquals(1, slots.lent.size());
        long[] into = new long[1];
        Completion last = receive(into, 1);
        assertNull(last.failure());
        assertEquals(1, into[0]);
        assertEquals(0, slots.lent.size());
        assertEquals(ErrorCode.PEER_DEAD, receive(into, 1).error());
    }

    @Test
    void emptySlotsOfADeadPeerAreFreedOnceItIsDisconnected() {
        opened(PEER);
        exchange.peerFailed(new Failure(ErrorCode.PEER_DEAD, PEER, "unplugged"));
        run();
        assertEquals(0, slots.lent.size());
    }

    @Test
    void aDeviceThatClosesReadsSlotsNoMore() {
        long id = opened(PEER);
        message(PEER, id, 0, 8, 1);
        exchange.failPosted(CLOSED);
        assertEquals(ErrorCode.DEVICE_CLOSED, receive(new long[1], 1).error());
        exchange.end(CLOSED);
        assertEquals(1, slots.lent.size(), "what peers may write to goes with the channel");
    }

    private void start(long id, long slot, long bytes, int tag) {
        long[] words = {id, slot, bytes};
        byte[] body = new byte[24];
        Memory.copy(words, Memory.arrayOffset(words), body, Memory.arrayOffset(body), body.length);
        channel.arrive(PEER, PacketKind.ROUTE_START, 0, tag, body);
        run();
    }

    private void end(long id, long slot, long bytes, long content) {
        Memory.putLong(slots.lent.get(0) + slot * 128, content);
        channel.arrive(PEER, PacketKind.ROUTE_END, id, slot, bytes);
        run();
    }

    @Test
    void aLongMessageIsMatchedWhenItIsAnnouncedAndReceivedWhenItIsThere() {
        long id = opened(PEER);
        long[] into = new long[2];
        Completion first = receive(into, 5);
        start(id, 0, 16, 5);
        long[] second = new long[1];
        Completion behind = receive(second, 5);
        message(PEER, id, 1, 8, 5);
        assertTrue(behind.isReached(), "a message behind it passes");
        assertFalse(first.isReached(), "and goes to the receive behind");
        assertFalse(exchange.cancel(first), "it has its message");
        end(id, 0, 16, 77);
        assertTrue(first.isReached());
        assertNull(first.failure());
        assertEquals(77, into[0]);
        assertEquals(0b11, released());
    }

    @Test
    void aLongMessageThatNobodyWantsYetIsReceivedBeforeOrAfterItsEnd() {
        long id = opened(PEER);
        start(id, 0, 8, 1);
        start(id, 1, 8, 2);
        end(id, 1, 8, 22);
        long[] into = new long[2];
        assertTrue(receive(into, 2).isReached());
        assertEquals(22, into[0]);
        Completion early = receive(into, 1);
        assertFalse(early.isReached());
        end(id, 0, 8, 11);
        assertTrue(early.isReached());
        assertEquals(11, into[0]);
        assertEquals(0b11, released());
    }

    @Test
    void whatADeadPeerHasNotWrittenFails() {
        long id = opened(PEER);
        Completion matched = receive(new long[1], 1);
        start(id, 0, 8, 1);
        start(id, 1, 8, 2);
        start(id, 2, 8, 3);
        end(id, 2, 8, 33);
        exchange.peerFailed(new Failure(ErrorCode.PEER_DEAD, PEER, "unplugged"));
        run();
        assertEquals(ErrorCode.PEER_DEAD, matched.error());
        assertEquals(1, slots.lent.size());
        assertEquals(ErrorCode.PEER_DEAD, receive(new long[1], 2).error());
        long[] into = new long[1];
        assertNull(receive(into, 3).failure());
        assertEquals(33, into[0]);
        assertEquals(0, slots.lent.size());
    }

    @Test
    void aDeviceThatClosesWaitsForNoSlot() {
        long id = opened(PEER);
        Completion matched = receive(new long[1], 1);
        start(id, 0, 8, 1);
        exchange.failPosted(CLOSED);
        exchange.endReceives(CLOSED);
        assertEquals(ErrorCode.DEVICE_CLOSED, matched.error());
        assertFalse(exchange.isReceiving());
        end(id, 0, 8, 11);
        assertNull(routes[PEER].failure());
        exchange.end(CLOSED);
    }

    @Test
    void endsOfWhatWasNotAnnounced() {
        long[][] wrong = {{0, 8}, {1, 16}, {1, 0}, {-1, 8}, {SLOTS, 8}, {65, 8}, {1L << 32 | 1, 8}, {2, 8}};
        for (long[] each : wrong) {
            PersistentRoutesTest fresh = new PersistentRoutesTest();
            fresh.lend();
            long id = fresh.opened(PEER);
            fresh.start(id, 1, 8, 1);
            fresh.message(PEER, id, 2, 8, 1);
            fresh.assertLiar("ROUTE_END", () -> {
                fresh.channel.arrive(PEER, PacketKind.ROUTE_END, id, each[0], each[1]);
                fresh.run();
            });
        }
        long id = opened(PEER);
        start(id, 1, 8, 1);
        end(id, 1, 8, 11);
        assertLiar("ROUTE_END", () -> end(id, 1, 8, 11));
    }

    @Test
    void messagesWhereALongOneIsBeingWritten() {
        long id = opened(PEER);
        start(id, 1, 8, 1);
        assertLiar("slot 1, which was not released", () -> message(PEER, id, 1, 8, 1));
        PersistentRoutesTest fresh = new PersistentRoutesTest();
        fresh.lend();
        long other = fresh.opened(PEER);
        fresh.start(other, 1, 8, 1);
        fresh.assertLiar("ROUTE_CLOSE", () -> fresh.channel.arrive(PEER, PacketKind.ROUTE_CLOSE, other));
    }

    private void refuse(long maxBytes, long count, long taken, long limit) {
        channel.arrive(PEER, PacketKind.ROUTE_OPEN, SENDER_ID, maxBytes, count);
        run();
        HostileChannel.Sent answer = channel.sent.remove();
        assertEquals(PacketKind.ROUTE_READY, answer.kind());
        assertEquals(
                List.of(SENDER_ID, taken, 0L, limit),
                java.util.Arrays.stream(answer.words()).boxed().toList());
        assertNull(routes[PEER].failure());
    }

    @Test
    void noMoreIsLentThanTheOptionSays() {
        opened(PEER);
        opened(OTHER);
        assertEquals(2, slots.lent.size());
        refuse(MOST, SLOTS, 8192, 10_000);
        refuse(1L << 40, 64, 8192, 10_000);
        exchange.persistent().limitBytes(0);
        refuse(1, 1, 8192, 0);
    }

    @Test
    void whatTheAdapterRefusesIsRefused() {
        slots.isFull = true;
        refuse(MOST, SLOTS, 0, 10_000);
    }

    private void assertLiar(String word, Runnable lie) {
        Completion waiting = receive(new long[1], 999);
        lie.run();
        assertCutOff(PEER, waiting, word);
        assertNull(routes[OTHER].failure());
    }

    @Test
    void routesOfNoSizeAreALie() {
        for (long[] wrong : new long[][] {
            {0, 4}, {-1, 4}, {100, 0}, {100, 65}, {100, -4}, {Long.MAX_VALUE, 2}, {Long.MAX_VALUE / 8, 64}
        }) {
            PersistentRoutesTest fresh = new PersistentRoutesTest();
            fresh.lend();
            fresh.assertLiar(
                    "ROUTE_OPEN", () -> fresh.channel.arrive(PEER, PacketKind.ROUTE_OPEN, 1, wrong[0], wrong[1]));
            assertEquals(0, fresh.slots.lent.size());
        }
    }

    @Test
    void routesWhereTheChannelHasNone() {
        channel.slots = null;
        assertLiar("ROUTE_OPEN", () -> channel.arrive(PEER, PacketKind.ROUTE_OPEN, 1, 100, 1));
    }

    @Test
    void messagesWhereNoneCanBe() {
        long[][] wrong = {{SLOTS, 8}, {-1, 8}, {1L << 32, 8}, {0, MOST + 1}, {0, 0}, {0, -1}, {0, 1L << 32 | 8}};
        for (long[] each : wrong) {
            PersistentRoutesTest fresh = new PersistentRoutesTest();
            fresh.lend();
            long id = fresh.opened(PEER);
            fresh.assertLiar("ROUTE_DATA", () -> fresh.message(PEER, id, each[0], each[1], 1));
        }
    }

    @Test
    void messagesWithANegativeTag() {
        for (int tag : new int[] {-1, Device.ANY_TAG, Integer.MIN_VALUE}) {
            PersistentRoutesTest fresh = new PersistentRoutesTest();
            fresh.lend();
            long id = fresh.opened(PEER);
            Completion any = fresh.receive(new long[1], Device.ANY_TAG);
            fresh.assertLiar("tag " + tag, () -> fresh.message(PEER, id, 0, 8, tag));
            assertEquals(ErrorCode.PEER_CORRUPT, any.error(), "tag " + tag);
        }
    }

    @Test
    void aSlotThatWasNotReleased() {
        long id = opened(PEER);
        message(PEER, id, 1, 8, 1);
        assertLiar("slot 1, which was not released", () -> message(PEER, id, 1, 8, 1));
    }

    @Test
    void aSlotThatIsFreeButTheSenderDoesNotKnow() {
        long id = opened(PEER);
        message(PEER, id, 1, 8, 1);
        receive(new long[1], 1);
        assertLiar("slot 1, which was not released", () -> message(PEER, id, 1, 8, 1));
    }

    @Test
    void routesOfSomebodyElse() {
        long id = opened(OTHER);
        assertLiar("ROUTE_DATA on a route that it has not opened", () -> message(PEER, id, 0, 8, 1));
        assertEquals(1, slots.lent.size());
        PersistentRoutesTest fresh = new PersistentRoutesTest();
        fresh.lend();
        long other = fresh.opened(OTHER);
        fresh.assertLiar("ROUTE_CLOSE", () -> fresh.channel.arrive(PEER, PacketKind.ROUTE_CLOSE, other));
        assertEquals(1, fresh.slots.lent.size());
    }

    @Test
    void aRouteThatIsClosed() {
        long id = opened(PEER);
        channel.arrive(PEER, PacketKind.ROUTE_CLOSE, id);
        run();
        assertFalse(slots.lent.contains(id));
        assertLiar("ROUTE_DATA", () -> message(PEER, id, 0, 8, 1));
    }

    @Test
    void packetsOfTheWrongLength() {
        for (int wrong : new int[] {
            PacketKind.ROUTE_OPEN,
            PacketKind.ROUTE_READY,
            PacketKind.ROUTE_DATA,
            PacketKind.ROUTE_RELEASE,
            PacketKind.ROUTE_CLOSE,
            PacketKind.ROUTE_CLOSED,
            PacketKind.ROUTE_START,
            PacketKind.ROUTE_END
        }) {
            PersistentRoutesTest fresh = new PersistentRoutesTest();
            fresh.lend();
            fresh.assertLiar(
                    PacketKind.name(wrong) + " of 5 bytes", () -> fresh.channel.arrive(PEER, wrong, 0, 0, new byte[5]));
        }
    }
}
