package org.sluice.hybrid.progress;

import org.sluice.hybrid.request.Callback;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.RequestFuture;

/**
 * A wait that no thread is at: of a coroutine that is suspended, or of a future. It stands where who is told of the end
 * would, so that the end finds it without a search.
 *
 * <p><i>Thread</i>: under the progress lock, but for what it is told as a callback. <i>Proof</i>:
 * {@code PendingWaitTest}, {@code SuspendedWaitsTest}.
 */
public final class PendingWait implements Callback {
    private final WaitLog log;
    private final Callback told;
    private final long sinceNanos = System.nanoTime();
    /** What a listener has of it. */
    Object began;
    /** The one that began before it. */
    PendingWait older;

    PendingWait newer;

    PendingWait(WaitLog log, Callback told, Object began) {
        this.log = log;
        this.told = told;
        this.began = began;
    }

    public long sinceNanos() {
        return sinceNanos;
    }

    /**
     * The kind of who waits, in a word.
     *
     * @param callback of a request
     */
    public static String kind(Callback callback) {
        Callback told = callback instanceof PendingWait ? ((PendingWait) callback).told : callback;
        return told instanceof RequestFuture ? "future" : "coroutine";
    }

    /** The listener comes first, as a program's code that goes on here takes as long as it likes. */
    @Override
    public void ended(Completion completion) {
        Object listened = began;
        began = null;
        try {
            if (listened != null && told.isWaiting()) {
                log.tellEnded(listened, completion);
            }
        } finally {
            told.ended(completion);
        }
    }

    @Override
    public void failed(Throwable cause) {
        told.failed(cause);
    }

    @Override
    public boolean isWaiting() {
        return told.isWaiting();
    }

    @Override
    public boolean tellsLast(Callback asking) {
        return told.tellsLast(asking);
    }
}
