package org.sluice.hybrid.progress;

import java.util.ArrayList;
import java.util.List;
import org.sluice.hybrid.request.AnyOf;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Goal;

/**
 * Which threads wait, for what and since when, where somebody wants to know: else a wait costs one look at a field.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: {@code WaitLogTest}.
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

        private Wait() {
        }

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

    /** Takes part in waits, on the threads that wait. */
    public interface Listener {
        /** @return what {@link #ended} gets; may be null */
        Object began(Goal goal);

        void ended(Object began, Goal goal);
    }

    private final List<Wait> open = new ArrayList<>();
    private Wait free;
    private boolean on;
    private Listener listener;

    /** Waits that begin from now on are logged. */
    public void turnOn() {
        on = true;
    }

    /** As {@link #turnOn}, and somebody hears of each. */
    public void tell(Listener newListener) {
        listener = newListener;
        on = true;
    }

    /** Whatever the listener throws, the wait is not logged. @return null where nobody wants to know, there is nothing to wait for any more, or no memory for that */
    Wait begin(Goal goal) {
        return on && !goal.isReached() ? logged(goal) : null;
    }

    private Wait logged(Goal goal) {
        try {
            Wait wait = free == null ? new Wait() : free;
            free = wait.next;
            wait.next = null;
            wait.thread = Thread.currentThread();
            wait.goal = goal;
            wait.sinceNanos = System.nanoTime();
            wait.began = listener == null ? null : listener.began(goal);
            open.add(wait);
            return wait;
        } catch (OutOfMemoryError e) {
            // Who waits needs none of this.
            return null;
        }
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

    private void tellEnded(Object began, Goal goal) {
        try {
            listener.ended(began, goal);
        } catch (OutOfMemoryError e) {
            // It would take the place of what the wait has brought.
            return;
        }
    }

    public List<Wait> open() {
        return open;
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
        return count;
    }
}
