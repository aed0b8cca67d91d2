package org.sluice.hybrid.device;

import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Waiting;

/**
 * Completions for blocking calls, used again and again; as many as there were such calls at once. <i>Thread</i>: under
 * the progress lock.
 *
 * <p>Those below {@code kept} are free, and stay in the array when taken, so that taking and giving back stores no
 * reference.
 */
final class CompletionPool {
    private static final int POOLED = 256;

    private final Waiting waiting;
    private final Completion[] completions = new Completion[POOLED];
    private int kept;

    CompletionPool(Waiting waiting) {
        this.waiting = waiting;
    }

    Completion take() {
        return kept == 0 ? Completion.reusable(waiting) : completions[--kept];
    }

    /** A call is over; nobody looks at its completion any more. */
    void giveBack(Completion completion) {
        completion.reset();
        if (kept < POOLED) {
            if (completions[kept] != completion) {
                completions[kept] = completion;
            }
            kept++;
        }
    }
}
