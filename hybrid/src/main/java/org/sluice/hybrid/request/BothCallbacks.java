package org.sluice.hybrid.request;

/** Two who are told of the end of one request. */
final class BothCallbacks implements Callback {
    private final Callback first;
    private final Callback second;

    BothCallbacks(Callback first, Callback second) {
        this.first = first;
        this.second = second;
    }

    /** Whether all others are told before. */
    boolean isLast(Callback callback) {
        return second == callback;
    }

    /** What the first throws doesn't keep it from the second. */
    @Override
    public void ended(Completion completion) {
        try {
            first.ended(completion);
        } finally {
            second.ended(completion);
        }
    }

    @Override
    public void failed(Throwable cause) {
        first.failed(cause);
        second.failed(cause);
    }
}
