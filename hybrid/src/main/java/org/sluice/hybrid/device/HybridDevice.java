package org.sluice.hybrid.device;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.sluice.device.Device;
import org.sluice.device.Handlers;
import org.sluice.device.Lease;
import org.sluice.device.Message;
import org.sluice.device.MessageBuffer;
import org.sluice.device.PersistentRoute;
import org.sluice.device.ProcessId;
import org.sluice.device.Request;
import org.sluice.device.Status;
import org.sluice.device.buffer.MessageMemory;
import org.sluice.device.buffer.UserBuffer;
import org.sluice.device.jvm.LocalEnd;
import org.sluice.device.layer.Layer;
import org.sluice.device.layer.Layered;
import org.sluice.device.option.Option;
import org.sluice.hybrid.protocol.EndedOpen;
import org.sluice.hybrid.request.AsyncCalls;
import org.sluice.hybrid.request.AsyncDevice;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Goal;
import org.sluice.hybrid.request.Guard;
import org.sluice.hybrid.route.Route;
import org.sluice.launch.JobAbort;

/**
 * The one {@link Device}: checks what callers pass, then hands on.
 *
 * <p><i>Thread</i>: any. <i>Owns</i>: everything that {@link DeviceParts} lists, until close. <i>Proof</i>:
 * {@code DeviceConformance}.
 */
final class HybridDevice implements Device, Layered, AsyncDevice, LocalEnd {
    final DeviceParts parts;
    private final int rank;
    private final int size;
    private final Route[] routes;
    private final Guard guard;
    private final SendCalls sends;
    private final ReceiveCalls receives;
    private final SeveralRequests several;
    private final Barrier barrier;
    private final DeviceClosing closing;
    private final Inside inside;
    /** Made when it is first asked for: most programs need none. */
    private Suspending suspending;
    /** Null until somebody asks for it; written under the progress lock. */
    private volatile HandlerCalls handlers;

    private final LayerCalls layer;

    HybridDevice(DeviceParts parts) {
        this.parts = parts;
        this.rank = parts.rank();
        this.size = parts.ids().size();
        this.routes = parts.routes();
        this.guard = parts.exchange().guard();
        this.sends = new SendCalls(parts.exchange(), parts.engine(), this, rank);
        this.receives = new ReceiveCalls(parts.exchange(), parts.engine(), this, parts.allocator());
        this.several = new SeveralRequests(this, rank);
        this.barrier = new Barrier(rank, size);
        this.layer = new LayerCalls(this, sends, receives);
        this.inside = new Inside(parts);
        this.closing = new DeviceClosing(parts, inside, layer);
    }

    /** Before its program has it. Where this throws, what began is to be ended by {@link #giveUp}. */
    void begin() {
        parts.engine().start();
        inside.begin();
        layer.begin();
        parts.job().enter(this);
    }

    /**
     * Ends what {@link #begin} began, whatever else fails.
     *
     * @param cause why it can't go on
     */
    void giveUp(Throwable cause) {
        DeviceClosing.suppressing(cause, closing::close);
        // Nobody may poll channels that are given back, wherever the close ended.
        DeviceClosing.suppressing(cause, closing::stopThreads);
    }

