package org.sluice.hybrid.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;
import org.sluice.device.Lease;
import org.sluice.device.buffer.MessageAllocator;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.counter.Counter;
import org.sluice.hybrid.receive.Probe;
import org.sluice.hybrid.receive.TakenMessage;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.route.PlainMemory;

/** Messages that came before their receive and stay where the channel has them. */
final class KeptMessagesTest extends WritingScript {
    private static final int CONTEXT = 5;

    private final MessageAllocator allocator = new PlainMemory();

    private void arrive(int tag, int... content) {
        byte[] body = new byte[content.length];
        for (int i = 0; i < body.length; i++) {
            body[i] = (byte) content[i];
        }
        channel.arrive(PEER, PacketKind.EAGER, CONTEXT, tag, body);
        exchange.work();
    }

    private TakenMessage taken(int tag) {
        TakenMessage message = new TakenMessage(exchange.delivery(), engine, null, allocator);
        assertTrue(
                exchange.probes().now(new Probe(CONTEXT, PEER, tag, message, new Completion(null))),
                "the message is not there");
        return message;
    }

    private byte[] receive(int tag, int bytes) {
        byte[] into = new byte[bytes];
        Completion completion = new Completion(null);
        exchange.post(into, 0, bytes, CONTEXT, PEER, tag, completion);
        assertTrue(completion.isReached());
        return into;
    }

    @Test
    void aReceiveCopiesOnceAndGivesItBack() {
        channel.keeps = 1;
        arrive(1, 5, 6, 7);
        arrive(2, 8);
        assertEquals(1, counters.get(Counter.COPIES), "of the second, for which there was no room");
        assertArrayEquals(new byte[] {5, 6, 7}, receive(1, 3));
        assertEquals(0, channel.kept.size());
        assertArrayEquals(new byte[] {8}, receive(2, 1));
        assertEquals(3, counters.get(Counter.COPIES));
        assertEquals(0, channel.shown.size(), "the program has seen none of them");
        arrive(3, 9);
        assertArrayEquals(new byte[] {9, 0}, receive(3, 2), "what was used for one serves the next");
    }

    @Test
    void aLeaseReadsItThereUntilItIsClosed() {
        channel.keeps = 2;
        arrive(1, 5, 6, 7);
        arrive(2, 8);
        Lease lease = taken(1).recvInPlace();
        assertTrue(lease.inPlace());
        assertEquals(3, lease.bytes());
        assertEquals(6, lease.getByte(1));
        assertEquals(1, counters.get(Counter.IN_PLACE));
        assertEquals(0, counters.get(Counter.COPIES));
        assertEquals(1, channel.shown.size());
        assertEquals(2, channel.kept.size());
        lease.close();
        lease.close();
        assertThrows(IllegalStateException.class, () -> lease.getByte(0));
        assertEquals(1, channel.kept.size());
        assertArrayEquals(new byte[] {8}, receive(2, 1));
    }

    @Test
    void aProbeThatWaitedTakesItWhereItCame() {
        channel.keeps = 1;
        TakenMessage message = new TakenMessage(exchange.delivery(), engine, null, allocator);
        exchange.probes().begin(new Probe(CONTEXT, PEER, 1, message, new Completion(null)));
        arrive(1, 5);
        try (Lease lease = message.recvInPlace()) {
            assertEquals(5, lease.getByte(0));
            assertEquals(0, counters.get(Counter.COPIES));
            assertThrows(IllegalStateException.class, message::recvInPlace);
        }
        assertEquals(0, channel.kept.size());
    }

    @Test
    void itOutlivesItsSender() {
        channel.keeps = 2;
        arrive(1, 5);
        arrive(2, 6);
        Lease lease = taken(1).recvInPlace();
        exchange.peerFailed(new Failure(ErrorCode.PEER_DEAD, PEER, "unplugged"));
        exchange.work();
        assertTrue(channel.disconnected.contains(PEER));
        assertEquals(5, lease.getByte(0));
        assertArrayEquals(new byte[] {6}, receive(2, 1));
        lease.close();
        assertEquals(0, channel.kept.size());
    }

    @Test
    void aLeaseThatIsNeverClosedEndsWithTheDevice() {
        channel.keeps = 1;
        arrive(1, 5);
        Lease lease = taken(1).recvInPlace();
        exchange.endReceives(CLOSED);
        assertThrows(IllegalStateException.class, () -> lease.getByte(0));
        assertEquals(0, channel.kept.size());
        lease.close();
        assertFalse(channel.kept.size() > 0);
    }

    @Test
    void theSenderLearnsThatItWasTakenWhenTheLeaseOpens() {
        channel.keeps = 300;
        byte[] body = new byte[1024];
        int leases = 0;
        while (channel.sent.isEmpty()) {
            channel.arrive(PEER, PacketKind.EAGER, CONTEXT, 1, body);
            exchange.work();
            taken(1).recvInPlace();
            leases++;
            assertTrue(leases < 400, "its share is used up for ever");
        }
        assertEquals(PacketKind.RELEASE, channel.sent.peek().kind());
    }
}
