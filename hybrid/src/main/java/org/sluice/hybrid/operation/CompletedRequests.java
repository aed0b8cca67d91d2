package org.sluice.hybrid.operation;

import java.util.ArrayDeque;
import org.sluice.hybrid.request.Completion;

/**
 * Requests that completed and that Device.peek may still return. Those whose result the program got another way go out
 * now and then, so that a program which seldom peeks keeps what it has not looked at, and not twice as much more.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: {@code CompletedRequestsTest}.
 */
public final class CompletedRequests {
    private static final int SMALLEST_SWEEP = 64;

    private final boolean kept;
    private final ArrayDeque<Completion> requests = new ArrayDeque<>();
    private final UnheardSends unheard = new UnheardSends();
    /** Twice what the last sweep left, so that sweeping costs each request a constant. */
    private int sweepAt = SMALLEST_SWEEP;

    /** @param kept whether the program asked for them: keeping them has a cost */
    CompletedRequests(boolean kept) {
        this.kept = kept;
    }

    /** Which are told of when the device closes. */
    public UnheardSends unheard() {
        return unheard;
    }

    /** Any thread. */
    public boolean areKept() {
        return kept;
    }

    public void add(Completion completion) {
        if (!kept || !completion.isPeekable()) {
            return;
        }
        if (requests.size() >= sweepAt) {
            requests.removeIf(request -> !request.isPeekable());
            sweepAt = Math.max(SMALLEST_SWEEP, 2 * requests.size());
        }
        requests.add(completion);
    }

    /** The one that completed first, or null; not returned again. */
    public Completion poll() {
        if (!kept) {
            throw new IllegalStateException(
                    "Device.peek needs the option sluice.peek=on: keeping completed requests has a cost");
        }
        Completion completion;
        do {
            completion = requests.poll();
        } while (completion != null && !completion.isPeekable());
        return completion;
    }

    int size() {
        return requests.size();
    }
}
