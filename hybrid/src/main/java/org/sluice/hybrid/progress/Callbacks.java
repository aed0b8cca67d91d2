package org.sluice.hybrid.progress;

import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import org.sluice.device.Status;
import org.sluice.hybrid.request.Completion;

/**
 * Completions that somebody wants to be called back for: how many are awaited, and those that ended and are to be told outside the lock.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: {@code ProgressEngineTest}.
 */
final class Callbacks {
    private final ArrayDeque<Completion> ended = new ArrayDeque<>();
    private final Needs needs;

    Callbacks(Needs needs) {
        this.needs = needs;
    }

    void want() {
        needs.add();
    }

    void add(Completion completion) {
        ended.add(completion);
    }

    boolean isEmpty() {
        return ended.isEmpty();
    }

    /** Tells all of them. With the lock held; lets go of it while a callback runs, and for good at the end. */
    void runAndUnlock(ProgressLock lock) {
        while (!ended.isEmpty()) {
            Completion completion = ended.poll();
            needs.remove();
            CompletableFuture<Status> future = completion.attached();
            lock.unlock();
            try {
                completion.runCallback(future);
            } finally {
                lock.lock();
            }
        }
        lock.unlock();
    }
}
