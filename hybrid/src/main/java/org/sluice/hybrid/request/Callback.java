package org.sluice.hybrid.request;

/**
 * Who is told, outside all locks, that a request has ended. <i>Thread</i>: whichever leaves the device when it is due,
 * see {@link org.sluice.device.Request#toFuture()}: it must neither block nor take long.
 */
public interface Callback {
    /** Once, when the request is done. */
    void ended(Completion completion);

    /** {@link #ended} threw this: whoever waits is to learn of it, where that is not too late. Throws nothing. */
    void failed(Throwable cause);

    /**
     * Never throws: who unlocks would take it for its own failure, and unlock once more what is somebody else's by
     * then.
     *
     * @return that the stack ended before it was told; or null
     */
    static StackOverflowError tell(Callback callback, Completion completion) {
        try {
            callback.ended(completion);
            return null;
        } catch (Throwable e) {
            return toldOf(callback, e);
        }
    }

    private static StackOverflowError toldOf(Callback callback, Throwable cause) {
        try {
            callback.failed(cause);
        } catch (Throwable e) {
            // It has promised not to; and nobody is left to be told.
            return lost(callback, cause);
        }
        return lost(callback, cause);
    }

    private static StackOverflowError lost(Callback callback, Throwable cause) {
        return cause instanceof StackOverflowError && callback.isWaiting() ? (StackOverflowError) cause : null;
    }

    /** Whether it still matters when the request ends: a program may complete or cancel a future itself. */
    default boolean isWaiting() {
        return true;
    }

    /** Whether this tells it and, where it tells several, the others before. */
    default boolean tellsLast(Callback asking) {
        return this == asking;
    }
}
