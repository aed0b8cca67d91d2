package org.sluice.hybrid.device;

import java.lang.ref.Reference;
import org.sluice.device.ErrorCode;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;
import org.sluice.device.buffer.BufferLostException;
import org.sluice.device.buffer.MessageMemory;
import org.sluice.device.buffer.UserBuffer;
import org.sluice.device.channel.Channel;
import org.sluice.hybrid.progress.ProgressEngine;
import org.sluice.hybrid.protocol.Exchange;
import org.sluice.hybrid.receive.MemoryLease;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.request.Guard;
import org.sluice.hybrid.request.Waiting;
import org.sluice.hybrid.route.OutboundSlots;
import org.sluice.hybrid.route.Route;
import org.sluice.hybrid.route.SendOperation;

/**
 * The sending calls, for arguments that were checked. A small message that finds room is written and forgotten;
 * everything else becomes an operation.
 *
 * <p><i>Thread</i>: any. <i>Owns</i>: completions for blocking calls, used again and again. <i>Proof</i>: the device
 * conformance suite, {@code AllocationTest}, {@code FailureLawTest}, {@code NoRingMemoryTest}.
 */
final class SendCalls {
    /** The longest message out of a mapped file that a call which blocks copies first. */
    static final int MAPPED_COPY_BYTES = 1 << 20;

    private final Exchange exchange;
    private final ProgressEngine engine;
    private final Guard guard;
    private final Waiting waiting;
    private final int rank;
    /** Under the progress lock. */
    private final CompletionPool pool;

    SendCalls(Exchange exchange, ProgressEngine engine, Waiting waiting, int rank) {
        this.exchange = exchange;
        this.engine = engine;
        this.guard = exchange.guard();
        this.waiting = waiting;
        this.pool = new CompletionPool(waiting);
        this.rank = rank;
    }

    void send(Route route, Object buffer, long offset, long bytes, int contextId, int tag) {
        if (!trySend(route, buffer, offset, bytes, contextId, tag)) {
            sendAndWait(route, buffer, offset, bytes, contextId, tag, false);
        }
    }

    /**
     * Sends at once or not at all.
     *
     * @return false where it would have to wait
     */
    boolean trySend(Route route, Object buffer, long offset, long bytes, int contextId, int tag) {
        if (bytes <= route.copyLimitBytes()
                || bytes <= route.switchLimitBytes() && !route.loans().takes(buffer, bytes, true)) {
            Object base = UserBuffer.base(buffer);
            // Of an array the compilers know that it isn't.
            return (base != null || !UserBuffer.isMapped(buffer))
                    && sentEagerly(route, buffer, base, offset, (int) bytes, contextId, tag);
        }
        return false;
    }

    private boolean sentEagerly(
            Route route, Object buffer, Object base, long offset, int bytes, int contextId, int tag) {
        long address = UserBuffer.address(buffer, offset, false);
        try {
            int result = route.trySendEager(contextId, tag, base, address, bytes);
            Reference.reachabilityFence(buffer);
            return result == Channel.SENT;
        } catch (SluiceException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            guard.caught = e;
            throw e;
        }
    }

    /** With the lock held, for a completion that the caller made: it may be over when this returns. */
    void begin(
            Completion completion,
            Route route,
            Object buffer,
            long bytes,
            int contextId,
            int tag,
            boolean synchronous) {
        SendOperation operation = prepare(route, buffer, 0, bytes, contextId, tag, synchronous, false);
        operation.lendable = !synchronous && route.loans().takes(buffer, bytes, true);
        operation.completion = completion;
        beginLocked(route, operation);
    }

    void sendAndWait(Route route, Object buffer, long offset, long bytes, int contextId, int tag, boolean synchronous) {
        SendOperation operation = prepare(route, buffer, offset, bytes, contextId, tag, synchronous, true);
        operation.lendable = !synchronous && route.loans().takes(buffer, bytes, true);
        sendAndWait(route, operation);
    }

    /** On a persistent route that is written. */
    void sendAndWait(Route route, OutboundSlots slots, Object buffer, long offset, long bytes, int contextId, int tag) {
        SendOperation operation = prepare(route, buffer, offset, bytes, contextId, tag, false, true);
        operation.slots = slots;
        sendAndWait(route, operation);
    }

