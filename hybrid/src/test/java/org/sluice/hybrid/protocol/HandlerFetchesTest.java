package org.sluice.hybrid.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;
import org.sluice.device.buffer.MessageAllocator;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.route.PlainMemory;

/** Messages for handlers that have to be fetched, and whose receive breaks. */
final class HandlerFetchesTest extends WritingScript {
    private static final int ID = 4;

    private final MessageAllocator allocator = new PlainMemory();

    @Test
    void theDeviceEndsWhereAReceiveBreaksAsItsHandlerIsRegistered() {
        HandlerMessages messages = new HandlerMessages(exchange, engine, 0, routes.length, allocator, counters);
        long[] words = {42, 1000, 0, 0};
        byte[] body = new byte[32];
        Memory.copy(words, Memory.arrayOffset(words), body, Memory.arrayOffset(body), body.length);
        channel.arrive(PEER, PacketKind.RNDV_START, HandlerMessages.CONTEXT_ID, ID, body);
        run();
        channel.breaking = () -> {
            throw new OutOfMemoryError("by this test");
        };
        channel.broken.add(PEER);
        try {
            assertTrue(messages.register(
                    ID,
                    (source, message) -> {
                        throw new AssertionError("it never came");
                    },
                    null));
        } catch (OutOfMemoryError e) {
            // Which would end all tests.
            throw new AssertionError("the call threw it, and the device goes on without the message", e);
        }
        assertNotNull(exchange.ended(), "nobody answers the sender any more");
        assertEquals(ErrorCode.DEVICE_FAILED, exchange.ended().code());
    }
}
