package org.sluice.hybrid.handler;

import java.util.concurrent.Executor;
import org.sluice.device.Handler;
import org.sluice.device.Lease;
import org.sluice.device.buffer.MessageAllocator;
import org.sluice.device.channel.Endpoint;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.hybrid.progress.DueWork;
import org.sluice.hybrid.progress.ProgressEngine;
import org.sluice.hybrid.receive.Delivery;
import org.sluice.hybrid.receive.ForHandlers;
import org.sluice.hybrid.receive.MemoryLease;
import org.sluice.hybrid.receive.Receiver;
import org.sluice.hybrid.receive.Source;
import org.sluice.hybrid.receive.StoredMessage;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.request.RequestState;

/**
 * Messages that call a handler: they have a context of their own, and go to their sender's {@link HandlerLane} where
 * others would go to the queue of unexpected messages (docs/reference/handlers.md). What they hold of the receiver's
 * memory is given back when they were handled, not before: so a sender's share bounds what waits for handlers.
 *
 * <p><i>Thread</i>: under the progress lock, where a method doesn't say otherwise. <i>Owns</i>: the messages that wait
 * for handlers or are being handled. <i>Fails</i>: what a handler throws is told, and the next message has its turn.
 * <i>Proof</i>: {@code HandlerCases}, {@code AllocationTest}.
 */
public final class HandlerMessages implements DueWork, ForHandlers, HandlerTasks.Turns {
    /** A message space that no program can name. */
    public static final int CONTEXT_ID = RequestState.HANDLER_CONTEXT;

    private final Receiver receiver;
    private final Delivery delivery;
    private final ProgressEngine engine;
    private final Counters counters;
    private final HandlerRegistrations registrations = new HandlerRegistrations();
    private final HandlerLane[] lanes;
    private final DueLanes due;
    /** Messages that are on their way into memory of this device. */
    private final HandlerFetches fetches;
    /** The one that {@link #run} is at; NONE where its executor has it. */
    private int current = DueLanes.NONE;

    private final ServingCalls serving = new ServingCalls();
    private final HandlerIntake intake = new HandlerIntake();
    /** Lanes whose handler is running, on whatever thread. */
    private int running;

    private final HandlerTasks tasks;
    private final HandlerKeeping keeping;
    /** Why no handler begins any more, or null. */
    private Failure over;
    /** Nothing is given back to peers any more. */
    private boolean ended;

    public HandlerMessages(
            Receiver receiver, ProgressEngine engine, int rank, MessageAllocator allocator, Counters counters) {
        int ranks = receiver.sources.length;
        this.receiver = receiver;
        this.delivery = receiver.delivery;
        this.engine = engine;
        this.counters = counters;
        this.tasks = new HandlerTasks(rank, this);
        this.lanes = new HandlerLane[ranks];
        this.fetches = new HandlerFetches(delivery, allocator, ranks, counters);
        this.keeping = new HandlerKeeping(delivery, fetches);
        this.due = new DueLanes(ranks);
        engine.serving().work(this);
        receiver.handlers(this);
    }

    /** @return false where the id is registered already */
    public boolean register(int id, Handler handler, Executor executor) {
        if (!registrations.add(id, handler, executor)) {
            return false;
        }
        tasks.used(executor);
        for (HandlerLane lane : lanes) {
            if (lane != null) {
                goOn(lane);
            }
        }
        return true;
    }

    public void deregister(int id) {
        registrations.remove(id);
    }

    /** Whether the caller is inside a handler. Any thread. */
    public boolean isInHandler() {
        return engine.serving().isServer() || tasks.isInTask();
    }

    /** Whether some handler is running. */
    public boolean isRunning() {
        return running != 0;
    }

    @Override
    public void arrived(StoredMessage message) {
        HandlerLane lane = lanes[message.source];
        if (lane == null) {
            lane = new HandlerLane(tasks, message.source);
            lanes[message.source] = lane;
        }
        intake.came(message.source);
        lane.waiting.add(message);
        goOn(lane);
    }

    /**
     * A message that came eagerly, and can't stay where it is: copied into its lane where it is short and has its turn
     * at once, as the way through the store would take longer than the rest.
     *
     * @return false where it has to be stored
     */
    @Override
    public boolean takeShort(int source, int id, long address, int bytes) {
        HandlerLane lane = lanes[source];
        HandlerRegistrations.Registration registration = registrations.get(id);
        if (bytes > HandlerLane.SHORT_BYTES || lane == null || !lane.isFree() || over != null || registration == null) {
            return false;
        }
        intake.came(source);
        lane.copyShort(address, bytes);
        if (delivery.isLost(source)) {
            return true;
        }
        hasTurn(lane, id, bytes, registration);
        return true;
    }

