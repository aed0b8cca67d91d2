package org.sluice.hybrid.protocol;

import org.sluice.device.buffer.MessageMemory;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;

/**
 * A message for a handler that could not be read where it lay, on its way into memory of this device. Used again.
 * <i>Thread</i>: under the progress lock.
 */
final class HandlerFetch {
    final Completion completion = Completion.reusable(null);
    int id;
    long bytes;
    /** Null where there was none to be had. */
    MessageMemory memory;
    /** Why there was none. */
    Throwable problem;

    boolean isOver() {
        return completion.isReached();
    }

    /** Tells the lane whose turn it has what came of it. */
    void tell(HandlerLane lane) {
        Failure failure = completion.failure();
        if (problem != null) {
            lane.cannot("found no memory", problem);
        } else if (failure != null) {
            lane.cannot("could not be called", failure.toException(null));
        } else {
            lane.view.begin(lane.source, id, bytes, memory, memory.address(), false);
        }
    }
}
