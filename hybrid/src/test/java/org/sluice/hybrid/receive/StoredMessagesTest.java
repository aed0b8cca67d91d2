package org.sluice.hybrid.receive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sluice.device.memory.Memory;

/** What is kept of messages that came too early, and what of their memory is used again. */
final class StoredMessagesTest {
    private final StoredMessages store = new StoredMessages();
    private final long body = Memory.allocate(StoredMessages.LONGEST_BYTES);

    @AfterEach
    void free() {
        Memory.free(body);
    }

    @Test
    void aStoredMessageIsACopy() {
        int[] lengths = {
            0, 1, 63, 64, 65, 128, 129, 5000, StoredMessages.LONGEST_BYTES - 1, StoredMessages.LONGEST_BYTES
        };
        for (int length : lengths) {
            for (int i = 0; i < length; i++) {
                Memory.putByte(body + i, (byte) (i * 31 + length));
            }
            StoredMessage message = store.eager(1, 2, 3, body, length);
            Memory.setZero(body, length);
            assertEquals(length, message.bytes);
            assertTrue(message.contextId == 1 && message.source == 2 && message.tag == 3, "the envelope");
            assertTrue(
                    !message.rendezvous
                            && message.payload.length >= length
                            && message.payload.length <= Math.max(64, 2 * length),
                    length + " bytes in " + message.payload.length);
            for (int i = 0; i < length; i++) {
                assertEquals((byte) (i * 31 + length), message.payload[i], "byte " + i + " of " + length);
            }
            store.recycle(message);
        }
    }

    @Test
    void memoryOfOneSizeIsUsedAgainForThatSize() {
        StoredMessage small = store.eager(0, 0, 0, body, 10);
        StoredMessage large = store.eager(0, 0, 0, body, 1000);
        assertNotSame(small, large);
        store.recycle(small);
        store.recycle(large);
        StoredMessage again = store.eager(7, 8, 9, body, 600);
        assertSame(large, again, "600 and 1000 bytes need an array of 1024");
        assertTrue(
                again.contextId == 7 && again.source == 8 && again.tag == 9 && again.bytes == 600,
                "with its new envelope");
        assertNotSame(large, store.eager(0, 0, 0, body, 600), "nobody else gets it meanwhile");
        assertSame(small, store.eager(0, 0, 0, body, 64));
    }

    @Test
    void moreThanAFewMegabytesGoToTheCollector() {
        int count = 12;
        List<StoredMessage> messages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            messages.add(store.eager(0, 0, i, body, StoredMessages.LONGEST_BYTES));
        }
        messages.forEach(store::recycle);
        Set<StoredMessage> first = Collections.newSetFromMap(new IdentityHashMap<>());
        first.addAll(messages);
        int kept = 0;
        for (int i = 0; i < count; i++) {
            kept += first.contains(store.eager(0, 0, i, body, StoredMessages.LONGEST_BYTES)) ? 1 : 0;
        }
        assertEquals(7, kept, "seven of 2 MB and what belongs to them stay below 16 MB, eight don't");
        StoredMessage small = store.eager(0, 0, 0, body, 1);
        store.recycle(small);
        assertSame(small, store.eager(0, 0, 0, body, 1), "what was taken out makes room");
    }

    @Test
    void whereTheBytesAreIsKeptWithARendezvousAndForgottenAfterwards() {
        Object array = new byte[3];
        StoredMessage message = store.rendezvous(1, 2, 3, 1L << 40);
        message.sendId = 44;
        message.reference.set(55, 66, array);
        assertTrue(message.rendezvous);
        assertNull(message.payload);
        assertEquals(1L << 40, message.bytes);
        store.recycle(message);
        assertNull(message.reference.object, "the sender's array is not kept alive");
        assertNotSame(message, store.eager(0, 0, 0, body, 0), "an eager message has no use for it");
        assertSame(message, store.rendezvous(0, 0, 0, 1));
    }
}