    @Override
    public ProcessId id() {
        return parts.ids().get(rank);
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public List<ProcessId> peers() {
        return parts.ids();
    }

    @Override
    public String channelTo(int peer) {
        return peer == rank ? "self" : routes[checkRank(peer)].channel().name();
    }

    private int checkRank(int peer) {
        // The array's own length: the compilers check it once.
        if (peer < 0 || peer >= routes.length) {
            throw outOfRange(peer, "");
        }
        return peer;
    }

    private IllegalArgumentException outOfRange(int peer, String alsoAllowed) {
        boolean alone = size == 1 && parts.options().text(Option.JOB_ADDRESS).isEmpty();
        return new IllegalArgumentException("rank " + peer
                + (peer == ANY_SOURCE ? " (ANY_SOURCE) is for receives and probes alone" : " is out of range")
                + "; this job has "
                + (size == 1 ? "rank 0 only" : "ranks 0 to " + (size - 1)) + alsoAllowed
                + (alone ? ": the program was started without ./sluice run -n N" : ""));
    }

    Route route(int dest, int tag, int contextId) {
        if ((tag | contextId) < 0) {
            closing.checkOpen();
            checkTag(tag);
            checkContext(contextId);
        }
        return openRoute(dest);
    }

    /** For an envelope that is in order. */
    Route openRoute(int dest) {
        closing.checkOpen();
        return routes[checkRank(dest)];
    }

    private static void checkTag(int tag) {
        if (tag < 0) {
            throw new IllegalArgumentException("tag " + tag + (tag == ANY_TAG ? " (ANY_TAG)" : "")
                    + " can't be sent with; tags are 0 to " + Integer.MAX_VALUE);
        }
    }

    private static void checkContext(int contextId) {
        if (contextId < 0) {
            throw new IllegalArgumentException(
                    "context id " + contextId + " is negative; context ids are 0 to " + Integer.MAX_VALUE);
        }
    }

    void checkPattern(int source, int tag, int contextId) {
        checkPattern(source, tag);
        checkContext(contextId);
    }

    void checkPattern(int source, int tag) {
        closing.checkOpen();
        if (source != ANY_SOURCE && (source < 0 || source >= size)) {
            throw outOfRange(source, ", or ANY_SOURCE");
        }
        if (tag < 0 && tag != ANY_TAG) {
            throw new IllegalArgumentException(
                    "tag " + tag + " can't be received; tags are 0 to " + Integer.MAX_VALUE + ", or ANY_TAG");
        }
    }

    @Override
    public void send(Object buffer, long offset, long count, int dest, int tag, int contextId) {
        Route route = route(dest, tag, contextId);
        sends.send(route, buffer, offset, UserBuffer.bytesToSend(buffer, offset, count), contextId, tag);
    }

    @Override
    public void ssend(Object buffer, long offset, long count, int dest, int tag, int contextId) {
        Route route = route(dest, tag, contextId);
        sends.sendAndWait(route, buffer, offset, UserBuffer.bytesToSend(buffer, offset, count), contextId, tag, true);
    }

    @Override
    public Request isend(Object buffer, long offset, long count, int dest, int tag, int contextId) {
        Route route = route(dest, tag, contextId);
        return sends.isend(route, buffer, offset, UserBuffer.bytesToSend(buffer, offset, count), contextId, tag, false);
    }

    @Override
    public Request issend(Object buffer, long offset, long count, int dest, int tag, int contextId) {
        Route route = route(dest, tag, contextId);
        return sends.isend(route, buffer, offset, UserBuffer.bytesToSend(buffer, offset, count), contextId, tag, true);
    }

    @Override
    public Request give(MessageBuffer buffer, long bytes, int dest, int tag, int contextId) {
        return give(route(dest, tag, contextId), buffer, bytes, contextId, tag);
    }

    Request give(Route route, MessageBuffer buffer, long bytes, int contextId, int tag) {
        if (!(buffer instanceof MessageMemory)) {
            throw new IllegalArgumentException(
                    "only a MessageBuffer of Device.allocate can be given away, not " + buffer);
        }
        return sends.give(route, (MessageMemory) buffer, UserBuffer.bytesToSend(buffer, 0, bytes), contextId, tag);
    }

    @Override
    public PersistentRoute openRoute(int dest, int tag, int contextId, long maxBytes, int slots) {
        OpenRoute made = unopenedRoute(dest, tag, contextId, maxBytes, slots);
        HandlerCalls known = handlers;
        return known != null && known.isInHandler() ? made.begin(null) : made.await();
    }

    OpenRoute unopenedRoute(int dest, int tag, int contextId, long maxBytes, int slots) {
        return OpenRoute.of(parts, closing, sends, null, route(dest, tag, contextId), contextId, tag, maxBytes, slots);
    }

    @Override
    public Status recv(Object buffer, long offset, long count, int source, int tag, int contextId, Status status) {
        checkPattern(source, tag, contextId);
        if (status == null) {
            throw new IllegalArgumentException(
                    "the status to receive into is null; give one, or leave it out to get a new one");
        }
        receives.recv(buffer, offset, UserBuffer.bytesToReceive(buffer, offset, count), contextId, source, tag, status);
        return status;
    }

    @Override
    public Request irecv(Object buffer, long offset, long count, int source, int tag, int contextId) {
        checkPattern(source, tag, contextId);
        return receives.irecv(buffer, offset, UserBuffer.bytesToReceive(buffer, offset, count), contextId, source, tag);
    }

    @Override
    public Lease recvInPlace(int source, int tag) {
        checkPattern(source, tag, DEFAULT_CONTEXT);
        return receives.mprobe(DEFAULT_CONTEXT, source, tag).recvInPlaceOrDrop();
    }

    @Override
    public Status probe(int source, int tag, int contextId) {
        checkPattern(source, tag, contextId);
        return receives.probe(contextId, source, tag);
    }

    @Override
    public Status iprobe(int source, int tag, int contextId) {
        checkPattern(source, tag, contextId);
        return receives.iprobe(contextId, source, tag);
    }

    @Override
    public Message mprobe(int source, int tag, int contextId) {
        checkPattern(source, tag, contextId);
        return receives.mprobe(contextId, source, tag);
    }

    @Override
    public Message improbe(int source, int tag, int contextId) {
        checkPattern(source, tag, contextId);
        return receives.improbe(contextId, source, tag);
    }

    @Override
    public Request peek(Duration timeout) {
        return Peeking.peek(parts, closing, this, timeout);
    }

    @Override
    public void barrier() {
        closing.checkOpen();
        barrier.await(sends, receives, routes);
    }

    @Override
    public void acknowledge(int peer) {
        checkRank(peer);
        closing.checkOpen();
        parts.exchange().locked(() -> parts.exchange().acknowledge(peer));
    }

    @Override
    public void waitAll(Request... requests) {
        several.waitAll(requests);
    }

    @Override
    public int waitAny(Request... requests) {
        return several.waitAny(requests);
    }

    /** As {@link LayerCalls#waitAny}. */
    int waitAny(long timeoutNanos, Request... requests) {
        return several.waitAny(timeoutNanos, requests);
    }

    @Override
    public int[] waitSome(Request... requests) {
        return several.waitSome(requests);
    }

    @Override
    public MessageBuffer allocate(long bytes) {
        closing.checkOpen();
        return new MessageMemory(parts.allocator(), bytes);
    }

    @Override
    public void register(Object buffer) {
        closing.checkOpen();
        Registrations.register(parts.channels(), buffer);
    }

    @Override
    public void deregister(Object buffer) {
        Registrations.deregister(parts.channels(), buffer);
    }

    @Override
    public Handlers handlers() {
        return handlers == null ? firstHandlers() : handlers;
    }

    private Handlers firstHandlers() {
        parts.exchange().locked(() -> handlers = handlers == null ? new HandlerCalls(this, sends, closing) : handlers);
        return handlers;
    }

    @Override
    public Layer layer() {
        return layer;
    }

    /** As {@link Layer#waitsInMemory}. */
    long waitsInMemory(int peer, long nanos) {
        return inside.waitsInMemory(peer, nanos);
    }

    @Override
    public Map<String, Long> counters() {
        return inside.counters();
    }

    @Override
    public boolean progress() {
        closing.checkOpen();
        return progressOnce();
    }

    @Override
    public boolean await(Goal goal, long deadlineNanos) {
        if (goal.isReached()) {
            return true;
        }
        parts.engine().lock();
        try {
            return parts.engine().await(goal, deadlineNanos);
        } catch (Error e) {
            guard.caught = e;
            throw e;
        } finally {
            parts.engine().unlock();
        }
    }

    @Override
    public boolean progressOnce() {
        try {
            closing.endIfDue();
            return parts.engine().progressOnce();
        } catch (Error e) {
            guard.caught = e;
            throw e;
        }
    }

    @Override
    public void progressFor(Completion completion) {
        progressOnce();
        if (guard.caught != null && !completion.isReached()) {
            parts.exchange().locked(() -> parts.exchange().endLost(completion));
        }
    }

    @Override
    public boolean cancel(Completion completion) {
        parts.engine().lock();
        try {
            return parts.exchange().cancel(completion);
        } catch (Error e) {
            guard.caught = e;
            throw e;
        } finally {
            parts.engine().unlock();
        }
    }

    @Override
    public CompletableFuture<Status> futureOf(Completion completion) {
        return suspending().futureOf(completion);
    }

    @Override
    public AsyncCalls async() {
        return suspending();
    }

    private Suspending suspending() {
        // Two threads may make one each, which is as good.
        return suspending == null ? suspending = new Suspending(this, sends, receives) : suspending;
    }

    @Override
    public void abort(int status, String reason) {
        JobAbort.abort(rank, status, reason);
    }

    @Override
    public void close() {
        if (handlers != null && !closing.isClosing()) {
            handlers.close();
        }
        closing.close();
    }

    @Override
    public boolean isClosed() {
        return closing.isClosing();
    }

    /**
     * The program of this rank, a thread of a JVM that lives on, has ended: as where a process ends, peers that wait
     * for it hear of its death.
     */
    @Override
    public void abandon() {
        parts.exchange().locked(() -> parts.exchange().fail(new EndedOpen(rank)));
    }

    @Override
    public String toString() {
        return "Device[rank " + rank + " of " + size + ", " + (handlers == null ? "" : handlers + ", ")
                + parts.exchange() + "]";
    }
}
