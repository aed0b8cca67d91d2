package org.sluice.hybrid.request;

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

    static boolean isPast(long deadlineNanos) {
        return deadlineNanos != FOREVER && System.nanoTime() - deadlineNanos >= 0;
    }

    /** One round of progress, if nobody else is at it. True when something moved. */
    boolean progressOnce();

    /** Withdraws the receive behind this completion; false when it is too late or no receive. */
    boolean cancel(Completion completion);

    /** Somebody wants to be called back: progress must be made although nobody waits. */
    void callbackWanted(Completion completion);
}
