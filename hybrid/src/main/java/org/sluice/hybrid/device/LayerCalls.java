package org.sluice.hybrid.device;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Message;
import org.sluice.device.MessageBuffer;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;
import org.sluice.device.buffer.UserBuffer;
import org.sluice.device.channel.Reading;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.jvm.JvmRanks;
import org.sluice.device.jvm.LocalEnd;
import org.sluice.device.layer.Layer;
import org.sluice.device.layer.LayerListener;
import org.sluice.device.layer.LayerNotice;
import org.sluice.device.layer.LayerPromise;
import org.sluice.device.layer.LayerRequest;
import org.sluice.device.layer.LayerTaking;
import org.sluice.device.layer.LayerWatcher;
import org.sluice.device.option.Options;
import org.sluice.hybrid.progress.ProgressEngine;
import org.sluice.hybrid.protocol.Exchange;
import org.sluice.hybrid.receive.Probe;
import org.sluice.hybrid.receive.TakenMessage;
import org.sluice.hybrid.request.Callback;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Guard;
import org.sluice.hybrid.request.RequestState;
import org.sluice.hybrid.request.Waiting;
import org.sluice.hybrid.route.Locality;
import org.sluice.hybrid.route.Route;

/**
 * The calls of a layer above the device: those of the device, in contexts that no program can name, and requests that
 * are begun again and again.
 *
 * <p><i>Thread</i>: any. <i>Proof</i>: {@code LayerTest}, and all tests of communicators.
 */
final class LayerCalls implements Layer, LocalEnd, DeviceClosing.Last {
    /** The channel between ranks of one JVM. */
    private static final String THREADS = "threads";

    private final HybridDevice device;
    private final SendCalls sends;
    private final ReceiveCalls receives;
    private final Exchange exchange;
    private final ProgressEngine engine;
    private final Guard guard;
    private final Map<Class<?>, Object> kept = new ConcurrentHashMap<>();
    /** Where the layers of this job's ranks in this JVM find each other. */
    private final String name;

    LayerCalls(HybridDevice device, SendCalls sends, ReceiveCalls receives) {
        this.device = device;
        this.sends = sends;
        this.receives = receives;
        this.exchange = device.parts.exchange();
        this.engine = device.parts.engine();
        this.guard = exchange.guard();
        this.name = "layers of " + device.parts.ids().get(0).uuid();
    }

    /** When others may find it. */
    void begin() {
        JvmRanks.ofThisJvm().register(name, device.rank(), this);
    }

    /** After {@link #begin}, once the device is closed. */
    @Override
    public void end() {
        JvmRanks.ofThisJvm().unregister(name);
    }

    @Override
    public boolean isClosed() {
        return device.isClosed();
    }

    @Override
    public Device device() {
        return device;
    }

    @Override
    public Options options() {
        return device.parts.options();
    }

    @Override
    public <T> T kept(Class<T> type, Function<Layer, T> make) {
        return type.cast(kept.computeIfAbsent(type, new Function<>() {
            @Override
            public Object apply(Class<?> key) {
                return make.apply(LayerCalls.this);
            }
        }));
    }

    /** Those of programs are 0 and more; the device's own are just below 0. */
    private static int inDevice(int context) {
        if (context < 0 || context > HIGHEST_CONTEXT) {
            throw new IllegalArgumentException("context " + context + " of a layer; they are 0 to " + HIGHEST_CONTEXT);
        }
        return RequestState.LAYER_CONTEXT - context;
    }

    private Route route(int dest, int tag) {
        if (tag < 0) {
            throw new IllegalArgumentException(
                    "tag " + tag + " can't be sent with; tags are 0 to " + Integer.MAX_VALUE);
        }
        return device.openRoute(dest);
    }

    @Override
    public void send(Object buffer, long offset, long count, int dest, int tag, int context) {
        Route route = route(dest, tag);
        sends.send(route, buffer, offset, UserBuffer.bytesToSend(buffer, offset, count), inDevice(context), tag);
    }

    @Override
    public void ssend(Object buffer, long offset, long count, int dest, int tag, int context) {
        Route route = route(dest, tag);
        sends.sendAndWait(
                route, buffer, offset, UserBuffer.bytesToSend(buffer, offset, count), inDevice(context), tag, true);
    }

    @Override
    public Request isend(Object buffer, long offset, long count, int dest, int tag, int context) {
        return isend(buffer, offset, count, dest, tag, context, false);
    }

    @Override
    public Request issend(Object buffer, long offset, long count, int dest, int tag, int context) {
        return isend(buffer, offset, count, dest, tag, context, true);
    }

