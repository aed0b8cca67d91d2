package org.sluice.hybrid.progress;

import java.util.concurrent.locks.LockSupport;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.hybrid.request.Goal;
import org.sluice.hybrid.request.Waiting;

/**
 * The threads that wait: one leads where it may, the others spin beside the leader, or are parked.
 *
 * <p><i>Thread</i>: under the progress lock, which both ways of waiting let go of meanwhile. <i>Proof</i>:
 * {@code ProgressEngineTest}, {@code ProgressThreadsTest}.
 */
final class Followers {
    /** Looks at the goal between looks at the clock, which costs as much as many of them. */
    private static final int LOOKS_PER_CLOCK = 128;

    /** Before who may not park, as no other thread would wake it, leads again. */
    private static final long NAP_NANOS = 1_000_000;
    /**
     * How often one who is parked looks whether a call was left half-way: nobody may know any more what it waits for.
     */
    private static final long LOOK_NANOS = 5_000_000_000L;

    private final ProgressEngine engine;
    private final Duty duty;
    private final ProgressThreads threads;
    private final Window window;
    private final boolean callersLead;
    private final Counters counters;
    private final Needs needs;
    private final WaitLog waits = new WaitLog();
    /** Null where nobody wants to hear. */
    private LongParks longParks;

    Followers(
            ProgressEngine engine,
            Duty duty,
            ProgressThreads threads,
            Window window,
            boolean callersLead,
            Needs needs,
            Counters counters) {
        this.engine = engine;
        this.duty = duty;
        this.threads = threads;
        this.window = window;
        this.callersLead = callersLead;
        this.needs = needs;
        this.counters = counters;
    }

    WaitLog waits() {
        return waits;
    }

    void tellOfLongParks(LongParks listener) {
        longParks = listener;
    }

    /** As {@link ProgressEngine#await}. */
    boolean await(Goal goal, long deadlineNanos) {
        WaitLog.Wait wait = waits.begin(goal);
        try {
            return awaitUnlogged(goal, deadlineNanos);
        } finally {
            waits.end(wait);
        }
    }

    /** Serves until that is over, which is as long as the program likes, and so is in no log. */
    void serve(ServingTurn turn) {
        while (!turn.isOver()) {
            turn.begin();
            awaitUnlogged(turn, Waiting.FOREVER);
        }
    }

    private boolean awaitUnlogged(Goal goal, long deadlineNanos) {
        while (!goal.isReached()) {
            duty.endIfCaught();
            boolean inTime;
            if (engine.mayLead()) {
                inTime = engine.leadFor(goal, deadlineNanos);
            } else {
                inTime = follow(goal, deadlineNanos);
            }
            if (!inTime && !goal.isReached()) {
                if (Waiting.isPast(deadlineNanos)) {
                    return false;
                }
                park(goal, deadlineNanos);
                if (!goal.isReached() && Waiting.isPast(deadlineNanos)) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Somebody else leads: spins beside, without the lock.
     *
     * @return false when the window is used up
     */
    private boolean follow(Goal goal, long deadlineNanos) {
        window.enter();
        try {
            return spinUnlocked(goal, deadlineNanos, window.besideNanos());
        } finally {
            window.leave();
        }
    }

    private boolean spinUnlocked(Goal goal, long deadlineNanos, long spinNanos) {
        engine.unlock();
        try {
            return spinBeside(goal, deadlineNanos, spinNanos);
        } finally {
            engine.lock();
        }
    }

    private boolean spinBeside(Goal goal, long deadlineNanos, long spinNanos) {
        long start = System.nanoTime();
        for (int i = 1; !goal.isReached(); i++) {
            if (callersLead && !engine.isLed()) {
                return true;
            }
            if (i % LOOKS_PER_CLOCK == 0 || spinNanos == 0) {
                long now = System.nanoTime();
                long idle = now - start;
                if (idle > spinNanos + window.yieldNanos()
                        || (deadlineNanos != Waiting.FOREVER && now - deadlineNanos >= 0)) {
                    break;
                }
                if (idle > spinNanos) {
                    Thread.yield();
                }
            } else {
                Thread.onSpinWait();
            }
        }
        return false;
    }

    /**
     * Until the goal is reached or the deadline is past, or for a nap where nobody would go on meanwhile. Interrupts
     * end no wait and are kept.
     */
    private void park(Goal goal, long deadlineNanos) {
        counters.increment(Counter.PARKS);
        // Also where somebody leads: when that one leaves it is too late to find that there is no thread, or that it is
        // this one, inside an item.
        if (!threads.isReady() || threads.isOne(Thread.currentThread())) {
            long end = System.nanoTime() + NAP_NANOS;
            parkUnlocked(goal, deadlineNanos != Waiting.FOREVER && deadlineNanos - end < 0 ? deadlineNanos : end);
            return;
        }
        goal.addWaiter(Thread.currentThread());
        needs.add();
        try {
            engine.handOver();
            parkUnlocked(goal, deadlineNanos);
        } finally {
            needs.remove();
            goal.removeWaiter(Thread.currentThread());
        }
    }

    private void parkUnlocked(Goal goal, long deadlineNanos) {
        engine.unlock();
        try {
            parkUntil(goal, deadlineNanos);
        } finally {
            engine.lock();
        }
    }

    /** @return when to tell again */
    private long tellOf(Goal goal, long nanos) {
        long next = longParks.parked(goal, nanos);
        return next == LongParks.ENOUGH ? Waiting.FOREVER : System.nanoTime() + next;
    }

    private void parkUntil(Goal goal, long deadlineNanos) {
        boolean interrupted = false;
        long start = deadlineNanos == Waiting.FOREVER && longParks != null ? System.nanoTime() : 0;
        long tellNanos = start == 0 ? Waiting.FOREVER : start + longParks.firstNanos();
        while (!goal.isReached() && !Waiting.isPast(deadlineNanos) && !duty.hasCaught()) {
            long until = tellNanos == Waiting.FOREVER ? deadlineNanos : tellNanos;
            long nanos = until == Waiting.FOREVER ? LOOK_NANOS : until - System.nanoTime();
            LockSupport.parkNanos(engine, Math.min(nanos, LOOK_NANOS));
            interrupted |= Thread.interrupted();
            if (Waiting.isPast(tellNanos) && !goal.isReached()) {
                tellNanos = tellOf(goal, System.nanoTime() - start);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
