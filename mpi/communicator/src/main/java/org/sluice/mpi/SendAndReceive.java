package org.sluice.mpi;

import java.util.concurrent.atomic.AtomicInteger;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;
import org.sluice.device.layer.LayerPromise;
import org.sluice.device.layer.LayerRequest;

/**
 * A send and a receive as one request, which is over once both are; what it tells is the receive's, or why the send
 * failed.
 *
 * <p><i>Thread</i>: begun once; whichever leaves the device ends each half, and the second one the request.
 */
final class SendAndReceive {
    private final MessageSpace space;
    private final Flat in;
    private final int elementBytes;
    private final LayerRequest sending;
    private final LayerRequest receiving;
    private final LayerPromise promise;
    private final AtomicInteger left = new AtomicInteger(2);
    private final Status status = new Status();
    /** Written before {@link #left} is counted down, by whoever ends that half. */
    private SluiceException sendFailure;

    private SluiceException receiveFailure;
    private Throwable unpackFailure;

    SendAndReceive(MessageSpace space, Flat in, int elementBytes) {
        this.space = space;
        this.in = in;
        this.elementBytes = elementBytes;
        this.sending = space.layer.request(over -> sent());
        this.receiving = space.layer.request(over -> received());
        this.promise = space.layer.promise(space.context, () -> false);
    }

    /** Both ends were checked; they are ranks of the device, or PROC_NULL. */
    Request begin(Flat out, int dest, int sendTag, int source, int receiveTag) {
        if (dest == MessageSpace.PROC_NULL) {
            overHalf();
        } else if (space.layer.isend(sending, out.buffer, out.offset, out.count, dest, sendTag, space.context)) {
            sent();
        }
        if (source == MessageSpace.PROC_NULL) {
            space.ofNobody(status);
            overHalf();
        } else if (space.layer.irecv(receiving, in.buffer, in.offset, in.count, source, receiveTag, space.context)) {
            received();
        }
        return promise;
    }

    private void sent() {
        try {
            sending.waitFor(new Status());
        } catch (SluiceException e) {
            sendFailure = e;
        }
        overHalf();
    }

    private void received() {
        try {
            receiving.waitFor(status);
        } catch (SluiceException e) {
            receiveFailure = e;
        }
        space.rename(status, elementBytes);
        try {
            in.deliver(Math.min(status.bytes(), in.bytes()));
        } catch (RuntimeException | Error e) {
            unpackFailure = e;
        }
        overHalf();
    }

    private void overHalf() {
        if (left.decrementAndGet() > 0) {
            return;
        }
        SluiceException failure = receiveFailure == null ? sendFailure : receiveFailure;
        if (unpackFailure != null) {
            UnpackedReceive.failUnpacking(promise, unpackFailure, status, elementBytes);
        } else if (failure != null) {
            promise.fail(failure.code(), failure.peer(), failure.getMessage(), failure, status, elementBytes);
        } else {
            promise.succeed(status.source(), status.tag(), status.bytes(), elementBytes);
        }
    }
}
