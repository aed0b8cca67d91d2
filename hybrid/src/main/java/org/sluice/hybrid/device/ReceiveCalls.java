package org.sluice.hybrid.device;

import java.lang.ref.Reference;
import org.sluice.device.ErrorCode;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;
import org.sluice.device.buffer.BufferLostException;
import org.sluice.device.buffer.MessageAllocator;
import org.sluice.device.buffer.UserBuffer;
import org.sluice.device.channel.Endpoint;
import org.sluice.hybrid.progress.ProgressEngine;
import org.sluice.hybrid.protocol.Exchange;
import org.sluice.hybrid.receive.DirectReceive;
import org.sluice.hybrid.receive.DirectReceives;
import org.sluice.hybrid.receive.Probe;
import org.sluice.hybrid.receive.TakenMessage;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Guard;
import org.sluice.hybrid.request.Waiting;

/**
 * The receiving and probing calls, for arguments that were checked.
 *
 * <p><i>Thread</i>: any. <i>Owns</i>: completions for blocking calls, used again and again. <i>Proof</i>: the device
 * conformance suite, {@code AllocationTest}, {@code FailureLawTest}.
 */
final class ReceiveCalls {
    /** Messages taken from one source between rounds of progress for all; a power of two. */
    private static final int TAKEN_PER_ROUND = 64;
    /** Less than a microsecond: nothing else moves meanwhile. A pause between them costs more than it gains. */
    private static final int LOOKS = 64;

    private final Exchange exchange;
    private final DirectReceives directs;
    private final ProgressEngine engine;
    private final Guard guard;
    private final Waiting waiting;
    private final MessageAllocator allocator;
    /** Under the progress lock. */
    private final CompletionPool pool;
    /** Under the progress lock. */
    private int taken;

    ReceiveCalls(Exchange exchange, ProgressEngine engine, Waiting waiting, MessageAllocator allocator) {
        this.exchange = exchange;
        this.directs = exchange.direct();
        this.engine = engine;
        this.guard = exchange.guard();
        this.waiting = waiting;
        this.pool = new CompletionPool(waiting);
        this.allocator = allocator;
    }

    void recv(Object buffer, long offset, long bytes, int contextId, int source, int tag, Status status) {
        engine.lock();
        try {
            receive(buffer, offset, bytes, contextId, source, tag, status);
            Reference.reachabilityFence(buffer);
        } catch (Error e) {
            guard.caught = e;
            throw e;
        } finally {
            engine.unlock();
        }
    }

    private void receive(Object buffer, long offset, long bytes, int contextId, int source, int tag, Status status) {
        boolean roundFirst = isRoundDue() || exchange.isMoving();
        if (roundFirst
                || UserBuffer.needsOperation(buffer)
                || !takeSoon(buffer, offset, bytes, contextId, source, tag, status)) {
            receiveLater(roundFirst, buffer, offset, bytes, contextId, source, tag, status);
        }
    }

    /** Counts one receive more. */
    private boolean isRoundDue() {
        return (++taken & TAKEN_PER_ROUND - 1) == 0;
    }

    private void receiveLater(
            boolean roundFirst,
            Object buffer,
            long offset,
            long bytes,
            int contextId,
            int source,
            int tag,
            Status status) {
        boolean byOperation = UserBuffer.needsOperation(buffer);
        DirectReceive direct = byOperation ? null : directs.begin(buffer, offset, bytes, contextId, source, tag);
        if (byOperation && bytes <= SendCalls.MAPPED_COPY_BYTES && UserBuffer.isMapped(buffer)) {
            recvMapped(buffer, offset, bytes, contextId, source, tag, status);
        } else if (direct == null) {
            recvPosted(buffer, offset, bytes, contextId, source, tag, status);
        } else {
            recvDirectly(direct, roundFirst, status);
        }
    }

