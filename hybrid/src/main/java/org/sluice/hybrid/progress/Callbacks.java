package org.sluice.hybrid.progress;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
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
    /** Threads that are telling them. */
    private final List<Thread> servers = new ArrayList<>();

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

    /**
     * Tells all of them. With the lock held; lets go of it while a callback runs, and for good at the end, whatever a callback throws.
     *
     * <p>None is told within another: a callback that calls the device would run the next inside itself, and so on.
     */
    void runAndUnlock(ProgressLock lock) {
        Thread self = Thread.currentThread();
        if (isEmpty() || servers.contains(self)) {
            lock.unlock();
            return;
        }
        servers.add(self);
        try {
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
        } finally {
            servers.remove(self);
            lock.unlock();
        }
    }
}
