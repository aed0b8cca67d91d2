package org.sluice.ib;

import org.sluice.device.channel.ChannelListener;
import org.sluice.ib.connect.Connection;
import org.sluice.ib.connect.ConnectionState;
import org.sluice.ib.queue.ReceiveSlots;
import org.sluice.ib.wire.BundleReader;

/**
 * A packet of several messages that are handed up where they lie, one after the other; the next poll goes on where the limit of this one was
 * reached, or where a listener threw.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Owns</i>: the packet's receive slot, from {@link #begin} to the last message. <i>Proof</i>:
 * {@code CoalescingRxeTest}.
 */
final class OpenBundle {
    private final ReceiveSlots slots;
    private final BundleReader reader = new BundleReader();
    private Connection connection;
    private int slot;

    OpenBundle(ReceiveSlots slots) {
        this.slots = slots;
    }

    boolean isOpen() {
        return reader.hasNext();
    }

    /** The packet was checked, all of it. */
    void begin(Connection from, int newSlot) {
        connection = from;
        slot = newSlot;
        reader.begin(slots.address(newSlot));
    }

    /** @return 1 when a message was handed up, 0 when the rest is not wanted: its sender was cut off meanwhile */
    int handUp(ChannelListener listener) {
        if (connection.state() == ConnectionState.OVER || connection.isCorrupt()) {
            reader.drop();
            slots.release(slot);
            return 0;
        }
        reader.next();
        try {
            listener.onPacket(connection.peer(), reader.kind(), reader.contextId(), reader.tag(), reader.payload(), reader.bytes(), null);
        } finally {
            if (!reader.hasNext()) {
                slots.release(slot);
            }
        }
        return 1;
    }
}
