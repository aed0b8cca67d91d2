package org.sluice.hybrid.handler;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.sluice.device.SluiceException;
import org.sluice.device.buffer.MessageAllocator;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.hybrid.receive.Delivery;
import org.sluice.hybrid.receive.StoredMessage;

/**
 * Messages for handlers that can't be read where they lie, on their way into memory of this device: of each sender one,
 * and more while they are few and small together.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: the device conformance suite.
 */
final class HandlerFetches {
    /** Of one sender, with the one that is being handled. */
    private static final int SEVERAL = 8;
    /** What several may have together. */
    private static final long SEVERAL_BYTES = 4 << 20;

    private final Delivery delivery;
    private final Counters counters;
    private final FetchMemory memory;
    /** With room for all, so that one that has begun is always here. */
    private final List<HandlerLane> onTheWay;

    private final ArrayDeque<HandlerFetch> spare = new ArrayDeque<>();

    HandlerFetches(Delivery delivery, MessageAllocator allocator, int ranks, Counters counters) {
        this.delivery = delivery;
        this.counters = counters;
        this.memory = new FetchMemory(allocator, counters);
        this.onTheWay = new ArrayList<>(ranks);
    }

    /** Whether one more of so many bytes may be on its way, or wait, beside those that are. */
    static boolean hasRoom(HandlerLane lane, long bytes) {
        int held = lane.fetching.size() + (lane.fetch == null ? 0 : 1);
        return held == 0 || held < SEVERAL && bytes <= SEVERAL_BYTES - lane.fetchedBytes;
    }

    void begin(HandlerLane lane, StoredMessage message) {
        HandlerFetch fetch = spare.isEmpty() ? new HandlerFetch() : spare.poll();
        fetch.id = message.tag;
        fetch.bytes = message.bytes;
        counters.increment(Counter.HANDLER_FETCHES);
        try {
            fetch.memory = memory.take(message.bytes);
        } catch (SluiceException e) {
            fetch.problem = e;
        }
        lane.fetching.add(fetch);
        lane.fetchedBytes += fetch.bytes;
        if (lane.fetching.size() == 1) {
            onTheWay.add(lane);
        }
        // Without memory too: its sender waits for an end.
        delivery.receive(message, fetch.memory, 0, fetch.memory == null ? 0 : fetch.bytes, fetch.completion);
    }

    /** The next of this lane has its turn; it is over. */
    void take(HandlerLane lane) {
        lane.fetch = lane.fetching.poll();
        if (lane.fetching.isEmpty()) {
            onTheWay.remove(lane);
        }
    }

    /** @param isShown the handler has seen its memory, and may have views of it */
    void giveBack(HandlerLane lane, boolean isShown) {
        HandlerFetch fetch = lane.fetch;
        lane.fetch = null;
        if (fetch != null) {
            lane.fetchedBytes -= fetch.bytes;
            giveBack(fetch, isShown);
        }
    }

    private void giveBack(HandlerFetch fetch, boolean isShown) {
        boolean isGood = fetch.memory != null && fetch.completion.failure() == null;
        if (fetch.memory != null) {
            // Of one that failed an adapter may have some still, which the allocator knows.
            memory.giveBack(fetch.memory, isShown || !isGood);
            fetch.memory = null;
        }
        if (isGood) {
            fetch.completion.reset();
            spare.add(fetch);
        }
    }

    /** The memory of the message whose turn it is is somebody else's from now on. */
    void keep(HandlerLane lane) {
        HandlerFetch fetch = lane.fetch;
        lane.fetch = null;
        lane.fetchedBytes -= fetch.bytes;
        fetch.memory = null;
        fetch.completion.reset();
        spare.add(fetch);
    }

    /** Whether some are on their way. */
    boolean isMoving() {
        for (int i = 0; i < onTheWay.size(); i++) {
            HandlerFetch last = onTheWay.get(i).fetching.peekLast();
            if (last != null && !last.isOver()) {
                return true;
            }
        }
        return false;
    }

    int lanes() {
        return onTheWay.size();
    }

    HandlerLane lane(int index) {
        return onTheWay.get(index);
    }

    /** No handler begins any more: gives back the memory of those that have come. */
    void drop(HandlerLane lane) {
        while (!lane.fetching.isEmpty() && lane.fetching.peek().isOver()) {
            take(lane);
            giveBack(lane, false);
        }
    }

    /** The device ends: what comes back now is not kept. */
    void end() {
        memory.end();
    }
}
