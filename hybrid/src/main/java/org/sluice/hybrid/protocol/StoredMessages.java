package org.sluice.hybrid.protocol;

import java.util.ArrayDeque;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.memory.Memory;

/**
 * Keeps messages, and their memory, for use again: by powers of two, up to a limit in bytes; what is beyond goes to the collector.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: {@code StoredMessagesTest}.
 */
final class StoredMessages {
    private static final int SMALLEST_BITS = 6;
    private static final int CLASSES = 16;
    /** No channel carries a longer eager message. */
    static final int LONGEST_BYTES = 1 << SMALLEST_BITS + CLASSES - 1;
    private static final long KEPT_LIMIT_BYTES = 16 << 20;
    private static final int OBJECT_BYTES = 128;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private final ArrayDeque<StoredMessage>[] eager = new ArrayDeque[CLASSES];
    private final ArrayDeque<StoredMessage> rendezvous = new ArrayDeque<>();
    private final ArrayDeque<StoredMessage> kept = new ArrayDeque<>();
    private long keptBytes;

    StoredMessages() {
        for (int i = 0; i < CLASSES; i++) {
            eager[i] = new ArrayDeque<>();
        }
    }

    private static int sizeClass(long bytes) {
        return bytes <= 1 << SMALLEST_BITS ? 0 : 64 - Long.numberOfLeadingZeros(bytes - 1) - SMALLEST_BITS;
    }

    StoredMessage eager(int contextId, int source, int tag, long address, int bytes) {
        int sizeClass = sizeClass(bytes);
        StoredMessage message = eager[sizeClass].pollLast();
        if (message == null) {
            message = new StoredMessage();
            message.payload = new byte[1 << (sizeClass + SMALLEST_BITS)];
            message.address = Memory.arrayOffset(message.payload);
        } else {
            keptBytes -= message.payload.length + OBJECT_BYTES;
        }
        envelope(message, contextId, source, tag, bytes);
        Memory.copy(null, address, message.payload, message.address, bytes);
        return message;
    }

    /** One whose payload stays where the channel has it. */
    StoredMessage kept(int contextId, int source, int tag, long address, int bytes) {
        StoredMessage message = kept.pollLast();
        if (message == null) {
            message = new StoredMessage();
            message.kept = true;
        } else {
            keptBytes -= OBJECT_BYTES;
        }
        envelope(message, contextId, source, tag, bytes);
        message.address = address;
        return message;
    }

    StoredMessage rendezvous(int contextId, int source, int tag, long bytes, long sendId, long key, long address, Object object) {
        StoredMessage message = rendezvous.pollLast();
        if (message == null) {
            message = new StoredMessage();
            message.rendezvous = true;
            message.reference = new RemoteReference();
        } else {
            keptBytes -= OBJECT_BYTES;
        }
        envelope(message, contextId, source, tag, bytes);
        message.sendId = sendId;
        message.reference.set(key, address, object);
        return message;
    }

    /** A message that lies in a slot of a persistent route. */
    StoredMessage inSlot(int contextId, int source, int tag, long bytes, InboundSlots slots, int slot) {
        StoredMessage message = rendezvous(contextId, source, tag, bytes, 0, RemoteReference.NO_REFERENCE, 0, null);
        message.slots = slots;
        message.slot = slot;
        return message;
    }

    private static void envelope(StoredMessage message, int contextId, int source, int tag, long bytes) {
        message.contextId = contextId;
        message.source = source;
        message.tag = tag;
        message.bytes = bytes;
    }

    /** The message has been received; nobody may know it any more. */
    void recycle(StoredMessage message) {
        int cost = OBJECT_BYTES + (message.payload == null ? 0 : message.payload.length);
        if (keptBytes + cost > KEPT_LIMIT_BYTES) {
            return;
        }
        keptBytes += cost;
        if (message.rendezvous) {
            message.reference.clear();
            message.slots = null;
            rendezvous.addLast(message);
        } else if (message.kept) {
            kept.addLast(message);
        } else {
            eager[sizeClass(message.payload.length)].addLast(message);
        }
    }
}
