package xdev.mxdev;

import mpjdev.Request;
import mpjdev.Status;
import org.sluice.device.SluiceException;
import xdev.XDevException;

/**
 * A send or receive that MPJ Express waits for. Its handlers run once, in the thread that waits first.
 *
 * <p><i>Thread</i>: any.
 */
abstract class Pending extends Request {
    final Wire wire;
    final Status status;
    final int tag;

    /** Neighbours in {@link OpenRequests}, and under its lock. */
    Pending previous;

    Pending next;
    boolean isListed;

    private boolean isComplete;

    Pending(Wire wire, Status status, int tag) {
        this.wire = wire;
        this.status = status;
        this.tag = tag;
    }

    /** What the device knows it by. */
    abstract org.sluice.device.Request request();

    /** The request has ended well: fills in the status. */
    abstract void ended(org.sluice.device.Status of);

    /** What a wait throws where the request has ended badly. */
    XDevException failure(SluiceException cause) {
        return Wire.failure(cause);
    }

    final Pending begun() {
        wire.open.add(this);
        return this;
    }

    @Override
    public final Status iwait() {
        org.sluice.device.Status of = new org.sluice.device.Status();
        try {
            request().waitFor(of);
        } catch (SluiceException e) {
            throw failure(e);
        } finally {
            wire.open.remove(this);
        }
        return completed(of);
    }

    private synchronized Status completed(org.sluice.device.Status of) {
        if (!isComplete) {
            isComplete = true;
            ended(of);
            complete(status);
        }
        return status;
    }

    /** A status if it is over, well or badly: {@link #iwait} is called then, and tells. Null if it isn't. */
    @Override
    public final Status itest() {
        if (!request().isDone()) {
            return null;
        }
        synchronized (this) {
            return isComplete ? status : Wire.status(tag);
        }
    }

    @Override
    public final void free() {
        wire.open.remove(this);
    }

    @Override
    public final boolean isnull() {
        return false;
    }
}
