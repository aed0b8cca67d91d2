package org.sluice.hybrid.request;

/**
 * Who is told, outside all locks, that a request has ended. <i>Thread</i>: whichever leaves the device when it is due, see
 * {@link org.sluice.device.Request#toFuture()}: it must neither block nor take long.
 */
public interface Callback {
    /** Once, when the request is done. */
    void ended(Completion completion);

    /** {@link #ended} threw this: whoever waits is to learn of it, where that is not too late. Throws nothing. */
    void failed(Throwable cause);

    /** Whether this tells it and, where it tells several, the others before. */
    default boolean tellsLast(Callback asking) {
        return this == asking;
    }
}
