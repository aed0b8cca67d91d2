package org.sluice.hybrid.handler;

import org.sluice.device.buffer.MessageMemory;
import org.sluice.hybrid.persistent.InboundSlots;
import org.sluice.hybrid.receive.Delivery;
import org.sluice.hybrid.receive.MemoryLease;
import org.sluice.hybrid.receive.StoredMessage;

/**
 * Makes the message that a handler reads a lease, which is open until somebody closes it. What the message holds of the
 * receiver's memory is the program's from then on, as that of a message that was received in place, and counts against
 * its sender's share no more.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: {@code KeptMessageCases}.
 */
final class HandlerKeeping {
    private static final Runnable NOTHING = () -> {};

    private final Delivery delivery;
    private final HandlerFetches fetches;

    HandlerKeeping(Delivery delivery, HandlerFetches fetches) {
        this.delivery = delivery;
        this.fetches = fetches;
    }

    /** The lane has no message any more, though its handler runs; where this throws it has. */
    MemoryLease keep(HandlerLane lane) {
        MemoryLease lease = lease(lane);
        lane.view.end();
        delivery.leases.opened(lease);
        return lease;
    }

    private MemoryLease lease(HandlerLane lane) {
        if (lane.isShort) {
            // Its place in the lane is the next one's, too.
            return lane.view.lease(lane.view.copy(), MemoryLease.Place.COPY, NOTHING, delivery.leases);
        }
        if (lane.fetch != null) {
            MessageMemory memory = lane.fetch.memory;
            MemoryLease lease = lane.view.lease(null, MemoryLease.Place.COPY, memory::close, delivery.leases);
            fetches.keep(lane);
            return lease;
        }
        MemoryLease lease = leaseOf(lane, lane.message);
        lane.message = null;
        return lease;
    }

    private MemoryLease leaseOf(HandlerLane lane, StoredMessage message) {
        int source = message.source;
        MemoryLease lease;
        if (message.slots != null) {
            InboundSlots slots = message.slots;
            int slot = message.slot;
            lease = lane.view.lease(null, MemoryLease.Place.ARRIVED, () -> slots.release(slot), delivery.leases);
        } else if (message.rendezvous) {
            long sendId = message.sendId;
            lease = lane.view.lease(
                    null, MemoryLease.Place.OF_SENDER, () -> delivery.endInPlace(source, sendId), delivery.leases);
        } else if (message.kept) {
            long address = message.address;
            lease = lane.view.lease(
                    null, MemoryLease.Place.ARRIVED, () -> delivery.giveBack(source, address), delivery.leases);
        } else {
            // With its array, which no other message gets.
            lease = lane.view.lease(null, MemoryLease.Place.COPY, NOTHING, delivery.leases);
            delivery.matchedEagerly(delivery.sources[source], message.bytes);
            return lease;
        }
        if (message.kept) {
            delivery.matchedEagerly(delivery.sources[source], message.bytes);
        }
        delivery.giveBack(message);
        return lease;
    }
}
