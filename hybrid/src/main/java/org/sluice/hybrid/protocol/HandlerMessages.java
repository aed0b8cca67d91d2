package org.sluice.hybrid.protocol;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import org.sluice.device.Handler;
import org.sluice.device.SluiceException;
import org.sluice.device.buffer.MessageAllocator;
import org.sluice.device.buffer.MessageMemory;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.hybrid.progress.DueWork;
import org.sluice.hybrid.progress.ProgressEngine;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;

/**
 * Messages that call a handler: they have a context of their own, and go to their sender's {@link HandlerLane} where others would go to the queue of
 * unexpected messages (docs/handlers.md). What they hold of the receiver's memory is given back when they were handled, not before: so a
 * sender's share bounds what waits for handlers.
 *
 * <p><i>Thread</i>: under the progress lock, where a method doesn't say otherwise. <i>Owns</i>: the messages that wait for handlers or are being handled.
 * <i>Fails</i>: what a handler throws is told, and the next message has its turn. <i>Proof</i>: {@code HandlerCases}, {@code AllocationTest}.
 */
public final class HandlerMessages implements DueWork {
    /** A message space that no program can name; -1 is the barrier's. */
    public static final int CONTEXT_ID = -2;

    private static final int BATCH = 16;

    /** What is called for an id, and where. */
    private record Registration(Handler handler, Executor executor) {
    }

    private final Exchange exchange;
    private final Receiver receiver;
    private final ProgressEngine engine;
    private final MessageAllocator allocator;
    private final Counters counters;
    private Registration[] registrations = new Registration[0];
    private final HandlerLane[] lanes;
    /** Lanes whose message may be handled, each once. */
    private final ArrayDeque<HandlerLane> due = new ArrayDeque<>();
    /** Lanes whose message is on its way into memory of this device. */
    private final List<HandlerLane> fetching = new ArrayList<>();
    /** The one that {@link #run} is at; null where its executor has it. */
    private HandlerLane current;
    private final ServingCalls serving = new ServingCalls();
    /** Messages that came and were not handled. */
    private long waiting;
    /** Lanes whose handler is running, on whatever thread. */
    private int running;
    private final HandlerTasks tasks = new HandlerTasks(this);
    /** Why no handler begins any more, or null. */
    private Failure over;
    /** Nothing is given back to peers any more. */
    private boolean ended;

    public HandlerMessages(Exchange exchange, ProgressEngine engine, int ranks, MessageAllocator allocator, Counters counters) {
        this.exchange = exchange;
        this.receiver = exchange.receiver();
        this.engine = engine;
        this.allocator = allocator;
        this.counters = counters;
        this.lanes = new HandlerLane[ranks];
        engine.serving().work(this);
        receiver.handlers(this);
    }

    /** @return false where the id is registered already */
    public boolean register(int id, Handler handler, Executor executor) {
        if (id >= registrations.length) {
            registrations = Arrays.copyOf(registrations, Math.max(id + 1, 2 * registrations.length));
        }
        if (registrations[id] != null) {
            return false;
        }
        tasks.used(executor);
        registrations[id] = new Registration(handler, executor);
        for (HandlerLane lane : lanes) {
            if (lane != null && !lane.isBusy) {
                next(lane);
            }
        }
        return true;
    }

    public void deregister(int id) {
        if (id < registrations.length) {
            registrations[id] = null;
        }
    }

    /** Whether the caller is inside a handler. Any thread. */
    public boolean isInHandler() {
        return engine.serving().isServer() || tasks.isInTask();
    }

    /** Whether some handler is running. */
    public boolean isRunning() {
        return running != 0;
    }

    void arrived(StoredMessage message) {
        HandlerLane lane = lanes[message.source];
        if (lane == null) {
            lane = new HandlerLane(tasks, message.source);
            lanes[message.source] = lane;
        }
        waiting++;
        lane.waiting.addLast(message);
        if (!lane.isBusy) {
            next(lane);
        }
    }

    /** How many packets a round should take on their account. */
    int packetsWanted() {
        return waiting < BATCH ? BATCH : 0;
    }

    /** At the end of a round, as the next may not come before somebody rings. */
    void noticeFetched() {
        for (int i = 0; i < fetching.size(); i++) {
            HandlerLane lane = fetching.get(i);
            if (lane.fetched.isReached()) {
                fetching.remove(i--);
                fetched(lane);
            }
        }
    }

    /** The message before is over: the next has its turn, if it has a handler. */
    private void next(HandlerLane lane) {
        StoredMessage message = over != null ? null : lane.waiting.peekFirst();
        Registration registration = message == null || message.tag >= registrations.length ? null : registrations[message.tag];
        if (registration == null) {
            return;
        }
        lane.waiting.removeFirst();
        lane.isBusy = true;
        lane.id = message.tag;
        lane.bytes = message.bytes;
        if (lane.handler != registration.handler) {
            lane.handler = registration.handler;
        }
        if (lane.executor != registration.executor) {
            lane.executor = registration.executor;
        }
        lane.hasFailed = false;
        begin(lane, message);
    }

