package org.sluice.hybrid.device;

import java.lang.ref.Reference;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Handler;
import org.sluice.device.Handlers;
import org.sluice.device.Lease;
import org.sluice.device.MessageBuffer;
import org.sluice.device.PersistentRoute;
import org.sluice.device.Request;
import org.sluice.device.Status;
import org.sluice.device.buffer.MessageMemory;
import org.sluice.device.buffer.UserBuffer;
import org.sluice.device.counter.Counter;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Option;
import org.sluice.hybrid.handler.HandlerMessages;
import org.sluice.hybrid.progress.ProgressEngine;
import org.sluice.hybrid.protocol.Exchange;
import org.sluice.hybrid.receive.MemoryLease;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.route.Route;

/**
 * The calls of {@link Handlers}: a message to a handler is an ordinary one, in the handlers' context and with the
 * handler's id as its tag.
 *
 * <p><i>Thread</i>: any. <i>Proof</i>: {@code HandlerCases}, {@code AllocationTest}.
 */
final class HandlerCalls implements Handlers, OpenRoute.ForHandlers {
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(20);
    private static final int CONTEXT_ID = HandlerMessages.CONTEXT_ID;

    private final HybridDevice device;
    private final DeviceParts parts;
    private final Exchange exchange;
    private final ProgressEngine engine;
    private final SendCalls sends;
    private final DeviceClosing closing;
    private final HandlerMessages messages;

    /** Under the progress lock. */
    HandlerCalls(HybridDevice device, SendCalls sends, DeviceClosing closing) {
        this.device = device;
        this.parts = device.parts;
        this.exchange = parts.exchange();
        this.engine = parts.engine();
        this.sends = sends;
        this.closing = closing;
        this.messages =
                new HandlerMessages(exchange.receiver(), engine, parts.rank(), parts.allocator(), parts.counters());
    }

    private static void checkId(int id) {
        if (id < 0 || id > HIGHEST_ID) {
            throw new IllegalArgumentException("handler " + id + " is out of range; ids are 0 to " + HIGHEST_ID);
        }
    }

    @Override
    public void register(int id, Handler handler, Executor executor) {
        checkId(id);
        closing.checkOpen();
        if (handler == null) {
            throw new IllegalArgumentException(
                    "the handler for id " + id + " is null; deregister(" + id + ") lets its messages wait");
        }
        exchange.locked(() -> {
            if (!messages.register(id, handler, executor)) {
                throw new IllegalStateException(
                        "handler " + id + " is registered already: deregister it first, or take another id");
            }
        });
    }

    @Override
    public void deregister(int id) {
        checkId(id);
        exchange.locked(() -> messages.deregister(id));
    }

    private Route route(int dest, int handler) {
        checkId(handler);
        return device.route(dest, handler, Device.DEFAULT_CONTEXT);
    }

    @Override
    public void syncSend(int dest, int handler, Object message, long offset, long count) {
        Route route = route(dest, handler);
        long bytes = UserBuffer.bytesToSend(message, offset, count);
        if (isInHandler()) {
            sendFromHandler(route, message, offset, bytes, handler);
        } else {
            sends.send(route, message, offset, bytes, CONTEXT_ID, handler);
        }
    }

    @Override
    public Request isend(int dest, int handler, Object message, long offset, long count) {
        Route route = route(dest, handler);
        long bytes = UserBuffer.bytesToSend(message, offset, count);
        return sends.isend(route, message, offset, bytes, CONTEXT_ID, handler, false);
    }

    @Override
    public boolean isInHandler() {
        return messages.isInHandler();
    }

    /** Behind what the route's slots are to bring, if that has not gone. */
    @Override
    public void sendFromHandler(Route route, Object message, long offset, long bytes, int handler) {
        if (!sends.trySend(route, message, offset, bytes, CONTEXT_ID, handler)) {
            sendCopy(route, message, offset, bytes, handler);
        }
    }

    /**
     * A handler that waited for room at a peer, whose handler waits for room here, would wait for ever. Throws where
     * nothing goes to that peer any more.
     */
    private void sendCopy(Route route, Object message, long offset, long bytes, int handler) {
        MessageMemory copy = copyOf(message, offset, bytes);
        exchange.locked(() -> parts.counters().increment(Counter.HANDLER_SENDS_KEPT));
        Completion kept = sends.giveUnseen(route, copy, bytes, CONTEXT_ID, handler);
        if (kept.isReached()) {
            kept.result(new Status());
        } else {
            sends.goesOn(kept);
        }
    }

