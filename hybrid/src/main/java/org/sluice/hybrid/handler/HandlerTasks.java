package org.sluice.hybrid.handler;

import java.util.concurrent.Executor;
import org.sluice.device.Lease;

/**
 * Handlers on executors: each lane is a task that runs as long as its messages are for the same executor.
 *
 * <p><i>Thread</i>: any, without the progress lock. <i>Fails</i>: what an executor throws is told. <i>Proof</i>:
 * {@code HandlerCases}.
 */
final class HandlerTasks {
    /** Says whether a task's next message has its turn. <i>Thread</i>: any, without the progress lock. */
    interface Turns {
        /** An executor may take its time, and the device have been closed. */
        boolean mayBegin();

        /**
         * The message is over.
         *
         * @return whether the next one is the same executor's, and running
         */
        boolean goesOn(HandlerLane lane);

        /** The message that a handler reads becomes a lease of its own. */
        Lease keep(HandlerLane lane);
    }

    /** Messages that a task handles before other tasks have their turn. */
    private static final int MOST_IN_A_ROW = 64;

    /** The receiver's. */
    final int rank;

    private final Turns owner;
    /** The lane that this thread is at. */
    private final ThreadLocal<HandlerLane> current = new ThreadLocal<>();
    /** So that who uses none pays for none. */
    private volatile boolean hasExecutors;

    HandlerTasks(int rank, Turns owner) {
        this.rank = rank;
        this.owner = owner;
    }

    /** @param executor null: none */
    void used(Executor executor) {
        if (executor != null) {
            hasExecutors = true;
        }
    }

    /** Whether the caller is inside a handler that an executor runs. */
    boolean isInTask() {
        return hasExecutors && current.get() != null;
    }

    /** As {@link Turns#keep}. */
    Lease keep(HandlerLane lane) {
        return owner.keep(lane);
    }

    /** @return false where the executor refused it, which was told */
    boolean submit(HandlerLane lane) {
        Throwable refusal = handOver(lane);
        if (refusal != null) {
            lane.tell("was refused by its executor", refusal);
        }
        return refusal == null;
    }

    /**
     * @return null where the executor has the lane, or has had it; else why it never will, and the lane is still the
     *     caller's
     */
    private Throwable handOver(HandlerLane lane) {
        HandlerTask task = null;
        int queued = 0;
        try {
            task = lane.task();
            queued = task.queue();
            lane.executor.execute(task);
            return null;
        } catch (Throwable e) {
            if (task == null || task.refuse(queued)) {
                lane.refused();
                return e;
            }
            tell(e);
            return null;
        }
    }

    /** What came out of an executor that has run its task, whose message is another thread's or over. */
    private void tell(Throwable thrown) {
        try {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        } catch (Throwable e) {
            // As in HandlerLane.tell.
            return;
        }
    }

    /** Until the lane's next message isn't for this executor any more, or others are to have their turn. */
    void run(HandlerLane lane) {
        HandlerLane before = current.get();
        if (before == lane) {
            lane.nestedIn = Thread.currentThread();
            return;
        }
        current.set(lane);
        try {
            int inARow = 0;
            while (owner.mayBegin()) {
                lane.handle();
                if (!owner.goesOn(lane) || ++inARow % MOST_IN_A_ROW == 0 && isPassedOn(lane)) {
                    break;
                }
            }
        } finally {
            current.set(before);
        }
    }

    /** Goes to the end of the executor's queue, where it has one and takes more. */
    private boolean isPassedOn(HandlerLane lane) {
        lane.nestedIn = null;
        // Where it was refused this thread has it, and goes on; else it may be another thread's from here on, which may
        // set this too.
        return handOver(lane) == null && lane.nestedIn != Thread.currentThread();
    }
}
