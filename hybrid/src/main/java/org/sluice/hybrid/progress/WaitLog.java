package org.sluice.hybrid.progress;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.sluice.hybrid.request.AnyOf;
import org.sluice.hybrid.request.Callback;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Goal;

/**
 * Which threads, coroutines and futures wait, for what and since when, where somebody wants to know: else a wait costs
 * one look at a field.
 *
 * <p>A pending wait is made in the hold of the lock in which its completion, which is not done, gets it as its
 * callback; and whatever ends a completion that has one, be it a message, a cancel, a failure or a close, passes
 * {@link Callbacks#add} once under that lock. So each is in the log exactly as long as its request is on its way, and
 * leaves without a search.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: {@code WaitLogTest}, {@code PendingWaitTest},
 * {@code SuspendedWaitsTest}.
 */
public final class WaitLog {
    /** One wait. Used again when it is over, so that waits allocate nothing. */
    public static final class Wait {
        private Thread thread;
        private Goal goal;
        private long sinceNanos;
        private boolean counted;
        private Object began;
        /** Among those that are over. */
        private Wait next;

        private Wait() {}

        public Thread thread() {
            return thread;
        }

        public long sinceNanos() {
            return sinceNanos;
        }

        public boolean isFor(Completion completion) {
            return goal == completion || goal instanceof AnyOf && ((AnyOf) goal).has(completion);
        }
    }

    /**
     * Takes part in waits: on the threads that wait or, where none does, on those that begin and that tell of the end,
     * the latter without the lock.
     */
    public interface Listener {
        /**
         * @param waiter a thread, coroutine or future
         * @return what {@link #ended} gets; may be null
         */
        Object began(Goal goal, String waiter);

        void ended(Object began, Goal goal);
    }

    private final List<Wait> open = new ArrayList<>();
    private Wait free;
    private boolean on;
    /** Not for the listener alone. */
    private boolean isKept;

    private Listener listener;
    /** Of the pending waits, which know those beside them. */
    private PendingWait newest;
    /** The oldest that {@link #countNewLongerThan} has not counted; all that came later have not been either. */
    private PendingWait uncounted;

    private int pending;
    /** Made with the first pending wait, as an opening loads no lambda, and an end allocates none. */
    private UnaryOperator<Callback> remover;

    /** Waits that begin from now on are logged. */
    public void turnOn() {
        on = true;
        isKept = true;
    }

    /** As {@link #turnOn}, and somebody hears of each. */
    public void tell(Listener newListener) {
        listener = newListener;
        on = true;
    }

    /** @return null where nobody wants to know, or there is nothing to wait for any more */
    Wait begin(Goal goal) {
        return on && !goal.isReached() ? logged(goal) : null;
    }

    private Wait logged(Goal goal) {
        Wait wait = free == null ? new Wait() : free;
        free = wait.next;
        wait.next = null;
        wait.thread = Thread.currentThread();
        wait.goal = goal;
        wait.sinceNanos = System.nanoTime();
        wait.began = listener == null ? null : listener.began(goal, "thread");
        open.add(wait);
        return wait;
    }

    /** @param wait what {@link #begin} returned */
    void end(Wait wait) {
        if (wait == null) {
            return;
        }
        open.remove(wait);
        Object began = wait.began;
        Goal goal = wait.goal;
        wait.began = null;
        wait.thread = null;
        wait.goal = null;
        wait.counted = false;
        wait.next = free;
        free = wait;
        if (began != null) {
            tellEnded(began, goal);
        }
    }

    /** Of any thread; see {@link PendingWait#ended}. */
    void tellEnded(Object began, Goal goal) {
        listener.ended(began, goal);
    }

    public List<Wait> open() {
        return open;
    }

    /**
     * Before somebody is attached to a completion that is not done, to be told of its end: a wait without a thread.
     *
     * @return whom to attach, and where that is another to give to {@link #attached} then
     */
    public Callback begin(Completion completion, Callback told) {
        return on ? logged(completion, told) : told;
    }

    private Callback logged(Completion completion, Callback told) {
        remover = remover == null ? this::removed : remover;
        Object began = listener == null ? null : listener.began(completion, PendingWait.kind(told));
        return began != null || isKept ? new PendingWait(this, told, began) : told;
    }

    /** @param callback what {@link #begin} returned for a completion, which has it now */
    public void attached(Callback callback) {
        PendingWait wait = (PendingWait) callback;
        wait.older = newest;
        if (newest != null) {
            newest.newer = wait;
        }
        newest = wait;
        uncounted = uncounted == null ? wait : uncounted;
        pending++;
    }

    /** The listener has come when somebody waited already: is told of it as of one that begins now. */
    public void adopt(Completion completion) {
        if (!completion.isReached()) {
            completion.replaceCallbacks(callback -> adopted(completion, callback));
        }
    }

    private Callback adopted(Completion completion, Callback callback) {
        if (callback instanceof PendingWait) {
            PendingWait wait = (PendingWait) callback;
            wait.began = wait.began == null ? listener.began(completion, PendingWait.kind(wait)) : wait.began;
            return wait;
        }
        Callback logged = logged(completion, callback);
        if (logged != callback) {
            attached(logged);
        }
        return logged;
    }

    /** A completion that somebody is told of has ended. Neither allocates nor throws. */
    void over(Completion completion) {
        if (pending != 0) {
            completion.replaceCallbacks(remover);
        }
    }

    private Callback removed(Callback callback) {
        if (callback instanceof PendingWait) {
            remove((PendingWait) callback);
        }
        return callback;
    }

    private void remove(PendingWait wait) {
        if (wait.older != null) {
            wait.older.newer = wait.newer;
        }
        if (wait.newer == null) {
            newest = wait.older;
        } else {
            wait.newer.older = wait.older;
        }
        uncounted = uncounted == wait ? wait.newer : uncounted;
        wait.older = null;
        wait.newer = null;
        pending--;
    }

    /** How many wait without a thread, of those that are logged. */
    public int pending() {
        return pending;
    }

    /** @return how many have waited for longer than this and were not counted before */
    public int countNewLongerThan(long nanos) {
        long now = System.nanoTime();
        int count = 0;
        for (Wait wait : open) {
            if (!wait.counted && now - wait.sinceNanos > nanos) {
                wait.counted = true;
                count++;
            }
        }
        for (; uncounted != null && now - uncounted.sinceNanos() > nanos; uncounted = uncounted.newer) {
            count += uncounted.isWaiting() ? 1 : 0;
        }
        return count;
    }
}