    /** With its bytes in its lane. */
    private void hasTurn(HandlerLane lane, int id, int bytes, HandlerRegistrations.Registration registration) {
        lane.hasTurn(id, bytes, registration);
        lane.isShort = true;
        lane.view.begin(lane.source, id, bytes, lane.shortBytes, HandlerLane.SHORT_OFFSET, false);
        isDue(lane);
    }

    /** Looks for a short message of the rank that has sent the last ones, to the same handler. */
    @Override
    public int look() {
        int source = intake.onlySource();
        HandlerLane lane = source < 0 ? null : lanes[source];
        HandlerRegistrations.Registration registration =
                lane == null || !lane.isFree() || over != null ? null : registrations.get(lane.id);
        if (registration == null) {
            return -1;
        }
        Source from = receiver.sources[source];
        long taken = from.endpoint.takeEager(
                CONTEXT_ID, lane.id, lane.shortBytes, HandlerLane.SHORT_OFFSET, HandlerLane.SHORT_BYTES, 1);
        if (taken < 0) {
            return taken == Endpoint.NOTHING ? 0 : -1;
        }
        int bytes = Endpoint.takenBytes(taken);
        from.came(bytes);
        Delivery.countCopy(counters, bytes);
        intake.taken(source);
        hasTurn(lane, lane.id, bytes, registration);
        return 1;
    }

    @Override
    public int packetsWanted() {
        return intake.packetsWanted();
    }

    /** As the next round may not come before somebody rings. */
    @Override
    public void noticeFetched() {
        for (int i = fetches.lanes() - 1; i >= 0; i--) {
            HandlerLane lane = fetches.lane(i);
            if (over != null && !lane.isBusy) {
                fetches.drop(lane);
            } else if (!lane.isBusy && lane.fetching.peek().isOver()) {
                goOn(lane);
            }
        }
    }

    @Override
    public void goOn(int source) {
        if (lanes[source] != null) {
            goOn(lanes[source]);
        }
    }

    /** What has to be fetched begins to come, and the next has its turn if there is none whose turn it is. */
    private void goOn(HandlerLane lane) {
        fetchAhead(lane);
        if (!lane.isBusy) {
            next(lane);
            fetchAhead(lane);
        }
    }

    /** Only from the front, so that what is fetched stands before what waits. */
    private void fetchAhead(HandlerLane lane) {
        for (StoredMessage message; over == null && (message = lane.waiting.peek()) != null; ) {
            if (!message.rendezvous
                    || message.isComing()
                    || !HandlerFetches.hasRoom(lane, message.bytes)
                    || registrations.get(message.tag) == null
                    || delivery.addressInPlace(message) != 0) {
                return;
            }
            lane.waiting.poll();
            fetches.begin(lane, message);
        }
    }

    /** The message before is over: the next has its turn, if it is here and has a handler. */
    private void next(HandlerLane lane) {
        HandlerFetch fetch = lane.fetching.peek();
        if (fetch != null) {
            nextFetched(lane, fetch);
            return;
        }
        StoredMessage message = over != null ? null : lane.waiting.peek();
        HandlerRegistrations.Registration registration =
                message == null || message.isComing() ? null : registrations.get(message.tag);
        if (registration != null) {
            lane.waiting.poll();
            lane.hasTurn(message.tag, message.bytes, registration);
            begin(lane, message);
        }
    }

    private void begin(HandlerLane lane, StoredMessage message) {
        long address = message.address;
        if (message.rendezvous) {
            address = delivery.addressInPlace(message);
            counters.increment(Counter.IN_PLACE);
        } else if (message.kept) {
            counters.increment(Counter.IN_PLACE);
            receiver.sources[message.source].keeping.show(address);
        }
        lane.message = message;
        boolean isCopy = message.payload != null;
        Object memory = isCopy
                ? message.payload
                : message.rendezvous && message.reference.object != null ? message.reference.object : delivery;
        lane.view.begin(lane.source, lane.id, lane.bytes, memory, address, !isCopy);
        isDue(lane);
    }

    private void isDue(HandlerLane lane) {
        due.add(lane.source);
        engine.serving().due();
    }

    private void nextFetched(HandlerLane lane, HandlerFetch fetch) {
        HandlerRegistrations.Registration registration =
                over != null || !fetch.isOver() ? null : registrations.get(fetch.id);
        if (registration != null) {
            fetches.take(lane);
            lane.hasTurn(fetch.id, fetch.bytes, registration);
            lane.tell(fetch);
            isDue(lane);
        }
    }

    @Override
    public boolean isDue() {
        return !due.isEmpty();
    }

    /** A task of an executor leaves to others what isn't its own. */
    @Override
    public boolean runsHere() {
        return !tasks.isInTask();
    }

    @Override
    public boolean begin() {
        current = due.poll();
        if (current != DueLanes.NONE) {
            running++;
        }
        return current != DueLanes.NONE;
    }

