package org.sluice.hybrid.device;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.sluice.device.Message;
import org.sluice.device.PersistentRoute;
import org.sluice.device.Status;
import org.sluice.device.buffer.UserBuffer;
import org.sluice.device.counter.Counter;
import org.sluice.hybrid.operation.Choice;
import org.sluice.hybrid.progress.ProgressEngine;
import org.sluice.hybrid.protocol.Exchange;
import org.sluice.hybrid.receive.Probe;
import org.sluice.hybrid.receive.TakenMessage;
import org.sluice.hybrid.request.Alternative;
import org.sluice.hybrid.request.AsyncCalls;
import org.sluice.hybrid.request.Callback;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Envelope;
import org.sluice.hybrid.request.Guard;
import org.sluice.hybrid.request.RequestFuture;
import org.sluice.hybrid.route.Route;

/**
 * The calls for which no thread waits: they begin what the blocking ones begin, and have the completion called back
 * where it is not over then.
 *
 * <p><i>Thread</i>: any. <i>Fails</i>: see {@link AsyncCalls}. <i>Proof</i>: {@code CoroutineCases}.
 */
final class Suspending implements AsyncCalls {
    private final HybridDevice device;
    private final Exchange exchange;
    private final Guard guard;
    private final ProgressEngine engine;
    private final SendCalls sends;
    private final ReceiveCalls receives;

    Suspending(HybridDevice device, SendCalls sends, ReceiveCalls receives) {
        this.device = device;
        this.exchange = device.parts.exchange();
        this.guard = exchange.guard();
        this.engine = device.parts.engine();
        this.sends = sends;
        this.receives = receives;
    }

    /**
     * Under the lock.
     *
     * @return false where it is over
     */
    private boolean called(Completion completion, Callback callback) {
        return called(completion, callback, null);
    }

    /** @param future who is called back, where that is the request's own */
    private boolean called(Completion completion, Callback callback, RequestFuture future) {
        if (completion.isReached()) {
            return false;
        }
        Callback told = logged(completion, callback);
        if (completion.isReached()) {
            return false;
        }
        if (completion.callback() == null) {
            engine.callbackWanted(completion);
        }
        boolean isWaiting = future == null ? completion.attach(told) : completion.future(future, told);
        if (told != callback && isWaiting) {
            engine.waits().attached(told);
        }
        return isWaiting;
    }

    /** As {@link org.sluice.hybrid.progress.WaitLog#begin}. */
    private Callback logged(Completion completion, Callback callback) {
        return engine.waits().begin(completion, callback);
    }

    /** As {@link org.sluice.hybrid.request.Waiting#futureOf}. */
    CompletableFuture<Status> futureOf(Completion completion) {
        RequestFuture future = new RequestFuture();
        engine.lock();
        try {
            if (completion.future() != null) {
                return completion.future();
            }
            if (!called(completion, future, future)) {
                // Nothing depends on it yet, so nothing of the program's runs under the lock.
                future.ended(completion);
                completion.future(future, future);
            }
            return future;
        } catch (Error e) {
            guard.caught = e;
            throw e;
        } finally {
            engine.unlock();
        }
    }

    @Override
    public void requireThread() {
        exchange.locked(engine::requireThread);
    }

    @Override
    public void dropped() {
        exchange.locked(() -> device.parts.counters().increment(Counter.UNDELIVERED_DROPPED));
    }

    @Override
    public boolean callBack(Completion completion, Callback callback) {
        engine.lock();
        try {
            return called(completion, callback);
        } catch (Error e) {
            guard.caught = e;
            throw e;
        } finally {
            engine.unlock();
        }
    }

    @Override
    public boolean sendNow(Object buffer, int dest, int tag, int contextId) {
        Route route = device.route(dest, tag, contextId);
        return sends.trySend(route, buffer, 0, UserBuffer.bytesToSend(buffer, 0, HybridDevice.WHOLE), contextId, tag);
    }

    @Override
    public <C extends Completion & Callback> boolean send(
            C call, Object buffer, int dest, int tag, int contextId, boolean synchronous) {
        Route route = device.route(dest, tag, contextId);
        long bytes = UserBuffer.bytesToSend(buffer, 0, HybridDevice.WHOLE);
        engine.lock();
        try {
            engine.requireThread();
            sends.begin(call, route, buffer, bytes, contextId, tag, synchronous);
            return !called(call, call);
        } catch (Error e) {
            guard.caught = e;
            throw e;
        } finally {
            engine.unlock();
        }
    }

