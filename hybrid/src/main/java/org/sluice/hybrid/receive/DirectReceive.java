package org.sluice.hybrid.receive;

import java.util.function.BooleanSupplier;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Status;
import org.sluice.device.buffer.UserBuffer;
import org.sluice.device.channel.Endpoint;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.operation.ReceiveOperation;
import org.sluice.hybrid.request.Completion;

/**
 * The one receive whose caller polls for it without letting go of the progress lock: where nothing else is posted or
 * waits to be received, the next message is nearly always its own, and goes into its buffer without an operation, a
 * completion, or an entry in a queue. Whatever else comes makes it an ordinary posted receive first, so that the order
 * of matching is the same. Where the source is known, its caller looks there several times for each round that it polls
 * everything.
 *
 * <p><i>Thread</i>: under the progress lock, which its caller holds for as long as it waits. <i>Proof</i>: the device
 * conformance suite, {@code DirectReceiveTest}.
 */
public final class DirectReceive implements BooleanSupplier {
    /** A round of progress costs as much as several of these. */
    private static final int LOOKS = 2;

    private final Delivery delivery;
    private boolean waiting;
    private int contextId;
    private int source;
    private int tag;
    private Object base;
    /** Only where it has no {@link #base}: the buffer itself. */
    private Object directBuffer;

    private long address;
    private long bytes;
    private int elementSize;

    private int messageSource;
    private int messageTag;
    private long messageBytes;
    /** It was posted after all: what tells how that ends. */
    private Completion posted;
    /** For the next time that it has to be posted. */
    private Completion spare;
    /** What it became when it was posted. */
    private ReceiveOperation operation;

    DirectReceive(Delivery delivery) {
        this.delivery = delivery;
    }

    void begin(Object buffer, long offset, long newBytes, int newContextId, int newSource, int newTag) {
        // First: a buffer that was closed meanwhile throws.
        address = UserBuffer.address(buffer, offset, true);
        contextId = newContextId;
        source = newSource;
        tag = newTag;
        base = UserBuffer.base(buffer);
        if (base == null) {
            directBuffer = buffer;
        }
        bytes = newBytes;
        elementSize = UserBuffer.elementSize(buffer);
        posted = null;
        waiting = true;
    }

    /** Looks for its message at its source. */
    private boolean takeOwn() {
        Source from = delivery.sources[source];
        for (int i = 0; i < LOOKS; i++) {
            long taken = from.endpoint.takeEager(contextId, tag, base, address, bytes, elementSize);
            if (taken >= 0) {
                delivery.taken(from, Endpoint.takenBytes(taken));
                took(source, Endpoint.takenTag(taken), Endpoint.takenBytes(taken));
                return true;
            }
            if (taken != Endpoint.NOTHING) {
                break;
            }
        }
        return false;
    }

    boolean isWaiting() {
        return waiting;
    }

    /**
     * Takes a message that is its own, fits as it is, and is whole.
     *
     * @return false for any other: then it is to be posted first
     */
    boolean take(int messageContextId, int from, int withTag, long body, int length) {
        if (messageContextId != contextId
                || (source != from && source != Device.ANY_SOURCE)
                || (tag != withTag && tag != Device.ANY_TAG)
                || length > bytes
                || (length & (elementSize - 1)) != 0) {
            return false;
        }
        Memory.copy(null, body, base, address, length);
        if (delivery.isLost(from)) {
            return false;
        }
        took(from, withTag, length);
        return true;
    }

    private void took(int from, int withTag, int length) {
        messageSource = from;
        messageTag = withTag;
        messageBytes = length;
        end();
    }

    private void end() {
        waiting = false;
        if (base == null) {
            directBuffer = null;
        }
        base = null;
    }

    /** It becomes an ordinary receive. */
    void post(ReceiveOperation newOperation) {
        operation = newOperation;
        posted = spare == null ? Completion.reusable(null) : spare;
        spare = null;
        operation.completion = posted;
        operation.contextId = contextId;
        operation.source = source;
        operation.tag = tag;
        operation.buffer = directBuffer;
        operation.base = base;
        operation.address = address;
        operation.bytes = bytes;
        operation.takenBytes = bytes;
        operation.elementSize = elementSize;
        posted.operation(newOperation);
        end();
    }

    /** What the caller has to wait for, or null when the message is there. */
    Completion takePosted() {
        Completion completion = posted;
        if (completion != null) {
            posted = null;
        }
        return completion;
    }

    /** A completion of {@link #takePosted} that has ended and that nobody looks at any more. */
    public void giveBack(Completion completion) {
        completion.reset();
        spare = completion;
    }

    public void fill(Status status) {
        status.set(messageSource, messageTag, contextId, messageBytes, elementSize, ErrorCode.NONE);
    }

    /** Nothing more to poll for. */
    @Override
    public boolean getAsBoolean() {
        return !waiting || source != Device.ANY_SOURCE && takeOwn();
    }
}