    private Request isend(Object buffer, long offset, long count, int dest, int tag, int context, boolean synchronous) {
        Route route = route(dest, tag);
        return sends.isend(
                route,
                buffer,
                offset,
                UserBuffer.bytesToSend(buffer, offset, count),
                inDevice(context),
                tag,
                synchronous);
    }

    @Override
    public void recv(Object buffer, long offset, long count, int source, int tag, int context, Status status) {
        device.checkPattern(source, tag);
        receives.recv(
                buffer,
                offset,
                UserBuffer.bytesToReceive(buffer, offset, count),
                inDevice(context),
                source,
                tag,
                status);
    }

    @Override
    public Request irecv(Object buffer, long offset, long count, int source, int tag, int context, int[] ranks) {
        device.checkPattern(source, tag);
        long bytes = UserBuffer.bytesToReceive(buffer, offset, count);
        Completion completion = new RenamedCompletion(device, context, ranks);
        return receives.irecv(completion, buffer, offset, bytes, inDevice(context), source, tag);
    }

    @Override
    public Status probe(int source, int tag, int context) {
        device.checkPattern(source, tag);
        return receives.probe(inDevice(context), source, tag);
    }

    @Override
    public Status probe(int source, int tag, int context, long timeoutNanos) {
        device.checkPattern(source, tag);
        return receives.probe(inDevice(context), source, tag, Waiting.deadline(timeoutNanos));
    }

    @Override
    public Status iprobe(int source, int tag, int context) {
        device.checkPattern(source, tag);
        return receives.iprobe(inDevice(context), source, tag);
    }

    @Override
    public Message mprobe(int source, int tag, int context, int[] ranks) {
        device.checkPattern(source, tag);
        return new RenamedMessage(receives.mprobe(inDevice(context), source, tag), device, context, ranks);
    }

    @Override
    public Message improbe(int source, int tag, int context, int[] ranks) {
        device.checkPattern(source, tag);
        TakenMessage message = receives.improbe(inDevice(context), source, tag);
        return message == null ? null : new RenamedMessage(message, device, context, ranks);
    }

    @Override
    public Request arrival(int source, int tag, int context, int[] ranks) {
        device.checkPattern(source, tag);
        Completion completion = RenamedCompletion.ofProbe(device, context, ranks);
        begin(new Probe(inDevice(context), source, tag, null, completion));
        return completion;
    }

    @Override
    public LayerTaking take(int source, int tag, int context, int[] ranks) {
        device.checkPattern(source, tag);
        TakenMessage taker = receives.taker();
        Taking taking = new Taking(device, context, ranks, taker);
        begin(new Probe(inDevice(context), source, tag, taker, taking));
        return taking;
    }

    @Override
    public boolean listen(LayerTaking taking, Runnable ended) {
        return called((Taking) taking, new Told(ended));
    }

    private void begin(Probe probe) {
        exchange.locked(() -> {
            engine.look(true);
            exchange.probes().begin(probe);
        });
    }

    @Override
    public int waitAny(long timeoutNanos, Request... requests) {
        return device.waitAny(timeoutNanos, requests);
    }

    @Override
    public LayerRequest request() {
        return new Reused(device, null);
    }

    @Override
    public LayerRequest request(LayerListener listener) {
        return new Reused(device, listener);
    }

    @Override
    public boolean isend(LayerRequest request, Object buffer, long offset, long count, int dest, int tag, int context) {
        Reused reused = (Reused) request;
        Route route = route(dest, tag);
        long bytes = UserBuffer.bytesToSend(buffer, offset, count);
        int contextId = inDevice(context);
        reused.reset();
        sends.isend(reused, route, buffer, offset, bytes, contextId, tag, false);
        return reused.isReached() || !called(reused);
    }

    @Override
    public boolean irecv(
            LayerRequest request, Object buffer, long offset, long count, int source, int tag, int context) {
        Reused reused = (Reused) request;
        device.checkPattern(source, tag);
        long bytes = UserBuffer.bytesToReceive(buffer, offset, count);
        int contextId = inDevice(context);
        reused.reset();
        receives.irecv(reused, buffer, offset, bytes, contextId, source, tag);
        return reused.isReached() || !called(reused);
    }

    @Override
    public boolean irecv(LayerRequest request, Message message, Object buffer, long offset, long count) {
        Reused reused = (Reused) request;
        long bytes = UserBuffer.bytesToReceive(buffer, offset, count);
        reused.reset();
        ((RenamedMessage) message).receive(buffer, offset, bytes, reused);
        return reused.isReached() || !called(reused);
    }

    private boolean called(Reused request) {
        return request.listener == null || called(request, request);
    }