    @Override
    public boolean receiveNow(Completion call, Object buffer, int source, int tag, int contextId) {
        device.checkPattern(source, tag, contextId);
        return receives.receiveNow(
                call, buffer, UserBuffer.bytesToReceive(buffer, 0, HybridDevice.WHOLE), contextId, source, tag);
    }

    @Override
    public <C extends Completion & Callback> boolean receive(
            C call, Object buffer, int source, int tag, int contextId) {
        device.checkPattern(source, tag, contextId);
        long bytes = UserBuffer.bytesToReceive(buffer, 0, HybridDevice.WHOLE);
        engine.lock();
        try {
            engine.requireThread();
            exchange.post(buffer, 0, bytes, contextId, source, tag, call);
            return !called(call, call);
        } catch (Error e) {
            guard.caught = e;
            throw e;
        } finally {
            engine.unlock();
        }
    }

    @Override
    public <C extends Completion & Callback & Chooser> boolean receiveAny(C call, List<Alternative> alternatives) {
        if (alternatives.isEmpty()) {
            throw new IllegalArgumentException("a choice between no receives would wait for ever: give at least one");
        }
        long[] bytes = new long[alternatives.size()];
        for (int i = 0; i < bytes.length; i++) {
            Alternative each = alternatives.get(i);
            Envelope asked = each.envelope();
            device.checkPattern(asked.source(), asked.tag(), asked.contextId());
            bytes[i] = UserBuffer.bytesToReceive(each.buffer(), 0, HybridDevice.WHOLE);
        }
        engine.lock();
        try {
            engine.requireThread();
            engine.look(false);
            exchange.post(new Choice(call, call, bytes.length), alternatives, bytes);
            return !called(call, call);
        } catch (Error e) {
            guard.caught = e;
            throw e;
        } finally {
            engine.unlock();
        }
    }

    @Override
    public <C extends Completion & Callback> boolean receiveTaken(C call, Message message, Object buffer) {
        long bytes = UserBuffer.bytesToReceive(buffer, 0, HybridDevice.WHOLE);
        TakenMessage taken = (TakenMessage) message;
        engine.lock();
        try {
            if (!taken.isHere()) {
                engine.requireThread();
            }
            taken.begin(buffer, 0, bytes, call);
            return !called(call, call);
        } catch (Error e) {
            guard.caught = e;
            throw e;
        } finally {
            engine.unlock();
        }
    }

    @Override
    public <C extends Completion & Callback> boolean arrival(C call, Message message) {
        TakenMessage taken = (TakenMessage) message;
        engine.lock();
        try {
            if (!taken.isComing()) {
                return true;
            }
            engine.requireThread();
            taken.await(call);
            return !called(call, call);
        } catch (Error e) {
            guard.caught = e;
            throw e;
        } finally {
            engine.unlock();
        }
    }

    @Override
    public <C extends Completion & Callback> Search search(C call, int source, int tag, int contextId, boolean taking) {
        device.checkPattern(source, tag, contextId);
        return new SuspendedProbe(
                call, call, new Probe(contextId, source, tag, taking ? receives.taker() : null, call));
    }

    @Override
    public PersistentRoute openRoute(Completion answer, int dest, int tag, int contextId, long maxBytes, int slots) {
        return device.unopenedRoute(dest, tag, contextId, maxBytes, slots).begin(answer);
    }

    /** Looks for a message, and is called back when there is one. */
    private final class SuspendedProbe implements Search {
        private final Completion completion;
        private final Callback callback;
        private final Probe probe;

        SuspendedProbe(Completion completion, Callback callback, Probe probe) {
            this.completion = completion;
            this.callback = callback;
            this.probe = probe;
        }

        @Override
        public boolean now() {
            engine.lock();
            try {
                engine.look(true);
                return exchange.probes().now(probe);
            } catch (Error e) {
                guard.caught = e;
                throw e;
            } finally {
                engine.unlock();
            }
        }

        @Override
        public boolean begin() {
            engine.lock();
            try {
                engine.requireThread();
                exchange.probes().begin(probe);
                return !called(completion, callback);
            } catch (Error e) {
                guard.caught = e;
                throw e;
            } finally {
                engine.unlock();
            }
        }

        @Override
        public Message message() {
            return probe.taker();
        }
    }
}
