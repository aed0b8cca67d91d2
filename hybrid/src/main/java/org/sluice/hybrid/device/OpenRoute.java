package org.sluice.hybrid.device;

import org.sluice.device.PersistentRoute;
import org.sluice.device.Request;
import org.sluice.device.Status;
import org.sluice.device.buffer.UserBuffer;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.request.Waiting;
import org.sluice.hybrid.route.OutboundSlots;
import org.sluice.hybrid.route.Route;

/** A persistent route as the program has it. <i>Thread</i>: any. <i>Proof</i>: {@code PersistentRouteCases}. */
final class OpenRoute implements PersistentRoute {
    /** What a route needs of those whose messages call handlers. */
    interface ForHandlers {
        /** Whether the caller is inside a handler. */
        boolean isInHandler();

        /** At once, or kept: it doesn't wait. */
        void sendFromHandler(Route route, Object message, long offset, long bytes, int handler);
    }

    private final DeviceParts parts;
    private final DeviceClosing device;
    private final SendCalls sends;
    /** Whose messages it carries; null: those of receives. */
    private final ForHandlers handlers;

    private final Route route;
    private final int tag;
    private final int contextId;
    private final long maxBytes;
    private final int slots;
    /**
     * The slots at the receiver; null where its messages go as all others. They also do until the receiver has given
     * slots.
     */
    private final OutboundSlots outbound;

    private volatile boolean closed;

    private OpenRoute(
            DeviceParts parts,
            DeviceClosing device,
            SendCalls sends,
            ForHandlers handlers,
            Route route,
            int contextId,
            int tag,
            long maxBytes,
            int slots,
            OutboundSlots outbound) {
        this.parts = parts;
        this.device = device;
        this.sends = sends;
        this.handlers = handlers;
        this.route = route;
        this.tag = tag;
        this.contextId = contextId;
        this.maxBytes = maxBytes;
        this.slots = slots;
        this.outbound = outbound;
    }

    /**
     * As {@link org.sluice.device.Device#openRoute}, for an envelope that was checked; without the receiver's answer,
     * see {@link #await} and {@link #begin}.
     *
     * @param handlers whose messages it is to carry, or null
     */
    static OpenRoute of(
            DeviceParts parts,
            DeviceClosing device,
            SendCalls sends,
            ForHandlers handlers,
            Route route,
            int contextId,
            int tag,
            long maxBytes,
            int slots) {
        if (slots < 1 || slots > MOST_SLOTS) {
            throw new IllegalArgumentException(
                    "a route of " + slots + " slots was asked for; 1 to " + MOST_SLOTS + " are allowed");
        }
        if (maxBytes < 1 || maxBytes > Long.MAX_VALUE / 2 / slots) {
            throw new IllegalArgumentException("a route of messages of at most " + maxBytes
                    + " bytes was asked for; 1 byte or more is allowed, and " + Long.MAX_VALUE / 2
                    + " in all slots together");
        }
        Failure failure = route.failure();
        if (failure != null) {
            throw failure.toException(null);
        }
        OutboundSlots outbound = route.channel().remoteSlots() == null
                ? null
                : new OutboundSlots(route.peer(), route.channel(), parts.allocator(), maxBytes, slots);
        return new OpenRoute(parts, device, sends, handlers, route, contextId, tag, maxBytes, slots, outbound);
    }

    /** Asks the receiver, and waits for its answer. */
    OpenRoute await() {
        if (outbound != null) {
            Completion answer = Completion.reusable(null);
            parts.exchange().locked(() -> {
                parts.exchange().persistent().open(outbound, answer);
                parts.engine().await(answer, Waiting.FOREVER);
                answer.result(new Status());
            });
        }
        return this;
    }

    /**
     * Asks the receiver, and doesn't wait.
     *
     * @param answer ends with its answer; null where nobody asks for it
     */
    OpenRoute begin(Completion answer) {
        parts.exchange().locked(() -> {
            if (outbound != null) {
                parts.exchange().persistent().open(outbound, answer);
            } else if (answer != null) {
                answer.succeed(0, route.peer(), 0, 0, 1);
            }
        });
        return this;
    }

    @Override
    public int dest() {
        return route.peer();
    }

    @Override
    public int tag() {
        return tag;
    }

    @Override
    public int contextId() {
        return contextId;
    }

    @Override
    public long maxBytes() {
        return maxBytes;
    }

    @Override
    public int slots() {
        return slots;
    }

    @Override
    public boolean isWritten() {
        return outbound != null && outbound.isWritten();
    }

    private long check(Object buffer, long offset, long count) {
        device.checkOpen();
        if (closed) {
            throw new IllegalStateException(
                    "this route to rank " + route.peer() + " with tag " + tag + " is closed: open another");
        }
        long bytes = UserBuffer.bytesToSend(buffer, offset, count);
        if (bytes > maxBytes) {
            throw new IllegalArgumentException("a message of " + bytes + " bytes on a route of at most " + maxBytes
                    + ": send it with Device.send, or open a route for longer ones");
        }
        return bytes;
    }

    @Override
    public void send(Object buffer, long offset, long count) {
        long bytes = check(buffer, offset, count);
        if (handlers != null && handlers.isInHandler()) {
            handlers.sendFromHandler(route, buffer, offset, bytes, tag);
        } else if (bytes == 0 || !isWritten()) {
            sends.send(route, buffer, offset, bytes, contextId, tag);
        } else {
            sends.sendAndWait(route, outbound, buffer, offset, bytes, contextId, tag);
        }
    }

    @Override
    public Request isend(Object buffer, long offset, long count) {
        long bytes = check(buffer, offset, count);
        return bytes == 0 || !isWritten()
                ? sends.isend(route, buffer, offset, bytes, contextId, tag, false)
                : sends.isend(route, outbound, buffer, offset, bytes, contextId, tag);
    }

    @Override
    public void close() {
        closed = true;
        if (outbound != null) {
            parts.exchange().locked(() -> parts.exchange().persistent().close(outbound));
        }
    }

    @Override
    public String toString() {
        return "PersistentRoute[to " + route.peer() + ", tag " + tag + ", " + slots + " slots of " + maxBytes
                + " bytes, " + (isWritten() ? outbound.toString() : "in the ordinary way") + "]";
    }
}
