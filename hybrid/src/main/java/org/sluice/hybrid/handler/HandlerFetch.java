package org.sluice.hybrid.handler;

import org.sluice.device.buffer.MessageMemory;
import org.sluice.hybrid.request.Completion;

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
}
