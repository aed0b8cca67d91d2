package org.sluice.ib;

import org.sluice.device.channel.ChannelListener;
import org.sluice.ib.connect.Connection;
import org.sluice.ib.connect.ConnectionState;
import org.sluice.ib.connect.Connections;
import org.sluice.ib.queue.PacketPlace;
import org.sluice.ib.wire.BundleReader;

/**
 * A packet of several messages that are handed up where they lie, one after the other; the next poll goes on where the
 * limit of this one was reached, or where a listener threw.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Owns</i>: the packet's slot, from {@link #begin} to the last message.
 * <i>Proof</i>: {@code CoalescingRxeTest}.
 */
final class OpenBundle {
    private final Connections connections;
    private final BundleReader reader = new BundleReader();
    private Connection connection;
    private PacketPlace place;
    private int slot;

    OpenBundle(Connections connections) {
        this.connections = connections;
    }

    boolean isOpen() {
        return reader.hasNext();
    }

    /**
     * The packet was checked, all of it.
     *
     * @param at where it begins
     */
    void begin(Connection from, PacketPlace newPlace, int newSlot, long at, int packetBytes) {
        connection = from;
        place = newPlace;
        slot = newSlot;
        reader.begin(at, packetBytes);
    }

    /** @return 1 when a message was handed up, 0 when the rest is not wanted: its sender was cut off meanwhile */
    int handUp(ChannelListener listener) {
        if (connection.state() == ConnectionState.OVER || connection.isCorrupt()) {
            return drop();
        }
        if (!reader.next()) {
            connections.fail(connection, true, "a bundle in its landing ring that changed while it was read");
            return drop();
        }
        try {
            listener.onPacket(
                    connection.peer(),
                    reader.kind(),
                    reader.contextId(),
                    reader.tag(),
                    reader.payload(),
                    reader.bytes(),
                    null);
        } finally {
            if (!reader.hasNext()) {
                place.release(slot);
            }
        }
        return 1;
    }

    private int drop() {
        reader.drop();
        place.release(slot);
        return 0;
    }
}
