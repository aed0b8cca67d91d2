package org.sluice.hybrid.protocol;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lane as an executor gets it, again and again until one refuses it: an executor that throws may have queued it before, as where it can start no thread. So who claims it has the lane,
 * and what was refused does nothing when it comes out of a queue after all.
 *
 * <p><i>Thread</i>: any; {@link #queue} by who has the lane. <i>Proof</i>: {@code HandlerFailureCases}.
 */
final class HandlerTask implements Runnable {
    private static final int RUNNING = 0;
    private static final int QUEUED = 1;
    private static final int REFUSED = 2;
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
    private int state;

    HandlerTask(HandlerTasks tasks, HandlerLane lane) {
        this.tasks = tasks;
        this.lane = lane;
    }

    /** An executor is about to get it: whoever runs it has the lane. */
    void queue() {
        STATE.setVolatile(this, QUEUED);
    }

    /** @return whether the lane is the caller's again, for which another task is to be made; else somebody runs it, or has run it */
    boolean refuse() {
        return STATE.compareAndSet(this, QUEUED, REFUSED);
    }

    /** Handles the lane's message, and those behind it that are for the same executor. */
    @Override
    public void run() {
        if (STATE.compareAndSet(this, QUEUED, RUNNING)) {
            tasks.run(lane);
        }
    }
}
