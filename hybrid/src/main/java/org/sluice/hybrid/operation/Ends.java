package org.sluice.hybrid.operation;

import java.util.ArrayDeque;
import java.util.List;
import org.sluice.device.ErrorCode;
import org.sluice.device.buffer.BufferLostException;
import org.sluice.device.buffer.UserBuffer;
import org.sluice.device.channel.PacketKind;
import org.sluice.hybrid.progress.ProgressEngine;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.route.Locality;
import org.sluice.hybrid.route.Route;
import org.sluice.hybrid.route.SendOperation;

/**
 * Ends operations: gives buffers back, tells the completion, keeps the operation for use again.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Owns</i>: the pool of receive operations, and the completed requests
 * kept for peek.
 */
public final class Ends {
    private static final int POOLED = 1024;
    /** Less than an empty message has. */
    private static final long NONE = -1;

    private final int rank;
    /**
     * A stack: those below {@code kept} are free, and stay in it when taken, so that taking and giving back stores no
     * reference.
     */
    private final ReceiveOperation[] receives = new ReceiveOperation[POOLED];

    private int kept;
    private final CompletedRequests completed;
    private ProgressEngine engine;
    /** Answers to long messages wait for the end of the round, where the channel sends several at once. */
    private boolean isHolding;

    private final ArrayDeque<Route> held = new ArrayDeque<>();
    /**
     * Sends that failed while their peer could still read their memory, which must not be collected; linked, as nothing
     * may be thrown there.
     */
    private SendOperation readByPeers;

    public Ends(int rank, boolean peek) {
        this.rank = rank;
        this.completed = new CompletedRequests(peek);
    }

    public void engine(ProgressEngine newEngine) {
        engine = newEngine;
    }

    public ReceiveOperation receiveOperation() {
        return kept == 0 ? new ReceiveOperation() : receives[--kept];
    }

    /**
     * For a buffer that was checked. Where that can't be used all the same (it was closed meanwhile, or is a Bytes over
     * what has no address) nothing has happened.
     */
    public ReceiveOperation receiveOperation(
            Object buffer, long offset, long bytes, int contextId, int source, int tag, Completion completion) {
        ReceiveOperation operation = receiveOperation();
        try {
            operation.held = UserBuffer.hold(buffer);
            operation.base = UserBuffer.base(buffer);
            operation.address = UserBuffer.address(buffer, offset, true);
            operation.isMapped = UserBuffer.isMapped(buffer);
        } catch (RuntimeException e) {
            withdrawn(operation);
            throw e;
        }
        operation.completion = completion;
        operation.buffer = buffer;
        operation.bytes = bytes;
        operation.takenBytes = operation.isMapped ? NONE : bytes;
        operation.elementSize = UserBuffer.elementSize(buffer);
        operation.source = source;
        operation.tag = tag;
        operation.contextId = contextId;
        completion.operation(operation);
        return operation;
    }

    void recycle(ReceiveOperation operation) {
        operation.clear();
        if (kept < POOLED) {
            if (receives[kept] != operation) {
                receives[kept] = operation;
            }
            kept++;
        }
    }

    /** The bytes that fit are in the buffer: says whether the receive ended well. */
    public void received(ReceiveOperation operation, int source, int tag, long messageBytes) {
        RuntimeException refusal =
                tellBuffer(operation.buffer, operation.address, Math.min(messageBytes, operation.bytes));
        UserBuffer.release(operation.held);
        Completion completion = operation.completion;
        Failure failure = refusal == null
                ? misfit(operation, source, tag, messageBytes)
                : untaken(source, tag, messageBytes, refusal);
        boolean callback = failure == null
                ? completion.succeed(operation.contextId, source, tag, messageBytes, operation.elementSize)
                : completion.fail(failure, operation.contextId, source, tag, messageBytes, operation.elementSize);
        told(completion, callback);
        recycle(operation);
    }

    private static Failure untaken(int source, int tag, long messageBytes, RuntimeException refusal) {
        return new Failure(
                ErrorCode.TRUNCATED,
                source,
                "a message of " + messageBytes + " bytes from rank " + source + " with tag " + tag
                        + " is consumed, but its buffer did not take that length: " + refusal
                        + "; where several receives into one buffer are under way, each begins where the"
                        + " first does: wait for one before the next",
                refusal);
    }

    /**
     * Why a message that came is none that this receive can have got.
     *
     * @return null if it is one
     */
    private static Failure misfit(ReceiveOperation operation, int source, int tag, long messageBytes) {
        if (messageBytes > operation.bytes) {
            return new Failure(
                    ErrorCode.TRUNCATED,
                    source,
                    "a message of " + messageBytes + " bytes from rank " + source + " with tag " + tag
                            + " met a receive of " + operation.bytes
                            + " bytes; what fits was delivered and the message is consumed: receive into a"
                            + " larger buffer, or probe for the length first");
        }
        if (operation.elementSize > 1 && (messageBytes & (operation.elementSize - 1)) != 0) {
            return new Failure(
                    ErrorCode.ELEMENT_MISMATCH,
                    source,
                    "a message of " + messageBytes + " bytes from rank " + source + " with tag " + tag
                            + " is no whole number of the receive's elements of " + operation.elementSize
                            + " bytes: receive into the type that was sent, or into bytes");
        }
        return null;
    }