    @Override
    public void run() {
        HandlerLane lane = lanes[current];
        if (lane.problem != null) {
            lane.tell(lane.what, lane.problem);
            lane.problem = null;
        } else if (lane.executor == null) {
            lane.handle();
        } else if (tasks.submit(lane)) {
            // Its own thread ends it, perhaps already.
            current = DueLanes.NONE;
        }
    }

    @Override
    public void end() {
        if (current != DueLanes.NONE) {
            handled(lanes[current]);
            current = DueLanes.NONE;
        }
    }

    @Override
    public boolean mayBegin() {
        engine.lock();
        try {
            running -= over == null ? 0 : 1;
            return over == null;
        } finally {
            engine.unlock();
        }
    }

    @Override
    public boolean goesOn(HandlerLane lane) {
        Executor executor = lane.executor;
        engine.lock();
        try {
            handled(lane);
            boolean goesOn = lane.executor == executor && lane.problem == null && due.removeLast(lane.source);
            if (goesOn) {
                running++;
            }
            return goesOn;
        } catch (Throwable e) {
            // As in Serving: its executor can do nothing about it, and the lane stands still.
            engine.serving().broke(e);
            return false;
        } finally {
            engine.unlock();
        }
    }

    /** For the handler that runs: its message as a lease of its own. Without the lock. */
    @Override
    public Lease keep(HandlerLane lane) {
        Lease[] kept = new Lease[1];
        engine.locked(() -> {
            lane.view.checkReadable();
            delivery.checkReceiving();
            kept[0] = keeping.keep(lane);
        });
        return kept[0];
    }

    /**
     * What a program sends on: a lease that was made before, or that is now made of a handler's message. Without the
     * lock.
     *
     * @return null where it is none of this device's, and nothing has happened
     */
    public MemoryLease kept(Lease message) {
        if (message instanceof HandlerMessage shown) {
            HandlerLane lane = lanes[Math.min(shown.status().source(), lanes.length - 1)];
            return lane != null && lane.view == shown ? (MemoryLease) keep(lane) : null;
        }
        return message instanceof MemoryLease lease && lease.isOf(delivery.leases) ? lease : null;
    }

    private void handled(HandlerLane lane) {
        running--;
        lane.view.end();
        counters.increment(Counter.HANDLED);
        finish(lane);
    }

    /** Gives the message's memory back, and goes on with the next. */
    private void finish(HandlerLane lane) {
        intake.handled();
        if (lane.hasFailed) {
            counters.increment(Counter.HANDLERS_FAILED);
        }
        lane.isBusy = false;
        if (lane.isShort) {
            lane.isShort = false;
            if (!ended) {
                delivery.matchedEagerly(receiver.sources[lane.source], lane.bytes);
            }
        } else {
            giveBack(lane);
        }
        goOn(lane);
    }

    private void giveBack(HandlerLane lane) {
        StoredMessage message = lane.message;
        lane.message = null;
        fetches.giveBack(lane, lane.view.isShown());
        if (message != null && (!ended || message.kept)) {
            giveBack(message);
        }
    }

    private void giveBack(StoredMessage message) {
        Source from = receiver.sources[message.source];
        if (message.slots != null) {
            message.slots.release(message.slot);
        } else if (message.rendezvous) {
            delivery.endInPlace(message.source, message.sendId);
        } else {
            if (message.kept) {
                from.keeping.giveBack(message.address);
            }
            delivery.matchedEagerly(from, message.bytes);
        }
        delivery.giveBack(message);
    }

    /** The end of a call that serves, or null where it has come already. */
    public Completion serve() {
        return serving.begin(over);
    }

    public void stop() {
        serving.stop();
    }

    /** No handler begins any more; those that run go on. */
    public void halt(Failure failure) {
        over = over == null ? failure : over;
        serving.fail(failure);
        due.clear();
    }

    /**
     * Nothing is handled any more, and handlers that run can't read their messages any more, whose memory may be the
     * peers' again.
     */
    @Override
    public void end(Failure failure) {
        halt(failure);
        ended = true;
        fetches.end();
        for (HandlerLane lane : lanes) {
            if (lane != null) {
                lane.view.end();
            }
        }
    }

    @Override
    public boolean isServingNothing() {
        return !serving.isEmpty() && !isRunning() && !isDue() && !fetches.isMoving();
    }

    /** Also without the lock, as a glimpse. */
    @Override
    public String toString() {
        StringBuilder text =
                new StringBuilder("HandlerMessages[" + intake.waiting() + " waiting, " + running + " running");
        for (HandlerLane lane : lanes) {
            HandlerFetch fetch = lane == null || lane.isBusy ? null : lane.fetching.peek();
            StoredMessage first = lane == null || lane.isBusy || fetch != null ? null : lane.waiting.peek();
            if (fetch != null && fetch.isOver() || first != null) {
                text.append(", rank ")
                        .append(lane.source)
                        .append("'s for handler ")
                        .append(fetch != null ? fetch.id : first.tag)
                        .append(", which nobody has registered");
            }
        }
        return text.append(']').toString();
    }
}
