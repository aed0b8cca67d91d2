package org.sluice.hybrid.handler;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lane as an executor gets it, again and again until one refuses it: an executor that throws may have queued it
 * before, as where it can start no thread. So who claims it has the lane, and what was refused does nothing when it
 * comes out of a queue after all.
 *
 * <p><i>Thread</i>: any; {@link #queue} by who has the lane. <i>Proof</i>: {@code HandlerFailureCases}.
 */
final class HandlerTask implements Runnable {
    /** For good. */
    private static final int REFUSED = -2;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(HandlerTask.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final HandlerTasks tasks;
    private final HandlerLane lane;
    /**
     * Odd while it may be in a queue, another number each time: an executor may throw when others have run it, and it
     * was queued again.
     */
    private int state;

    HandlerTask(HandlerTasks tasks, HandlerLane lane) {
        this.tasks = tasks;
        this.lane = lane;
    }

    /**
     * An executor is about to get it: whoever runs it has the lane.
     *
     * @return what {@link #refuse} is to get where the executor throws
     */
    int queue() {
        int queued = state + 1;
        STATE.setVolatile(this, queued);
        return queued;
    }

    /**
     * @return whether the lane is the caller's again, for which another task is to be made; else somebody runs it, or
     *     has run it
     */
    boolean refuse(int queued) {
        return STATE.compareAndSet(this, queued, REFUSED);
    }

    /** Handles the lane's message, and those behind it that are for the same executor. */
    @Override
    public void run() {
        int queued = (int) STATE.getVolatile(this);
        if ((queued & 1) != 0 && STATE.compareAndSet(this, queued, queued + 1)) {
            tasks.run(lane);
        }
    }
}
