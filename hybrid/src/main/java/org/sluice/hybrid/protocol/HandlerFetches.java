package org.sluice.hybrid.protocol;

import java.util.ArrayList;
import java.util.List;
import org.sluice.device.SluiceException;
import org.sluice.device.buffer.MessageAllocator;
import org.sluice.device.buffer.MessageMemory;
import org.sluice.hybrid.request.Completion;

/**
 * Messages for handlers that can't be read where they lie, on their way into memory of this device: one at a time for
 * each sender.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: the device conformance suite.
 */
final class HandlerFetches {
    private final Exchange exchange;
    private final MessageAllocator allocator;
    /** With room for all, so that one that has begun is always here. */
    private final List<HandlerLane> onTheWay;

    HandlerFetches(Exchange exchange, MessageAllocator allocator, int ranks) {
        this.exchange = exchange;
        this.allocator = allocator;
        this.onTheWay = new ArrayList<>(ranks);
    }

    /** @return whether it is over already, as {@link #nextOver} tells of others later */
    boolean begin(HandlerLane lane, StoredMessage message) {
        lane.fetched = Completion.reusable(null);
        try {
            lane.memory = new MessageMemory(allocator, message.bytes);
        } catch (SluiceException e) {
            lane.cannot("found no memory", e);
        }
        // Without memory too: its sender waits for an end.
        exchange.receiveTaken(message, lane.memory, 0, lane.memory == null ? 0 : message.bytes, lane.fetched);
        if (lane.fetched.isReached()) {
            return true;
        }
        onTheWay.add(lane);
        return false;
    }

    boolean isEmpty() {
        return onTheWay.isEmpty();
    }

    /** One that has come, or never will; null when there is none. */
    HandlerLane nextOver() {
        for (int i = 0; i < onTheWay.size(); i++) {
            if (onTheWay.get(i).fetched.isReached()) {
                return onTheWay.remove(i);
            }
        }
        return null;
    }
}
