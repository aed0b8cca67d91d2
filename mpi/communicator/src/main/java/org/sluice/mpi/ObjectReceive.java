package org.sluice.mpi;

import org.sluice.device.ErrorCode;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;
import org.sluice.device.layer.LayerPromise;
import org.sluice.device.layer.LayerRequest;
import org.sluice.device.layer.LayerTaking;

/**
 * An object that is being received ({@link ObjectSpace#ireceive}): a wait for it gives the object. Its bytes come while
 * this rank waits for something else, so that no sender waits for that wait.
 *
 * <p><i>Thread</i>: one at a time; whichever leaves the device goes on with it. <i>Fails</i>: as
 * {@link ObjectSpace#receive(int, int)}, and with CANCELLED.
 */
public final class ObjectReceive<T> {
    private final ObjectSpace<T> space;
    private final MessageSpace messages;
    /** Null of PROC_NULL. */
    private final LayerTaking taking;

    private final LayerRequest receiving;
    private final LayerPromise promise;
    private final Request arrival;

    /** Written before {@link #promise} is over, as the next. */
    private byte[] bytes;
    /** Why the object isn't taken; the message is consumed then. */
    private Throwable refusal;

    private boolean isDecoded;
    private T value;

    /** @param taking null of PROC_NULL */
    ObjectReceive(ObjectSpace<T> space, MessageSpace messages, LayerTaking taking) {
        this.space = space;
        this.messages = messages;
        this.taking = taking;
        if (taking == null) {
            this.receiving = null;
            this.promise = null;
            this.arrival = messages.nobody();
        } else {
            this.receiving = messages.layer.request(over -> received());
            this.promise = messages.layer.promise(messages.context, taking::cancel);
            this.arrival = promise;
        }
    }

    ObjectReceive<T> begin() {
        if (taking != null && !messages.layer.listen(taking, this::taken)) {
            taken();
        }
        return this;
    }

    /** The message is this one's, or none will be. */
    private void taken() {
        Status status = new Status();
        try {
            taking.waitFor(status);
            try {
                bytes = space.room(status);
            } catch (RuntimeException | OutOfMemoryError e) {
                refusal = e;
                bytes = new byte[0];
            }
            if (messages.layer.irecv(receiving, taking.message(), bytes, 0, bytes.length)) {
                received();
            }
        } catch (SluiceException e) {
            promise.fail(e.code(), e.peer(), e.getMessage(), e, status, 1);
        }
    }

    private void received() {
        Status status = new Status();
        SluiceException failure = null;
        try {
            receiving.waitFor(status);
        } catch (SluiceException e) {
            failure = refusal != null && e.code() == ErrorCode.TRUNCATED ? null : e;
        }
        messages.rename(status, 1);
        if (failure == null) {
            promise.succeed(status.source(), status.tag(), status.bytes(), 1);
        } else {
            promise.fail(failure.code(), failure.peer(), failure.getMessage(), failure, status, 1);
        }
    }

    /**
     * Completes when the message has come, with its status in bytes: for waits for several requests, tests, futures,
     * and to cancel.
     */
    public Request arrival() {
        return arrival;
    }

    /** Waits for the object; null of PROC_NULL. Later calls give the same one. */
    public T waitFor() {
        return waitFor(new Status());
    }

    /** As {@link #waitFor()}; the status gets the message's, in bytes, also where the object is refused. */
    public T waitFor(Status status) {
        arrival.waitFor(status);
        if (!isDecoded && taking != null) {
            value = space.decoded(bytes, refusal, status.source());
            isDecoded = true;
            bytes = null;
        }
        return value;
    }
}
