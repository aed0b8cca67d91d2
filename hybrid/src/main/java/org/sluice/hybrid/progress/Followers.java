package org.sluice.hybrid.progress;

import java.util.concurrent.locks.LockSupport;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.hybrid.request.Goal;
import org.sluice.hybrid.request.Waiting;

/**
 * The threads that wait and don't lead: they spin beside the leader, or are parked.
 *
 * <p><i>Thread</i>: under the progress lock, which both ways of waiting let go of meanwhile. <i>Proof</i>: {@code ProgressEngineTest}.
 */
final class Followers {
    /** Looks at the goal between looks at the clock, which costs as much as many of them. */
    private static final int LOOKS_PER_CLOCK = 128;

    private final ProgressEngine engine;
    private final WaitPolicy policy;
    private final boolean callersLead;
    private final Counters counters;
    private final Needs needs;

    Followers(ProgressEngine engine, WaitPolicy policy, boolean callersLead, Needs needs, Counters counters) {
        this.engine = engine;
        this.policy = policy;
        this.callersLead = callersLead;
        this.needs = needs;
        this.counters = counters;
    }

    /** Somebody else leads: spins beside, without the lock. @return false when the window is used up */
    boolean follow(Goal goal, long deadlineNanos) {
        engine.unlock();
        try {
            return spinBeside(goal, deadlineNanos);
        } finally {
            engine.lock();
        }
    }

    private boolean spinBeside(Goal goal, long deadlineNanos) {
        long start = System.nanoTime();
        for (int i = 1; !goal.isReached(); i++) {
            if (callersLead && !engine.isLed()) {
                return true;
            }
            if (i % LOOKS_PER_CLOCK == 0 || policy.spinNanos() == 0) {
                long now = System.nanoTime();
                long idle = now - start;
                if (idle > policy.spinNanos() + policy.yieldNanos() || (deadlineNanos != Waiting.FOREVER && now - deadlineNanos >= 0)) {
                    break;
                }
                if (idle > policy.spinNanos()) {
                    Thread.yield();
                }
            } else {
                Thread.onSpinWait();
            }
        }
        return false;
    }

    /** Until the goal is reached or the deadline is past. Interrupts end no wait and are kept. */
    void park(Goal goal, long deadlineNanos) {
        Thread me = Thread.currentThread();
        goal.addWaiter(me);
        needs.add();
        counters.increment(Counter.PARKS);
        try {
            engine.handOver();
            engine.unlock();
            try {
                parkUntil(goal, deadlineNanos);
            } finally {
                engine.lock();
            }
        } finally {
            needs.remove();
            goal.removeWaiter(me);
        }
    }

    private void parkUntil(Goal goal, long deadlineNanos) {
        boolean interrupted = false;
        while (!goal.isReached() && !Waiting.isPast(deadlineNanos)) {
            if (deadlineNanos == Waiting.FOREVER) {
                LockSupport.park(engine);
            } else {
                LockSupport.parkNanos(engine, deadlineNanos - System.nanoTime());
            }
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
