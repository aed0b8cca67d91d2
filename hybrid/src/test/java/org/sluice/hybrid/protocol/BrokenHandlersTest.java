package org.sluice.hybrid.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.handler.HandlerMessages;

/** What is thrown on an executor's thread while the device works there: its senders hear of it. */
final class BrokenHandlersTest extends WritingScript {
    private static final int ID = 4;

    private void assertEnded() {
        assertNotNull(exchange.ended(), "nobody answers the sender any more");
        assertEquals(ErrorCode.DEVICE_FAILED, exchange.ended().code());
    }

    private void arriveInSlot(long routeId, int slot) {
        long[] words = {routeId, slot, 8};
        byte[] body = new byte[24];
        Memory.copy(words, Memory.arrayOffset(words), body, Memory.arrayOffset(body), body.length);
        channel.arrive(PEER, PacketKind.ROUTE_DATA, HandlerMessages.CONTEXT_ID, ID, body);
    }

    @Test
    void theDeviceEndsWhereAnExecutorsMessageCanNotBeGivenBack() {
        channel.slots = new ScriptedSlots(channel.leases);
        exchange.persistent().limitBytes(10_000);
        channel.arrive(PEER, PacketKind.ROUTE_OPEN, 42, 100, 4);
        run();
        long routeId = channel.sent.remove().words()[1];
        AtomicInteger handled = new AtomicInteger();
        HandlerMessages messages = new HandlerMessages(exchange.receiver(), engine, 0, null, counters);
        messages.register(ID, (source, message) -> handled.incrementAndGet(), Runnable::run);
        arriveInSlot(routeId, 0);
        engine.progressOnce();
        assertEquals(1, handled.get());
        assertNull(exchange.ended());
        channel.breaking = () -> {
            throw new IllegalStateException("by this test");
        };
        channel.broken.add(PEER);
        arriveInSlot(routeId, 1);
        engine.progressOnce();
        assertEquals(2, handled.get());
        assertEnded();
    }
}
