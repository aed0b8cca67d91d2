package org.sluice.hybrid.receive;

import org.sluice.device.channel.RemoteReference;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.persistent.InboundSlots;

/**
 * Keeps messages, and their memory, for use again: by powers of two, up to a limit in bytes; what is beyond goes to the
 * collector.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: {@code StoredMessagesTest}.
 */
public final class StoredMessages {
    private static final int SMALLEST_BITS = 6;
    private static final int CLASSES = 16;
    /** No channel carries a longer eager message. */
    public static final int LONGEST_BYTES = 1 << SMALLEST_BITS + CLASSES - 1;

    private static final long KEPT_LIMIT_BYTES = 16 << 20;
    private static final int OBJECT_BYTES = 128;

    private static final int RENDEZVOUS = CLASSES;
    private static final int KEPT = CLASSES + 1;

    /** That of each kind that was kept last, with the others below it: keeping one needs no memory. */
    private final StoredMessage[] last = new StoredMessage[CLASSES + 2];

    private long keptBytes;

    private static int sizeClass(long bytes) {
        return bytes <= 1 << SMALLEST_BITS ? 0 : 64 - Long.numberOfLeadingZeros(bytes - 1) - SMALLEST_BITS;
    }

    StoredMessage eager(int contextId, int source, int tag, long address, int bytes) {
        int sizeClass = sizeClass(bytes);
        StoredMessage message = last(sizeClass);
        if (message == null) {
            message = new StoredMessage();
            message.payload = new byte[1 << (sizeClass + SMALLEST_BITS)];
            message.address = Memory.arrayOffset(message.payload);
        }
        envelope(message, contextId, source, tag, bytes);
        Memory.copy(null, address, message.payload, message.address, bytes);
        return message;
    }

    /** One whose payload stays where the channel has it. */
    StoredMessage kept(int contextId, int source, int tag, long address, int bytes) {
        StoredMessage message = last(KEPT);
        if (message == null) {
            message = new StoredMessage();
            message.kept = true;
        }
        envelope(message, contextId, source, tag, bytes);
        message.address = address;
        return message;
    }

    /** One whose bytes are with the sender; the caller says where, and by what id it knows it. */
    public StoredMessage rendezvous(int contextId, int source, int tag, long bytes) {
        StoredMessage message = last(RENDEZVOUS);
        if (message == null) {
            message = new StoredMessage();
            message.rendezvous = true;
            message.reference = new RemoteReference();
        }
        envelope(message, contextId, source, tag, bytes);
        return message;
    }

    /** A message that lies in a slot of a persistent route. */
    public StoredMessage inSlot(int contextId, int source, int tag, long bytes, InboundSlots slots, int slot) {
        StoredMessage message = rendezvous(contextId, source, tag, bytes);
        message.sendId = 0;
        message.reference.clear();
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

    private StoredMessage last(int kind) {
        StoredMessage message = last[kind];
        if (message != null) {
            last[kind] = message.below;
            message.below = null;
            keptBytes -= cost(message);
        }
        return message;
    }

    private static int cost(StoredMessage message) {
        return OBJECT_BYTES + (message.payload == null ? 0 : message.payload.length);
    }

    /** The message has been received; nobody may know it any more. */
    void recycle(StoredMessage message) {
        int cost = cost(message);
        if (keptBytes + cost > KEPT_LIMIT_BYTES) {
            return;
        }
        keptBytes += cost;
        int kind = KEPT;
        if (message.rendezvous) {
            message.reference.clear();
            message.slots = null;
            kind = RENDEZVOUS;
        } else if (!message.kept) {
            kind = sizeClass(message.payload.length);
        }
        message.below = last[kind];
        last[kind] = message;
    }
}