    private void sendAndWait(Route route, SendOperation operation) {
        engine.lock();
        try {
            Completion completion = pool.take();
            operation.completion = completion;
            start(route, operation);
            engine.await(completion, Waiting.FOREVER);
            if (completion.failure() != null) {
                Status status = new Status();
                completion.result(status);
            }
            pool.giveBack(completion);
        } catch (Error e) {
            guard.caught = e;
            throw e;
        } finally {
            engine.unlock();
        }
    }

    Request isend(Route route, Object buffer, long offset, long bytes, int contextId, int tag, boolean synchronous) {
        return isend(new Completion(waiting), route, buffer, offset, bytes, contextId, tag, synchronous);
    }

    /** On a persistent route that is written. */
    Request isend(Route route, OutboundSlots slots, Object buffer, long offset, long bytes, int contextId, int tag) {
        SendOperation operation = prepare(route, buffer, offset, bytes, contextId, tag, false, false);
        operation.slots = slots;
        return begin(new Completion(waiting), route, operation);
    }

    /** For the device's own messages: no peek shows the request. */
    Request isendUnseen(Route route, Object buffer, long offset, long bytes, int contextId, int tag) {
        return isend(Completion.reusable(waiting), route, buffer, offset, bytes, contextId, tag, false);
    }

    /**
     * As above, of all of a message buffer, whose life is the caller's business.
     *
     * @param afterwards is done when nobody reads it any more; not at all where a peer may read it for good
     */
    Completion isendUnseen(Route route, MessageMemory memory, long bytes, int contextId, int tag, Runnable afterwards) {
        SendOperation operation = route.operation();
        operation.buffer = memory;
        operation.address = memory.address();
        operation.afterwards = afterwards;
        describe(operation, bytes, 1, contextId, tag, false);
        return begin(Completion.reusable(waiting), route, operation);
    }

    /** As {@link ProgressEngine#goesOn}. */
    void goesOn(Completion unseen) {
        engine.lock();
        try {
            if (!unseen.isReached()) {
                engine.goesOn(unseen);
            }
        } catch (Error e) {
            guard.caught = e;
            throw e;
        } finally {
            engine.unlock();
        }
    }

    /** For a completion that the caller made. */
    Request isend(
            Completion completion,
            Route route,
            Object buffer,
            long offset,
            long bytes,
            int contextId,
            int tag,
            boolean synchronous) {
        boolean lendable = !synchronous && route.loans().takes(buffer, bytes, false);
        Object base = UserBuffer.base(buffer);
        if (!synchronous
                && !lendable
                && bytes <= route.switchLimitBytes()
                && (base != null || !UserBuffer.isMapped(buffer))) {
            if (sentEagerly(route, buffer, base, offset, (int) bytes, contextId, tag)) {
                completion.succeed(contextId, rank, tag, bytes, UserBuffer.elementSize(buffer));
                if (exchange.completed().areKept()) {
                    keepForPeek(completion);
                }
                return completion;
            }
        }
        SendOperation operation = prepare(route, buffer, offset, bytes, contextId, tag, synchronous, false);
        operation.lendable = lendable;
        return begin(completion, route, operation);
    }

    private void keepForPeek(Completion completion) {
        engine.lock();
        try {
            exchange.completed().add(completion);
        } finally {
            engine.unlock();
        }
    }

    /** The buffer is closed for the program at once; the receiver may take the message in place. */
    Request give(Route route, MessageMemory memory, long bytes, int contextId, int tag) {
        return give(new Completion(waiting), route, memory, bytes, contextId, tag);
    }

    /** As {@link #give}, for the device's own messages: no peek shows the request. */
    Completion giveUnseen(Route route, MessageMemory memory, long bytes, int contextId, int tag) {
        return give(Completion.reusable(waiting), route, memory, bytes, contextId, tag);
    }

    private Completion give(
            Completion completion, Route route, MessageMemory memory, long bytes, int contextId, int tag) {
        long address = memory.address();
        memory.giveAway();
        SendOperation operation = route.operation();
        operation.buffer = memory;
        operation.given = memory;
        operation.address = address;
        describe(operation, bytes, 1, contextId, tag, true);
        return begin(completion, route, operation);
    }