    private void begin(HandlerLane lane, StoredMessage message) {
        long address = message.address;
        if (message.rendezvous) {
            address = exchange.addressInPlace(message);
            if (address == 0) {
                fetch(lane, message);
                return;
            }
            counters.increment(Counter.IN_PLACE);
        } else if (message.kept) {
            counters.increment(Counter.IN_PLACE);
            receiver.sources[message.source].route.channel().show(address);
        }
        lane.message = message;
        boolean isCopy = message.payload != null;
        Object memory = isCopy ? message.payload : message.rendezvous && message.reference.object != null ? message.reference.object : exchange;
        lane.view.begin(lane.source, lane.id, lane.bytes, memory, address, !isCopy);
        isDue(lane);
    }

    private void isDue(HandlerLane lane) {
        due.addLast(lane);
        engine.serving().due();
    }

    /** It can't be read where it lies. One at a time for each sender comes into memory of this device. */
    private void fetch(HandlerLane lane, StoredMessage message) {
        try {
            lane.memory = new MessageMemory(allocator, message.bytes);
        } catch (SluiceException | OutOfMemoryError e) {
            cannot(lane, "found no memory", e);
        }
        lane.fetched = Completion.reusable(null);
        // Without memory too: its sender waits for an end.
        exchange.receiveTaken(message, lane.memory, 0, lane.memory == null ? 0 : message.bytes, lane.fetched);
        if (lane.fetched.isReached()) {
            fetched(lane);
        } else {
            fetching.add(lane);
        }
    }

    private void fetched(HandlerLane lane) {
        Failure failure = lane.fetched.failure();
        lane.fetched = null;
        if (over != null) {
            dropped(lane);
            return;
        }
        if (failure != null && lane.problem == null) {
            cannot(lane, "could not be called", failure.toException(null));
        } else if (lane.problem == null) {
            lane.view.begin(lane.source, lane.id, lane.bytes, lane.memory, lane.memory.address(), false);
        }
        isDue(lane);
    }

    /** It came too late for its handler. */
    private static void dropped(HandlerLane lane) {
        if (lane.memory != null) {
            close(lane.memory);
            lane.memory = null;
        }
    }

    /** Told where the handler would be called, as whom it is told is the program's. */
    private static void cannot(HandlerLane lane, String what, Throwable problem) {
        lane.what = what;
        lane.problem = problem;
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
        current = due.pollFirst();
        if (current != null) {
            running++;
        }
        return current != null;
    }

    @Override
    public void run() {
        HandlerLane lane = current;
        if (lane.problem != null) {
            lane.tell(lane.what, lane.problem);
            lane.problem = null;
        } else if (lane.executor == null) {
            lane.handle();
        } else if (HandlerTasks.submit(lane)) {
            // Its own thread ends it, perhaps already.
            current = null;
        }
    }

    @Override
    public void end() {
        if (current != null) {
            handled(current);
            current = null;
        }
    }

    /** An executor may take its time, and the device have been closed. */
    boolean mayBegin() {
        engine.lock();
        try {
            running -= over == null ? 0 : 1;
            return over == null;
        } finally {
            engine.unlock();
        }
    }

    /** The message is over. @return whether the next one is the same executor's, and running */
    boolean goesOn(HandlerLane lane) {
        Executor executor = lane.executor;
        engine.lock();
        try {
            handled(lane);
            boolean goesOn = lane.executor == executor && lane.problem == null && due.peekLast() == lane;
            if (goesOn) {
                due.removeLast();
                running++;
            }
            return goesOn;
        } finally {
            engine.unlock();
        }
    }

    private void handled(HandlerLane lane) {
        running--;
        lane.view.end();
        counters.increment(Counter.HANDLED);
        if (lane.fault != null) {
            exchange.fail(lane.fault);
            lane.fault = null;
        }
        finish(lane);
    }

    /** Gives the message's memory back, and goes on with the next. */
    private void finish(HandlerLane lane) {
        waiting--;
        if (lane.hasFailed) {
            counters.increment(Counter.HANDLERS_FAILED);
        }
        MessageMemory memory = lane.memory;
        StoredMessage message = lane.message;
        lane.memory = null;
        lane.message = null;
        lane.isBusy = false;
        if (memory != null) {
            close(memory);
        }
        if (message != null && (!ended || message.kept)) {
            giveBack(message);
        }
        next(lane);
    }

    private void giveBack(StoredMessage message) {
        Source from = receiver.sources[message.source];
        if (message.slots != null) {
            message.slots.release(message.slot);
        } else if (message.rendezvous) {
            exchange.endInPlace(message.source, message.sendId);
        } else {
            if (message.kept) {
                from.route.channel().giveBack(message.address);
            }
            receiver.matchedEagerly(from, message.bytes);
        }
        receiver.giveBack(message);
    }

    private static void close(MessageMemory memory) {
        try {
            memory.close();
        } catch (IllegalStateException e) {
            // The handler sends it on: it goes when it is collected.
            return;
        }
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

    /** Nothing is handled any more, and handlers that run can't read their messages any more, whose memory may be the peers' again. */
    void end(Failure failure) {
        halt(failure);
        ended = true;
        for (HandlerLane lane : lanes) {
            if (lane != null) {
                lane.view.end();
            }
        }
    }

    /** Also without the lock, as a glimpse. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("HandlerMessages[" + waiting + " waiting, " + running + " running");
        for (HandlerLane lane : lanes) {
            StoredMessage first = lane == null || lane.isBusy ? null : lane.waiting.peekFirst();
            if (first != null) {
                text.append(", rank ").append(lane.source).append("'s for handler ").append(first.tag).append(", which nobody has registered");
            }
        }
        return text.append(']').toString();
    }
}
