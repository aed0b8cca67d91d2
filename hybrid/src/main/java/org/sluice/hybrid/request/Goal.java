package org.sluice.hybrid.request;

/** What a thread waits for. <i>Thread</i>: {@link #isReached} any, the rest under the progress lock. */
public interface Goal {
    boolean isReached();

    /** The thread parks: it is to be unparked when the goal is reached. */
    void addWaiter(Thread thread);

    void removeWaiter(Thread thread);
}
