package org.sluice.hybrid.progress;

import org.sluice.hybrid.request.Goal;

/** Hears of threads that have been parked for long in a wait without a limit. */
public interface LongParks {
    /** It wants to hear no more of this wait. */
    long ENOUGH = 0;

    /** How long a thread is parked before {@link #parked} is called. */
    long firstNanos();

    /**
     * On the thread that waits, without the lock.
     *
     * @return how many nanoseconds more it is to be parked before this is called again, or {@link #ENOUGH}
     */
    long parked(Goal goal, long nanos);
}
