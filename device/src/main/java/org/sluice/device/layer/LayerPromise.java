package org.sluice.device.layer;

import org.sluice.device.ErrorCode;
import org.sluice.device.Request;
import org.sluice.device.Status;

/**
 * A request of the program's that a layer ends: to the device's waits and futures it is as any other.
 *
 * <p><i>Thread</i>: any; it is ended once.
 */
public interface LayerPromise extends Request {
    /** Who cancels it cancels this instead, whose end is to end it; said before the program has it. */
    void cancels(Request request);

    /** Ends it well, with what its status is to say. */
    void succeed(int source, int tag, long bytes, int elementSize);

    /**
     * Ends it badly.
     *
     * @param peer the rank of the device that is the reason, or -1
     */
    void fail(ErrorCode code, int peer, String message, Throwable cause);

    /**
     * As above.
     *
     * @param status what its own is to say all the same, in elements of that many bytes
     */
    void fail(ErrorCode code, int peer, String message, Throwable cause, Status status, int elementSize);
}