    /** A message was matched and is over, and the receive is without it. */
    public void consumed(ReceiveOperation operation, int source, int tag, long messageBytes, Failure failure) {
        UserBuffer.release(operation.held);
        Completion completion = operation.completion;
        told(
                completion,
                completion.fail(failure, operation.contextId, source, tag, messageBytes, operation.elementSize));
        recycle(operation);
    }

    private static RuntimeException tellBuffer(Object buffer, long address, long delivered) {
        try {
            UserBuffer.received(buffer, address, delivered);
            return null;
        } catch (BufferLostException e) {
            throw e;
        } catch (RuntimeException e) {
            // The program's own, with positions and limits of its own: no reason to end anything but this receive.
            return e;
        }
    }

    public void failed(ReceiveOperation operation, Failure failure) {
        // One that ended, and then something was thrown, may be in its queue still.
        if (operation.completion == null || operation.completion.isReached()) {
            return;
        }
        UserBuffer.release(operation.held);
        tellFailed(operation, failure);
        recycle(operation);
    }

    /** Nothing is told: another receive has the message, or the call has thrown. */
    public void withdrawn(ReceiveOperation operation) {
        UserBuffer.release(operation.held);
        recycle(operation);
    }

    private void tellFailed(ReceiveOperation operation, Failure failure) {
        Completion completion = operation.completion;
        told(
                completion,
                completion.fail(
                        failure, operation.contextId, operation.source, operation.tag, 0, operation.elementSize));
    }

    public void sent(Route route, SendOperation operation, Failure failure) {
        if (operation.completion == null) {
            // What the JVM throws late may have left it in two lists.
            return;
        }
        boolean isRead = failure != null && operation.started && mayBeRead(route, failure);
        if (isRead) {
            operation.alsoRead = readByPeers;
            readByPeers = operation;
        }
        if (!isRead) {
            operation.giveBack(route.abilities().reading);
            doAfterwards(operation);
        }
        tellSent(operation, failure);
        if (isRead) {
            operation.completion = null;
        } else {
            route.recycle(operation);
        }
    }

    private static void doAfterwards(SendOperation operation) {
        Runnable afterwards = operation.afterwards;
        if (afterwards != null) {
            operation.afterwards = null;
            afterwards.run();
        }
    }

    private void tellSent(SendOperation operation, Failure failure) {
        Completion completion = operation.completion;
        boolean callback = failure == null
                ? completion.succeed(operation.contextId, rank, operation.tag, operation.bytes, operation.elementSize)
                : completion.fail(failure, operation.contextId, rank, operation.tag, 0, operation.elementSize);
        if (failure != null && completion.isPeekable()) {
            completed.unheard().add(failure);
        }
        told(completion, callback);
    }

    /**
     * What is over, each once, also where one throws and whoever ends the device comes here again.
     *
     * @param failure why, or null where they went
     */
    public void sent(Route[] routes, List<SendOperation> over, Failure failure) {
        for (int i = 0; i < over.size(); i++) {
            SendOperation operation = over.set(i, null);
            if (operation != null) {
                sent(routes[operation.peer], operation, failure);
            }
        }
        over.clear();
    }

    /**
     * A peer that was told where the bytes are may read them until it answers, closes or its process dies: memory that
     * could be freed stays held.
     */
    private static boolean mayBeRead(Route route, Failure failure) {
        return switch (failure.code()) {
            case PEER_CLOSED -> false;
            // An adapter reads no more once it is disconnected, and no lease is of memory on another node.
            case PEER_DEAD -> failure.readsOn() && route.locality() != Locality.REMOTE;
            default -> true;
        };
    }

    /**
     * Sends a control packet. One that finds no room goes on although no call of the program may follow: its peer waits
     * for it.
     */
    public void control(Route route, int kind, long first, long second, long third, int bytes) {
        control(route, kind, first, second, third, 0, 0, bytes);
    }

    public void control(
            Route route, int kind, long first, long second, long third, long fourth, long fifth, int bytes) {
        if (isHolding
                && (kind == PacketKind.RNDV_END || kind == PacketKind.RNDV_REPLY)
                && route.abilities().coalescing != null) {
            if (!route.sendControl(false, kind, first, second, third, fourth, fifth, bytes)
                    && held.peekLast() != route) {
                held.add(route);
            }
        } else if (!route.sendControl(true, kind, first, second, third, fourth, fifth, bytes)) {
            engine.controlsWait();
        }
    }

    /** Whether answers wait from now on, until {@link #nextHeld} has told of all. */
    public void hold(boolean on) {
        isHolding = on;
    }

    /** A route with answers that wait, once; null when there is none. */
    public Route nextHeld() {
        return held.poll();
    }

    /** Control packets found no room: they go on although nobody may call. */
    public void controlsWait() {
        engine.controlsWait();
    }

    public void told(Completion completion, boolean callback) {
        calledBack(completion, callback);
        completed.add(completion);
    }

    /** Of what no peek shows. */
    public void calledBack(Completion completion, boolean callback) {
        if (callback) {
            engine.callLater(completion);
        }
    }

    public CompletedRequests completed() {
        return completed;
    }
}
