package org.sluice.hybrid.progress;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.sluice.hybrid.request.Callback;
import org.sluice.hybrid.request.Completion;

/**
 * Completions that somebody wants to be called back for: how many are awaited, and those that ended and are to be told outside the lock.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Fails</i>: never, see {@link #runAndUnlock}.
 * <i>Proof</i>: {@code ProgressEngineTest}, {@code UnlockTest}.
 */
final class Callbacks {
    private final ArrayDeque<Completion> ended = new ArrayDeque<>();
    private final Needs needs;
    private final Duty duty;
    /** Threads that are telling them. */
    private final List<Thread> servers = new ArrayList<>();

    Callbacks(Needs needs, Duty duty) {
        this.needs = needs;
        this.duty = duty;
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
     * Tells all of them. With the lock held; lets go of it while a callback runs, and for good at the end. Throws nothing.
     *
     * <p>None is told within another: a callback that calls the device would run the next inside itself, and so on.
     */
    void runAndUnlock(ProgressLock lock) {
        Thread self = Thread.currentThread();
        if (isEmpty() || servers.contains(self) || !serves(self)) {
            lock.unlock();
            return;
        }
        while (!ended.isEmpty()) {
            Completion completion = ended.poll();
            needs.remove();
            Callback callback = completion.callback();
            lock.unlock();
            InternalError lost = tell(completion, callback);
            lock.lock();
            if (lost != null) {
                duty.fail(lost);
            }
        }
        servers.remove(self);
        lock.unlock();
    }

    /** @return false where there is no memory for that: they wait for the next who unlocks */
    private boolean serves(Thread thread) {
        try {
            return servers.add(thread);
        } catch (OutOfMemoryError e) {
            return false;
        }
    }

    /**
     * Never throws: who unlocks would take it for its own failure, and unlock once more what is somebody else's by then.
     *
     * @return that a page which an earlier round touched was gone, and the JVM said so only here; or null
     */
    private static InternalError tell(Completion completion, Callback callback) {
        try {
            callback.ended(completion);
            return null;
        } catch (Throwable e) {
            callback.failed(e);
            return e instanceof InternalError ? (InternalError) e : null;
        }
    }
}
