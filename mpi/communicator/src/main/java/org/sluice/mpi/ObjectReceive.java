package org.sluice.mpi;

import org.sluice.device.Request;
import org.sluice.device.Status;
import org.sluice.device.layer.LayerTaking;

/**
 * An object that is being received ({@link ObjectSpace#ireceive}): a wait for it gives the object.
 *
 * <p>A message that was taken and isn't waited for is received by nobody else, and a synchronous sender of it waits.
 *
 * <p><i>Thread</i>: one at a time. <i>Fails</i>: as {@link ObjectSpace#receive(int, int)}, and with CANCELLED.
 */
public final class ObjectReceive<T> {
    private final ObjectSpace<T> space;
    /** Null of PROC_NULL. */
    private final LayerTaking taking;

    private final Request arrival;
    private boolean isReceived;
    private T value;

    ObjectReceive(ObjectSpace<T> space, LayerTaking taking, Request arrival) {
        this.space = space;
        this.taking = taking;
        this.arrival = arrival;
    }

    /**
     * Completes when the message is there and nobody else's, with its status in bytes: for waits for several requests,
     * tests, futures, and to cancel.
     */
    public Request arrival() {
        return arrival;
    }

    /** Waits for the object, and takes it; null of PROC_NULL. Later calls give the same one. */
    public T waitFor() {
        return waitFor(new Status());
    }

    /** As {@link #waitFor()}; the status gets the message's, in bytes, also where the object is refused. */
    public T waitFor(Status status) {
        arrival.waitFor(status);
        if (!isReceived && taking != null) {
            value = space.receive(taking.message(), status);
            isReceived = true;
        }
        return value;
    }
}