    /** @return false where it is over: nobody is told */
    private boolean called(Completion request, Callback callback) {
        engine.lock();
        try {
            if (request.isReached()) {
                return false;
            }
            engine.callbackWantedFromCalls(request);
            return request.attach(callback);
        } catch (Error e) {
            guard.caught = e;
            throw e;
        } finally {
            engine.unlock();
        }
    }

    @Override
    public LayerPromise promise() {
        return new Promise(device, engine, exchange);
    }

    @Override
    public LayerPromise promise(int context, BooleanSupplier cancelling) {
        return new CancellablePromise(device, engine, exchange, context, cancelling);
    }

    @Override
    public boolean spins() {
        return engine.spins();
    }

    @Override
    public void yieldCore() {
        engine.yieldCore();
    }

    @Override
    public long waitsInMemory(int peer, long nanos) {
        return device.waitsInMemory(peer, nanos);
    }

    @Override
    public void watch(LayerWatcher watcher) {
        engine.lock();
        try {
            exchange.watch(watcher);
        } catch (Error e) {
            guard.caught = e;
            throw e;
        } finally {
            engine.unlock();
        }
    }

    @Override
    public SluiceException lost(int peer) {
        engine.lock();
        try {
            return exchange.lost(peer);
        } finally {
            engine.unlock();
        }
    }

    @Override
    public void notice(int peer, LayerNotice notice) {
        exchange.locked(() -> exchange.notice(peer, notice));
    }

    @Override
    public void end(int context, int count, ErrorCode code, int peer, String message) {
        exchange.locked(() -> exchange.end(context, count, code, peer, message));
    }

    @Override
    public Layer neighbour(int rank) {
        if (rank == device.rank() || !THREADS.equals(device.channelTo(rank))) {
            return null;
        }
        LocalEnd end = JvmRanks.ofThisJvm().find(name, rank);
        return end instanceof Layer ? (Layer) end : null;
    }

    @Override
    public boolean sharesJvm(int rank) {
        Locality locality = device.openRoute(rank).locality();
        return locality == Locality.SELF || locality == Locality.SAME_JVM;
    }

    @Override
    public boolean sharesNode(int rank) {
        return device.openRoute(rank).locality() != Locality.REMOTE;
    }

    @Override
    public boolean isIdle(int context) {
        int contextId = inDevice(context);
        engine.lock();
        try {
            return !exchange.choices().isAnyPosted(contextId)
                    && !exchange.probes().isAnyWaiting(contextId)
                    && !exchange.probes().isThere(contextId, Device.ANY_SOURCE, Device.ANY_TAG);
        } finally {
            engine.unlock();
        }
    }

    @Override
    public boolean describe(MessageBuffer memory, int peer, long[] into) {
        RemoteReference reference = new RemoteReference();
        Reading reading = device.openRoute(peer).abilities().reading;
        boolean isReadable;
        engine.lock();
        try {
            isReadable = reading != null
                    && reading.describe(
                            peer, memory, null, UserBuffer.address(memory, 0, false), memory.bytes(), reference);
        } finally {
            engine.unlock();
        }
        if (reference.lease != null) {
            reading.release(reference.lease);
            return false;
        }
        into[0] = reference.key;
        into[1] = reference.address;
        return isReadable && reference.object == null;
    }

    @Override
    public long addressOf(int peer, long[] described, long bytes) {
        RemoteReference reference = new RemoteReference();
        reference.set(described[0], described[1], null);
        engine.lock();
        try {
            return device.openRoute(peer).abilities().addressInPlace(peer, reference, bytes);
        } finally {
            engine.unlock();
        }
    }

    /** Of {@link #listen}. */
    private static final class Told implements Callback {
        private final Runnable ended;

        Told(Runnable ended) {
            this.ended = ended;
        }

        @Override
        public void ended(Completion completion) {
            ended.run();
        }

        /** It throws nothing that it hasn't told its own waiters. */
        @Override
        public void failed(Throwable cause) {}
    }

    private static final class Reused extends Completion implements LayerRequest, Callback {
        private final LayerListener listener;
        private int uses;

        Reused(Waiting waiting, LayerListener listener) {
            super(waiting, false);
            this.listener = listener;
        }

        @Override
        public void reset() {
            super.reset();
            uses++;
        }

        @Override
        public int uses() {
            return uses;
        }

        @Override
        public boolean isOver() {
            return isReached();
        }

        @Override
        public void ended(Completion completion) {
            listener.ended(this);
        }

        /** The listener throws nothing that it hasn't told its own waiters. */
        @Override
        public void failed(Throwable cause) {}
    }
}
