package org.sluice.mpi;

import org.sluice.device.ErrorCode;
import org.sluice.device.Message;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;
import org.sluice.device.layer.LayerPromise;
import org.sluice.device.layer.LayerRequest;

/**
 * A receive into items that lie apart, which is over when they are where they belong.
 *
 * <p><i>Thread</i>: begun once; whichever leaves the device ends it.
 */
final class UnpackedReceive {
    private final MessageSpace space;
    private final Flat flat;
    private final int elementBytes;
    /** Of the packed items. */
    private final LayerRequest request;

    private final LayerPromise promise;

    /** @param elementBytes of the program's buffer, in whose elements the status counts */
    UnpackedReceive(MessageSpace space, Flat flat, int elementBytes) {
        this.space = space;
        this.flat = flat;
        this.elementBytes = elementBytes;
        this.request = space.layer.request(over -> unpack());
        this.promise = space.layer.promise(space.context, request::cancel);
    }

    /** @param source a rank of the device, or any */
    Request begin(int source, int tag) {
        if (space.layer.irecv(request, flat.buffer, flat.offset, flat.count, source, tag, space.context)) {
            unpack();
        }
        return promise;
    }

    Request begin(Message message) {
        if (space.layer.irecv(request, message, flat.buffer, flat.offset, flat.count)) {
            unpack();
        }
        return promise;
    }

    private void unpack() {
        Status status = new Status();
        SluiceException failure = null;
        try {
            request.waitFor(status);
        } catch (SluiceException e) {
            failure = e;
        }
        space.rename(status, elementBytes);
        try {
            flat.deliver(Math.min(status.bytes(), flat.bytes()));
        } catch (RuntimeException | Error e) {
            failUnpacking(promise, e, status, elementBytes);
            return;
        }
        if (failure == null) {
            promise.succeed(status.source(), status.tag(), status.bytes(), elementBytes);
        } else {
            promise.fail(failure.code(), failure.peer(), failure.getMessage(), failure, status, elementBytes);
        }
    }

    /** The program has closed the buffer meanwhile, for instance: whoever waits is to hear of it. */
    static void failUnpacking(LayerPromise promise, Throwable cause, Status status, int elementBytes) {
        String message = "what was received can't be unpacked: " + cause.getMessage();
        promise.fail(ErrorCode.BUFFER_LOST, -1, message, cause, status, elementBytes);
    }
}