    /** What a lease reads, which ends with the send. */
    Request pass(Route route, MemoryLease lease, int contextId, int tag) {
        SendOperation operation = route.operation();
        describe(operation, lease.bytes(), 1, contextId, tag, false);
        try {
            exchange.locked(() -> lease.passTo(operation));
        } catch (RuntimeException e) {
            route.recycle(operation);
            throw e;
        }
        operation.lendable = route.loans().takes(operation.buffer, operation.bytes, false);
        return begin(new Completion(waiting), route, operation);
    }

    private Completion begin(Completion completion, Route route, SendOperation operation) {
        operation.completion = completion;
        engine.lock();
        try {
            beginLocked(route, operation);
        } catch (Error e) {
            guard.caught = e;
            throw e;
        } finally {
            engine.unlock();
        }
        return completion;
    }

    private void beginLocked(Route route, SendOperation operation) {
        start(route, operation);
        if (route.abilities().connecting != null && route.hasWork()) {
            engine.controlsWait();
        }
    }

    private void start(Route route, SendOperation operation) {
        boolean over;
        Failure failure = null;
        Completion completion = operation.completion;
        completion.operation(operation);
        try {
            failure = exchange.endOf(operation.contextId);
            over = failure != null || route.send(operation);
            if (operation.isInPieces()) {
                exchange.beginIntoSlot(operation);
            }
        } catch (RuntimeException e) {
            if (!isWithoutRing(e)) {
                throw broke(e, route, operation, completion);
            }
            // The channel makes its way to a peer with the first packet: nothing was sent, and the next send may find
            // memory.
            over = true;
            failure = new Failure(ErrorCode.NO_MEMORY, route.peer(), e.getMessage(), e);
        }
        if (over) {
            exchange.endSend(route, operation, failure != null ? failure : route.refusal());
        }
    }

    /** The device has ended, and this send with it, in whatever hands it was. */
    private SluiceException broke(RuntimeException cause, Route route, SendOperation operation, Completion completion) {
        SluiceException ended = exchange.broke(cause);
        if (ended != null && !completion.isReached()) {
            exchange.endSend(route, operation, new Failure(ended.code(), ended.peer(), ended.getMessage(), cause));
        }
        return ended;
    }

    private static boolean isWithoutRing(RuntimeException thrown) {
        return thrown instanceof SluiceException && ((SluiceException) thrown).code() == ErrorCode.NO_MEMORY;
    }

    /** @param waits whether its sender does, until it is over */
    private static SendOperation prepare(
            Route route,
            Object buffer,
            long offset,
            long bytes,
            int contextId,
            int tag,
            boolean synchronous,
            boolean waits) {
        boolean isMapped = UserBuffer.isMapped(buffer);
        if (isMapped && bytes <= (waits ? MAPPED_COPY_BYTES : route.switchLimitBytes())) {
            byte[] copy = copy(buffer, offset, (int) bytes);
            return prepare(route, copy, 0, bytes, contextId, tag, synchronous, waits);
        }
        SendOperation operation = route.operation();
        operation.isMapped = isMapped;
        try {
            operation.held = UserBuffer.hold(buffer);
            operation.base = UserBuffer.base(buffer);
            operation.address = UserBuffer.address(buffer, offset, false);
        } catch (RuntimeException e) {
            UserBuffer.release(operation.held);
            route.recycle(operation);
            throw e;
        }
        operation.buffer = buffer;
        describe(operation, bytes, UserBuffer.elementSize(buffer), contextId, tag, synchronous);
        return operation;
    }

    /** Out of a file, whose pages may go: while the call can still say so, and before any packet is begun. */
    private static byte[] copy(Object buffer, long offset, int bytes) {
        try {
            return UserBuffer.copy(buffer, offset, bytes);
        } catch (BufferLostException e) {
            throw new SluiceException(
                    ErrorCode.BUFFER_LOST, -1, "a message of " + bytes + " bytes was not sent: " + e.getMessage(), e);
        }
    }

    private static void describe(
            SendOperation operation, long bytes, int elementSize, int contextId, int tag, boolean synchronous) {
        operation.bytes = bytes;
        operation.elementSize = elementSize;
        operation.tag = tag;
        operation.contextId = contextId;
        operation.synchronous = synchronous;
    }
}
