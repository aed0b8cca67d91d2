package org.sluice.hybrid.request;

import java.util.concurrent.CompletableFuture;
import org.sluice.device.Status;

/** What requests need of the device that made them. <i>Thread</i>: any. */
public interface Waiting {
    long FOREVER = Long.MAX_VALUE;

    /**
     * Blocks until the goal is reached.
     *
     * @param deadlineNanos in terms of System.nanoTime, or FOREVER
     * @return false when the deadline came first
     */
    boolean await(Goal goal, long deadlineNanos);

    /** When so much time is up; a negative one is none. */
    static long deadline(long timeoutNanos) {
        return System.nanoTime() + Math.max(0, Math.min(timeoutNanos, Long.MAX_VALUE >> 2));
    }

    static boolean isPast(long deadlineNanos) {
        return deadlineNanos != FOREVER && System.nanoTime() - deadlineNanos >= 0;
    }

    /** One round of progress, if nobody else is at it. True when something moved. */
    boolean progressOnce();

    /** As {@link #progressOnce}, for who asks whether this is over; which it is where its device has ended. */
    default void progressFor(Completion completion) {
        progressOnce();
    }

    /** Withdraws the receive behind this completion; false when it is too late or no receive. */
    boolean cancel(Completion completion);

    /** The future of a request, the same at each call: progress is made although nobody waits. */
    CompletableFuture<Status> futureOf(Completion completion);
}
