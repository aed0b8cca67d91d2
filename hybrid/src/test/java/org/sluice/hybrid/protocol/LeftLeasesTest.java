package org.sluice.hybrid.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluice.device.Lease;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.request.Completion;

/** Leases whose end the sender can't be told of, as memory runs out. */
final class LeftLeasesTest extends WritingScript {
    private static final int SLOTS = 4;
    private static final long SENDER_ID = 42;

    private ScriptedSlots slots;
    private long routeId;

    private void open() {
        slots = new ScriptedSlots(channel.leases);
        channel.slots = slots;
        exchange.persistent().limitBytes(10_000);
        channel.arrive(PEER, PacketKind.ROUTE_OPEN, SENDER_ID, 100, SLOTS);
        run();
        routeId = channel.sent.remove().words()[1];
    }

    private Lease leased(int slot) {
        return inSlot(slot).recvInPlace();
    }

    private TakenMessage inSlot(int slot) {
        Memory.putLong(slots.lent.get(0) + slot * 128, slot);
        long[] words = {routeId, slot, 8};
        byte[] body = new byte[24];
        Memory.copy(words, Memory.arrayOffset(words), body, Memory.arrayOffset(body), body.length);
        channel.arrive(PEER, PacketKind.ROUTE_DATA, 0, slot, body);
        run();
        return taken(slot);
    }

    private TakenMessage taken(int tag) {
        TakenMessage message = new TakenMessage(exchange, engine, null, null, counters);
        assertTrue(
                exchange.probes().now(new Probe(0, PEER, tag, message, new Completion(null))),
                "the message is not there");
        return message;
    }

    /**
     * A heap that is full at just this place can't be had; without the status that it tells, a lease can't be made
     * either.
     */
    private void assertNotTakenWithoutLease(TakenMessage message) throws ReflectiveOperationException {
        Field status = TakenMessage.class.getDeclaredField("status");
        status.setAccessible(true);
        Object known = status.get(message);
        status.set(message, null);
        assertThrows(NullPointerException.class, message::leaseInPlace);
        status.set(message, known);
        assertEquals(0, ExchangeInspection.leases(exchange));
        Lease lease = message.leaseInPlace();
        assertNotNull(lease, "its lease could not be made, so it is still there");
        assertEquals(7, lease.getLong(0));
        lease.close();
        assertEquals(0, ExchangeInspection.leases(exchange));
    }

    private void runOutOfMemory() {
        channel.breaking = () -> {
            throw new OutOfMemoryError("by this test");
        };
        channel.broken.add(PEER);
    }

    /** The slots that the sender was told of. */
    private List<Long> told() {
        List<Long> told = new ArrayList<>();
        for (HostileChannel.Sent sent : channel.sent) {
            assertEquals(PacketKind.ROUTE_RELEASE, sent.kind());
            told.add(sent.words()[1]);
        }
        channel.sent.clear();
        return told;
    }

    @Test
    void aLeaseThatCouldNotBeClosedIsOpenAndClosesLater() {
        open();
        Lease first = leased(0);
        Lease second = leased(1);
        Lease third = leased(2);
        first.close();
        runOutOfMemory();
        assertThrows(OutOfMemoryError.class, second::close);
        channel.broken.clear();
        assertEquals(1, second.getLong(0), "its memory isn't the sender's");
        assertEquals(2, ExchangeInspection.leases(exchange));
        third.close();
        assertEquals(List.of(0b101L), told(), "but for the one that is open");
        second.close();
        assertEquals(0, ExchangeInspection.leases(exchange));
        leased(0).close();
        assertEquals(List.of(0b011L), told(), "each once");
        second.close();
        assertTrue(channel.sent.isEmpty());
    }

    @Test
    void oneWhoseSenderCanNotBeToldKeepsNoOtherFromTheEndOfTheDevice() {
        open();
        List<Lease> leases = List.of(leased(0), leased(1), leased(2));
        runOutOfMemory();
        try {
            exchange.endLeases();
        } catch (OutOfMemoryError e) {
            // Which would end all tests.
            throw new AssertionError("who closes a device has it", e);
        }
        assertEquals(0, ExchangeInspection.leases(exchange));
        for (Lease lease : leases) {
            assertThrows(IllegalStateException.class, () -> lease.getLong(0));
        }
    }

    @Test
    void withoutItsLeaseAMessageOfARouteIsNotTaken() throws Exception {
        open();
        TakenMessage message = inSlot(1);
        Memory.putLong(slots.lent.get(0) + 128, 7);
        assertNotTakenWithoutLease(message);
        leased(0).close();
        assertEquals(List.of(0b011L), told(), "each once");
    }

    @Test
    void withoutItsLeaseAMessageThatTheChannelKeepsIsNotTaken() throws Exception {
        channel.keeps = 1;
        channel.arrive(PEER, PacketKind.EAGER, 0, 3, new byte[] {7, 0, 0, 0, 0, 0, 0, 0});
        run();
        assertEquals(1, channel.kept.size());
        assertNotTakenWithoutLease(taken(3));
        assertEquals(1, channel.shown.size());
        assertEquals(0, channel.kept.size(), "given back once");
    }
}