    /**
     * Looks for the message at its source for a moment: the answer of a peer that is at work comes in that time, and
     * costs nothing but the looks.
     */
    private boolean takeSoon(
            Object buffer, long offset, long bytes, int contextId, int source, int tag, Status status) {
        for (int i = 0; i < LOOKS; i++) {
            long there = directs.takeNow(buffer, offset, bytes, contextId, source, tag);
            if (there >= 0) {
                status.set(
                        source,
                        Endpoint.takenTag(there),
                        contextId,
                        Endpoint.takenBytes(there),
                        UserBuffer.elementSize(buffer),
                        ErrorCode.NONE);
                return true;
            }
            if (there != Endpoint.NOTHING) {
                break;
            }
        }
        return false;
    }

    private void recvDirectly(DirectReceive direct, boolean roundFirst, Status status) {
        if (roundFirst) {
            engine.look(taken % TAKEN_PER_ROUND == 0);
        }
        engine.spin(direct);
        Completion posted = directs.end(direct);
        if (posted == null) {
            direct.fill(status);
        } else {
            engine.await(posted, Waiting.FOREVER);
            posted.result(status);
            direct.giveBack(posted);
        }
    }

    private void recvPosted(Object buffer, long offset, long bytes, int contextId, int source, int tag, Status status) {
        Completion completion = pool.take();
        exchange.post(buffer, offset, bytes, contextId, source, tag, completion);
        if (taken % TAKEN_PER_ROUND == 0) {
            engine.look(true);
        }
        engine.await(completion, Waiting.FOREVER);
        completion.result(status);
        pool.giveBack(completion);
    }

    /**
     * Into a file, whose pages may go: the message comes to an array first, so that it is this call that fails, and not
     * the device.
     */
    private void recvMapped(Object buffer, long offset, long bytes, int contextId, int source, int tag, Status status) {
        int elementSize = UserBuffer.elementSize(buffer);
        Object array = array(elementSize, (int) bytes / elementSize);
        SluiceException misfit = null;
        try {
            recvPosted(array, 0, bytes, contextId, source, tag, status);
        } catch (SluiceException e) {
            if (e.code() != ErrorCode.TRUNCATED && e.code() != ErrorCode.ELEMENT_MISMATCH) {
                throw e;
            }
            misfit = e;
        }
        long received = Math.min(status.bytes(), bytes);
        try {
            UserBuffer.copyIn(buffer, offset, array, received);
            UserBuffer.received(buffer, UserBuffer.address(buffer, offset, true), received);
        } catch (BufferLostException e) {
            throw new SluiceException(
                    ErrorCode.BUFFER_LOST,
                    -1,
                    "a message of " + status.bytes() + " bytes from rank " + status.source() + " with tag "
                            + status.tag() + " is consumed, and did not get where it was to be received: "
                            + e.getMessage(),
                    status,
                    e);
        }
        if (misfit != null) {
            throw misfit;
        }
    }

    private static Object array(int elementSize, int length) {
        return switch (elementSize) {
            case Long.BYTES -> new long[length];
            case Integer.BYTES -> new int[length];
            case Short.BYTES -> new short[length];
            default -> new byte[length];
        };
    }

    Request irecv(Object buffer, long offset, long bytes, int contextId, int source, int tag) {
        return irecv(Completion.ofReceive(waiting), buffer, offset, bytes, contextId, source, tag);
    }

    /** For a completion that the caller made. */
    Completion irecv(
            Completion completion, Object buffer, long offset, long bytes, int contextId, int source, int tag) {
        engine.lock();
        try {
            if (!receivedAtOnce(buffer, offset, bytes, contextId, source, tag, completion)) {
                exchange.post(buffer, offset, bytes, contextId, source, tag, completion);
            }
        } catch (Error e) {
            guard.caught = e;
            throw e;
        } finally {
            engine.unlock();
        }
        return completion;
    }

