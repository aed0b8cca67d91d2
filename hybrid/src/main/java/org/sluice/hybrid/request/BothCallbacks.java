package org.sluice.hybrid.request;

import java.util.function.UnaryOperator;

/** Two who are told of the end of one request. */
final class BothCallbacks implements Callback {
    private Callback first;
    private Callback second;

    BothCallbacks(Callback first, Callback second) {
        this.first = first;
        this.second = second;
    }

    /** Each of those that a callback consists of, the last that was attached first, is replaced by what this makes of it. @param callback may be null */
    static Callback replaced(Callback callback, UnaryOperator<Callback> by) {
        if (!(callback instanceof BothCallbacks)) {
            return callback == null ? null : by.apply(callback);
        }
        BothCallbacks both = (BothCallbacks) callback;
        both.second = by.apply(both.second);
        while (both.first instanceof BothCallbacks) {
            both = (BothCallbacks) both.first;
            both.second = by.apply(both.second);
        }
        both.first = by.apply(both.first);
        return callback;
    }

    @Override
    public boolean tellsLast(Callback asking) {
        return second.tellsLast(asking);
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
