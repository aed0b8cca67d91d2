package org.sluice.hybrid.progress;

import java.util.ArrayList;
import java.util.List;
import org.sluice.hybrid.request.Callback;
import org.sluice.hybrid.request.Completion;

/**
 * Completions that somebody wants to be called back for: how many are awaited, and those that ended and are to be told
 * outside the lock. Each has its place among those from when it is wanted: one that ends where there is no memory left
 * would else be told to nobody.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Fails</i>: but for {@link #reserve} and {@link #want} never, see
 * {@link #runAndUnlock}. <i>Proof</i>: {@code CallbacksTest}, {@code ProgressEngineTest}, {@code UnlockTest}.
 */
final class Callbacks {
    private static final int FEW = 16;

    /** A ring, whose length is a power of two. */
    private Completion[] ended = new Completion[FEW];

    private int first;
    private int count;
    /** Those that are awaited, and those that have ended and were not told. */
    private int wanted;

    private final Needs needs;
    private final Duty duty;
    private final WaitLog waits;
    /** Threads that are telling them. */
    private final List<Thread> servers = new ArrayList<>();

    Callbacks(Needs needs, Duty duty, WaitLog waits) {
        this.needs = needs;
        this.duty = duty;
        this.waits = waits;
    }

    /** Has a place for one that will be wanted: for who can't go back any more when it is. */
    void reserve() {
        if (wanted == ended.length) {
            Completion[] larger = new Completion[2 * ended.length];
            for (int i = 0; i < count; i++) {
                larger[i] = ended[first + i & ended.length - 1];
            }
            ended = larger;
            first = 0;
        }
    }

    void want() {
        reserve();
        wanted++;
        needs.add();
    }

    /** One that was wanted. */
    void add(Completion completion) {
        ended[first + count++ & ended.length - 1] = completion;
        waits.over(completion);
    }

    /** Whether somebody is still to be called. */
    boolean areWanted() {
        return wanted > 0;
    }

    boolean isEmpty() {
        return count == 0;
    }

    private Completion poll() {
        Completion completion = ended[first];
        ended[first] = null;
        first = first + 1 & ended.length - 1;
        count--;
        wanted--;
        return completion;
    }

    /**
     * Tells all of them. With the lock held; lets go of it while a callback runs, and for good at the end. Throws
     * nothing.
     *
     * <p>None is told within another: a callback that calls the device would run the next inside itself, and so on.
     */
    void runAndUnlock(ProgressLock lock) {
        Thread self = Thread.currentThread();
        if (isEmpty() || servers.contains(self) || !serves(self)) {
            lock.unlock();
            return;
        }
        while (!isEmpty()) {
            Completion completion = poll();
            needs.remove();
            Callback callback = completion.callback();
            lock.unlock();
            InternalError lost = Callback.tell(callback, completion);
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
}