    private MessageMemory copyOf(Object message, long offset, long bytes) {
        MessageMemory copy = MessageMemory.unzeroed(parts.allocator(), bytes);
        if (UserBuffer.isMapped(message)) {
            for (long done = 0; done < bytes; ) {
                byte[] part = UserBuffer.copy(message, offset + done, (int) Math.min(bytes - done, 1 << 20));
                Memory.copy(part, Memory.arrayOffset(part), null, copy.address() + done, part.length);
                done += part.length;
            }
        } else {
            Memory.copy(
                    UserBuffer.base(message), UserBuffer.address(message, offset, false), null, copy.address(), bytes);
            Reference.reachabilityFence(message);
        }
        return copy;
    }

    @Override
    public void broadcast(int handler, Object message, long offset, long count) {
        checkId(handler);
        closing.checkOpen();
        broadcast(null, parts.routes().length - 1, handler, message, offset, count);
    }

    @Override
    public void broadcast(int[] dests, int handler, Object message, long offset, long count) {
        checkId(handler);
        closing.checkOpen();
        if (dests == null) {
            throw new IllegalArgumentException(
                    "the ranks to broadcast to are null; without ranks it goes to all others");
        }
        for (int dest : dests) {
            route(dest, handler);
        }
        broadcast(dests, dests.length, handler, message, offset, count);
    }

    /** What has room goes without an object. */
    private void broadcast(int[] dests, int number, int handler, Object message, long offset, long count) {
        long bytes = UserBuffer.bytesToSend(message, offset, count);
        int gone = 0;
        while (gone < number && sends.trySend(routeTo(dests, gone), message, offset, bytes, CONTEXT_ID, handler)) {
            gone++;
        }
        if (gone == number) {
            return;
        }
        Route[] rest = new Route[number - gone];
        for (int i = 0; i < rest.length; i++) {
            rest[i] = routeTo(dests, gone + i);
        }
        Broadcast broadcast = new Broadcast(sends, rest, CONTEXT_ID, handler);
        if (!isInHandler()) {
            broadcast.send(message, offset, bytes);
        } else if (!broadcast.trySend(message, offset, bytes)) {
            MessageMemory copy = copyOf(message, offset, bytes);
            exchange.locked(() -> parts.counters().add(Counter.HANDLER_SENDS_KEPT, broadcast.left()));
            broadcast.sendCopy(copy, bytes);
        }
    }

    /** @param dests null: all others */
    private Route routeTo(int[] dests, int index) {
        int rank = dests != null ? dests[index] : index < parts.rank() ? index : index + 1;
        return parts.routes()[rank];
    }

    @Override
    public Request give(int dest, int handler, MessageBuffer message, long bytes) {
        return device.give(route(dest, handler), message, bytes, CONTEXT_ID, handler);
    }

    @Override
    public Request forward(int dest, int handler, Lease message) {
        Route route = route(dest, handler);
        MemoryLease lease = messages.kept(message);
        if (lease == null) {
            throw new IllegalArgumentException("this message can't be sent on, as it is "
                    + (message == null ? "null" : "no lease of this device")
                    + "; allowed are a handler's message and leases that are open: send a buffer of it instead");
        }
        return sends.pass(route, lease, CONTEXT_ID, handler);
    }

    @Override
    public PersistentRoute openRoute(int dest, int handler, long maxBytes, int slots) {
        Route route = route(dest, handler);
        OpenRoute made = OpenRoute.of(parts, closing, sends, this, route, CONTEXT_ID, handler, maxBytes, slots);
        // A handler that waited would keep all others from running.
        return isInHandler() ? made.begin(null) : made.await();
    }

    @Override
    public MessageBuffer allocate(long bytes) {
        return device.allocate(bytes);
    }

    private void checkOutside(String why) {
        if (messages.isInHandler()) {
            throw new IllegalStateException(why + ", and no other handler runs meanwhile: call it outside of handlers");
        }
    }

    @Override
    public void serve() {
        closing.checkOpen();
        checkOutside("serve runs handlers");
        exchange.locked(() -> {
            Completion end = messages.serve();
            if (end != null) {
                engine.serveUntil(end);
                end.result(new Status());
            }
        });
    }

    @Override
    public void stop() {
        exchange.locked(messages::stop);
    }

    /** No handler begins any more; gives those that run time to end, as their messages' memory goes back. */
    void close() {
        Failure failure =
                new Failure(ErrorCode.DEVICE_CLOSED, -1, "rank " + parts.rank() + "'s device was closed meanwhile");
        long deadline = System.nanoTime()
                + TimeUnit.MILLISECONDS.toNanos(parts.options().number(Option.CLOSE_TIMEOUT_MS));
        boolean mayWait = !messages.isInHandler();
        while (isRunning(failure) && mayWait && System.nanoTime() - deadline < 0) {
            if (!engine.progressOnce()) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private boolean isRunning(Failure failure) {
        engine.lock();
        try {
            messages.halt(failure);
            return messages.isRunning();
        } finally {
            engine.unlock();
        }
    }

    @Override
    public String toString() {
        return messages.toString();
    }
}