    /**
     * For a completion that the caller made.
     *
     * @return false when nothing is there that it could receive at once
     */
    boolean receiveNow(Completion completion, Object buffer, long bytes, int contextId, int source, int tag) {
        engine.lock();
        try {
            return receivedAtOnce(buffer, 0, bytes, contextId, source, tag, completion);
        } catch (Error e) {
            guard.caught = e;
            throw e;
        } finally {
            engine.unlock();
        }
    }

    /**
     * Where messages come faster than a program posts receives, the message is often there: it saves its receive the
     * operation and the way through the queue. The receives posted before get theirs first.
     *
     * @return false when the receive is to be posted
     */
    private boolean receivedAtOnce(
            Object buffer, long offset, long bytes, int contextId, int source, int tag, Completion completion) {
        boolean due = isRoundDue();
        if (due || directs.isBehind(source) || exchange.isMoving()) {
            engine.look(due);
        }
        if (UserBuffer.needsOperation(buffer)) {
            return false;
        }
        long there = directs.takeNow(buffer, offset, bytes, contextId, source, tag);
        if (there >= 0) {
            directs.succeed(completion, there, contextId, source, buffer);
        }
        return there >= 0;
    }

    /**
     * Waits for a message, whose envelope the status gets.
     *
     * @return false when the time was up
     */
    private boolean await(Probe probe, Status status, long deadlineNanos) {
        engine.lock();
        try {
            boolean isReached = reach(probe, deadlineNanos);
            if (isReached) {
                probe.completion().result(status);
            }
            return isReached;
        } catch (Error e) {
            guard.caught = e;
            throw e;
        } finally {
            engine.unlock();
        }
    }

    private boolean reach(Probe probe, long deadlineNanos) {
        exchange.probes().begin(probe);
        boolean isReached = engine.await(probe.completion(), deadlineNanos);
        if (!isReached) {
            exchange.probes().withdraw(probe);
        }
        return isReached;
    }

    /**
     * Looks for a message, after one round of progress if there is none.
     *
     * @return the probe, reached, or null
     */
    private Probe probeNow(int contextId, int source, int tag, boolean taking) {
        Probe probe = look(contextId, source, tag, taking, false);
        if (probe == null) {
            engine.progressOnce();
            probe = look(contextId, source, tag, taking, true);
        }
        return probe;
    }

    private Probe look(int contextId, int source, int tag, boolean taking, boolean orFail) {
        engine.lock();
        try {
            if (exchange.probes().isThere(contextId, source, tag)) {
                Probe probe = new Probe(contextId, source, tag, taking ? taker() : null, new Completion(waiting));
                exchange.probes().now(probe);
                return probe;
            }
            if (orFail) {
                exchange.checkReceivable(source);
            }
            return null;
        } catch (Error e) {
            guard.caught = e;
            throw e;
        } finally {
            engine.unlock();
        }
    }

    Status probe(int contextId, int source, int tag) {
        return probe(contextId, source, tag, Waiting.FOREVER);
    }

    /** @return null when the time was up */
    Status probe(int contextId, int source, int tag, long deadlineNanos) {
        Status status = new Status();
        Probe probe = new Probe(contextId, source, tag, null, new Completion(waiting));
        return await(probe, status, deadlineNanos) ? status : null;
    }

    Status iprobe(int contextId, int source, int tag) {
        Probe probe = probeNow(contextId, source, tag, false);
        if (probe == null) {
            return null;
        }
        Status status = new Status();
        probe.completion().fill(status);
        return status;
    }

    TakenMessage mprobe(int contextId, int source, int tag) {
        TakenMessage message = taker();
        await(new Probe(contextId, source, tag, message, new Completion(waiting)), message.status(), Waiting.FOREVER);
        return message;
    }

    TakenMessage improbe(int contextId, int source, int tag) {
        Probe probe = probeNow(contextId, source, tag, true);
        return probe == null ? null : probe.taker();
    }

    /** For a probe that takes a message. */
    TakenMessage taker() {
        return new TakenMessage(exchange.delivery(), engine, waiting, allocator);
    }
}
