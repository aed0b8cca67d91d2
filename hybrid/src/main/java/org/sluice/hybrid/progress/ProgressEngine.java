package org.sluice.hybrid.progress;

import java.util.ArrayDeque;
import java.util.concurrent.ThreadFactory;
import java.util.function.BooleanSupplier;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.request.Goal;
import org.sluice.hybrid.request.Guard;
import org.sluice.hybrid.request.Waiting;

/**
 * Lets exactly one thread at a time, the leader, make progress for all who wait.
 *
 * <p>A caller that waits leads while nobody else does: it polls, gives way when another thread wants the lock, spins,
 * yields, and when its window is used up parks and leaves the lead to the progress thread, which sleeps natively
 * (docs/explanation/progress.md). A leader that leaves while others are parked wakes the progress thread.
 *
 * <p><i>Thread</i>: any; fields are under the lock unless they say otherwise. <i>Owns</i>: the progress threads.
 * <i>Fails</i>: see {@link Duty#fail}. <i>Proof</i>: {@code ProgressEngineTest}, {@code SleepTest}.
 */
public final class ProgressEngine {
    private final ProgressLock lock;
    private final Duty duty;
    private final Guard guard;
    private final WaitWord word;
    private final boolean callersLead;
    private final Counters counters;
    private final ProgressThreads threads;
    private final Sleeper sleeper;
    private final Lead lead = new Lead();
    private final Arming arming;
    private final Naps naps = new Naps();
    private final Window window;
    private final Followers followers;
    private final Needs needs;
    private final Callbacks callbacks;
    private final Serving serving;
    private final Rounds rounds;
    private final WaitPolicy policy;
    /** Begun by handlers, in the order in which they began. */
    private final ArrayDeque<Completion> unseenSends = new ArrayDeque<>();
    /** Since when the thread that leads has found nothing, sleeps included; 0 where the last round found something. */
    private long threadIdleSince;

    public ProgressEngine(
            Duty duty,
            WaitWord word,
            WaitPolicy policy,
            Sleeper sleeper,
            int threadCount,
            String name,
            Counters counters) {
        this(duty, word, policy, sleeper, threadCount, name, new ProgressThreads.Plain(), counters);
    }

    ProgressEngine(
            Duty duty,
            WaitWord word,
            WaitPolicy policy,
            Sleeper sleeper,
            int threadCount,
            String name,
            ThreadFactory factory,
            Counters counters) {
        this.duty = duty;
        this.guard = duty.guard();
        this.lock = new ProgressLock(word.fences());
        lock.onOrphaned(duty);
        this.word = word;
        this.sleeper = sleeper;
        this.policy = policy;
        this.rounds = new Rounds(duty, policy);
        this.arming = new Arming(word, duty, rounds);
        this.window = new Window(policy);
        this.callersLead = threadCount == 0;
        this.counters = counters;
        this.needs = new Needs(!callersLead);
        this.threads = new ProgressThreads(this, Math.max(1, threadCount), name, factory);
        this.serving = new Serving(lock, needs, threads, !callersLead, duty);
        this.followers = new Followers(this, duty, threads, window, callersLead, needs, counters);
        this.callbacks = new Callbacks(needs, duty, guard, followers.waits());
    }

    /** Whether one that waits may keep its core for a moment. */
    public boolean spins() {
        return policy.spins();
    }

    /** Gives the core of a thread that waits for something else than the engine to whoever can use it. */
    public void yieldCore() {
        sleeper.yieldCore();
    }

    /** Starts the threads that the options ask for, all or none; without any, one starts when it is first needed. */
    public void start() {
        if (!callersLead) {
            threads.startAll(word);
        }
    }

    public void lock() {
        lock.lock();
    }

    /**
     * Unlocks, and runs the callbacks and the due work that came up meanwhile. Throws nothing: who catches could not
     * tell whether it still has the lock.
     */
    public void unlock() {
        if (needs.wantsAttention()) {
            unlockAndServe();
        } else {
            lock.unlock();
        }
    }

    /** Runs something under the lock, for those who don't hold it; none that is called for each message. */
    public void locked(Runnable action) {
        lock();
        try {
            action.run();
        } catch (Error e) {
            guard.caught = e;
            throw e;
        } finally {
            unlock();
        }
    }

    private void unlockAndServe() {
        try {
            serving.serve();
            if (needs.controlsWait() || needs.isDue() || arming.isArmed() && duty.isPulling()) {
                handOver();
            }
        } catch (Throwable e) {
            duty.fail(e);
        }
        callbacks.runAndUnlock(lock);
    }

    /** Runs the program's work that messages bring. */
    public Serving serving() {
        return serving;
    }

    /** Nobody leads any more: a thread of the device is to, where somebody needs it. */
    void handOver() {
        // Where a thread naps it looks again by itself.
        if (needs.any()
                && !lead.isTaken()
                && !threads.isAsked()
                && !(arming.isArmed() && naps.isNapping())
                && wantsThread()) {
            // Where none can be started the next who leaves asks again. Whoever parked or wants a future has one.
            threads.takeOver(word, naps.asleep());
        }
    }

    /** A completion that somebody is called back for has ended; under the lock. */
    public void callLater(Completion completion) {
        callbacks.add(completion);
    }

    /**
     * Before something begins that is called back for.
     *
     * @throws org.sluice.device.SluiceException NO_MEMORY where no thread can be had for that; under the lock
     */
    public void requireThread() {
        threads.require();
    }

    /**
     * Somebody is to be called back for a pending completion; under the lock. Progress is made from now on although
     * nobody waits.
     */
    public void callbackWanted(Completion completion) {
        threads.require();
        callbackWantedFromCalls(completion);
    }

    /** As {@link #callbackWanted}, where callers make the progress: as threads, too, where there are some. */
    public void callbackWantedFromCalls(Completion completion) {
        callbacks.want(completion);
        // One that sleeps is rung by what comes, and neither by room nor by what this rank moves itself.
        if (!arming.isArmed() || duty.waitsForRoom() || duty.isPulling()) {
            handOver();
        }
    }

    /** As {@link Callbacks#endLost}; under the lock. */
    public void endLost(Failure failure) {
        callbacks.endLost(failure);
    }

    /** What found no room has to go on although nobody may call; under the lock. */
    public void controlsWait() {
        needs.controls(true);
    }

    /**
     * What nobody will wait for goes on although no call may follow, as some channels move it from here; handlers don't
     * run for that. Where no thread can be had it goes on in the next call. Under the lock.
     */
    public void goesOn(Completion unseen) {
        if (!threads.isReady()) {
            return;
        }
        unseenSends.add(unseen);
        needs.unseen(true);
        if (!arming.isArmed() || duty.waitsForRoom() || duty.isPulling()) {
            handOver();
        }
    }

    private boolean areUnseenSendsLeft() {
        // Those behind the first are looked at when it is over.
        while (!unseenSends.isEmpty() && unseenSends.peekFirst().isReached()) {
            unseenSends.pollFirst();
        }
        return !unseenSends.isEmpty();
    }

    /** Progress is to be made by a thread of the device. */
    boolean wantsThread() {
        if (needs.controlsWait()) {
            needs.controls(duty.waitsForRoom());
        }
        if (needs.isUnseenMoved()) {
            needs.unseen(areUnseenSendsLeft());
        }
        return needs.any();
    }

    /**
     * Polls for a short while with the lock held, letting nobody in: until the goal is reached, somebody wants the
     * lock, or the time is used up.
     */
    public void spin(BooleanSupplier goal) {
        if (!callersLead || lead.isTaken()) {
            return;
        }
        arming.disarm();
        int left = window.directRounds();
        while (!goal.getAsBoolean() && left-- > 0 && !isDisturbed()) {
            rounds.once();
        }
        handOver();
    }

    /**
     * One round for a caller that doesn't wait, where that is in nobody's way.
     *
     * @param peersToo it may never wait
     */
    public void look(boolean peersToo) {
        if (callersLead && !lead.isTaken() && !arming.isArmed()) {
            rounds.once();
            if (peersToo) {
                rounds.lookAtPeers(System.nanoTime());
            }
        }
    }

    /**
     * Waits with the lock held, and returns with it held.
     *
     * @return false when the deadline came first
     */
    public boolean await(Goal goal, long deadlineNanos) {
        return followers.await(goal, deadlineNanos);
    }

    /** As {@link #await}, for as long as the program likes: no log has it. */
    public void serveUntil(Goal end) {
        followers.serve(new ServingTurn(end, serving));
    }

    /**
     * Whether it is the caller's turn to lead: nobody does, or the caller did and is in the middle of what it runs
     * between rounds.
     */
    boolean mayLead() {
        return lead.isResting() || (callersLead || threads.isOne(Thread.currentThread())) && !lead.isTaken();
    }

    /**
     * Leads for a caller whose turn it is.
     *
     * @return false when the window is used up or the deadline is past
     */
    boolean leadFor(Goal goal, long deadlineNanos) {
        boolean inWork = lead.isResting();
        boolean inTime = lead(goal, deadlineNanos);
        if (inWork) {
            // Nobody else leads before its work is over, so it never parks.
            lead.take();
            return inTime || !Waiting.isPast(deadlineNanos);
        }
        handOver();
        return inTime;
    }

    /** Whether somebody is to be called back. Under the lock. */
    public boolean areCallbacksWanted() {
        return callbacks.areWanted();
    }

    /** Has somebody told of threads that are parked for long; before the program has the device. */
    public void tellOfLongParks(LongParks listener) {
        followers.tellOfLongParks(listener);
    }

    /** Who waits for what, as far as it is logged. */
    public WaitLog waits() {
        return followers.waits();
    }

    /**
     * Runs what only looks, for one who is no part of the device; callbacks stay with those who run them.
     *
     * @return false where the lock can't be had in time
     */
    public boolean inspect(Runnable look, long nanos) {
        return lock.runWithin(look, nanos);
    }

    private boolean lead(Goal goal, long deadlineNanos) {
        becomeLeader();
        long idleSince = 0;
        long idleNanos = 0;
        int empty = 0;
        try {
            while (true) {
                boolean moved = rounds.onceFor(goal) != 0;
                if (goal.isReached()) {
                    return true;
                }
                if (moved) {
                    // The empty ones before count on: each may have been a yield, which takes as long as the others
                    // like.
                    idleSince = 0;
                    idleNanos = 0;
                    if (rounds.isLookDue() && Waiting.isPast(deadlineNanos)) {
                        return false;
                    }
                } else if (++empty < window.roundsPerLook() && (window.spins() || deadlineNanos == Waiting.FOREVER)) {
                    if (!window.spins()) {
                        rounds.rest(lock, sleeper, window.naps(idleNanos));
                    }
                } else {
                    long now = System.nanoTime();
                    idleSince = idleSince == 0 ? now : idleSince;
                    counters.add(Counter.POLLS_EMPTY, empty);
                    empty = 0;
                    idleNanos = now - idleSince;
                    if (!idle(now, idleNanos, deadlineNanos)) {
                        return false;
                    }
                }
                if (isDisturbed() && !giveWay()) {
                    return false;
                }
            }
        } finally {
            lead.leave();
        }
    }

    /** Another thread wants the lock, or a callback is due. */
    private boolean isDisturbed() {
        return lock.isContended() || needs.wantsAttention() && (needs.isDue() || !callbacks.isEmpty());
    }

    /** @return false where others have to lead, and run what is due */
    private boolean giveWay() {
        Thread before = lead.rest(Thread.currentThread());
        unlock();
        lock.lock();
        lead.rest(before);
        if (lock.isContended()) {
            lock.giveWay();
        }
        return !serving.isForOthers();
    }

    /**
     * Nothing came for a while.
     *
     * @return false when it is time to park
     */
    private boolean idle(long now, long idleNanos, long deadlineNanos) {
        rounds.lookAtPeers(now);
        long spinNanos = window.spinNanos();
        if (idleNanos >= spinNanos) {
            if (idleNanos >= spinNanos + window.yieldNanos()) {
                return false;
            }
            rounds.rest(lock, sleeper, window.naps(idleNanos));
        }
        return deadlineNanos == Waiting.FOREVER || now - deadlineNanos < 0;
    }

    /** Without the lock. */
    boolean isLed() {
        return lead.isSeen();
    }

    private void becomeLeader() {
        lead.take();
        arming.disarm();
    }

    /** One round if nobody is at it. Not under the lock. */
    public boolean progressOnce() {
        if (!lock.tryLock()) {
            return false;
        }
        try {
            boolean mayLead = !lead.isTaken() || lead.isResting();
            boolean moved = mayLead && rounds.once() != 0;
            if (moved && arming.isArmed() && window.isWrittenTo() && !naps.isNapping()) {
                // What came may have let senders do again what wakes nobody: whoever sleeps or is about to has to ask
                // them once more.
                arming.disarm();
                handOver();
            } else if (!moved && mayLead) {
                rounds.lookAtPeers(System.nanoTime());
            }
            return moved;
        } finally {
            unlock();
        }
    }

    /**
     * For a progress thread: leads until nobody needs it or somebody else leads, sleeping in between. Under the lock,
     * and returns with it held.
     */
    void leadFromThread() {
        threads.answered();
        if (duty.isEndDue()) {
            // Whoever led may have left the lead taken: nobody else would look.
            duty.checkPeers();
        }
        if (naps.asleep() != null) {
            // It has looked since this one was asked, and senders are to go on ringing it.
            return;
        }
        threadIdleSince = 0;
        naps.takeOver();
        while (!lead.isTaken() && wantsThread()) {
            becomeLeader();
            long sequence;
            try {
                rounds.lookAtPeers(System.nanoTime());
                sequence = leadUntilSleep();
            } finally {
                lead.leave();
            }
            if (sequence == OwnWord.GONE) {
                return;
            }
            // The lead may be somebody else's now, also where this throws.
            sleep((int) sequence);
        }
        // Else a rank that only polls from now on has each message of its peers wake a sleeper that isn't there.
        arming.disarm();
    }

    /**
     * @return the word's sequence for the sleep that is due, or {@link OwnWord#GONE} when nobody needs the thread any
     *     more
     */
    private long leadUntilSleep() {
        int empty = 0;
        while (wantsThread() && !threads.isStopped()) {
            if (rounds.once() != 0) {
                empty = 0;
                threadIdleSince = 0;
                naps.reset();
            } else if (++empty >= window.roundsPerLook() || callersLead || !window.spins()) {
                long now = System.nanoTime();
                threadIdleSince = threadIdleSince == 0 ? now : threadIdleSince;
                empty = 0;
                if (!needs.isDueToThreads()
                        && (callersLead || !idle(now, now - threadIdleSince, Waiting.FOREVER))
                        && rounds.maySleep(lock, sleeper)) {
                    long sequence = arming.arm();
                    if (sequence != OwnWord.GONE && callbacks.isEmpty() && !needs.isDueToThreads()) {
                        return sequence;
                    }
                    // Callbacks come first, and run while this one leads: who sleeps without the lead does nothing
                    // else, and looks when it is rung.
                    arming.disarm();
                }
            }
            if (lock.isContended() || needs.isDueToThreads() || !callbacks.isEmpty()) {
                serving.callParked();
                giveWay();
            }
        }
        return OwnWord.GONE;
    }

    /** Lets go of the lock meanwhile. */
    private void sleep(int sequence) {
        counters.increment(Counter.SLEEPS);
        long limit = naps.begin(window.peerCheckNanos(), duty.waitsForRoom());
        threads.answered();
        unlock();
        try {
            sleeper.sleep(word, sequence, limit);
        } finally {
            lock.lock();
            naps.end();
            // Who asked meanwhile may have woken only this sleep.
            threads.answered();
        }
    }

    /** As {@link Duty#isEndDue}. */
    boolean isEndDue() {
        return duty.isEndDue();
    }

    /** Stops the threads; not under the lock. */
    public void stop(long deadlineNanos) {
        threads.stop(word, deadlineNanos);
    }

    /** A progress thread failed with something that is nobody else's to handle. */
    void fail(Throwable cause) {
        lock.lock();
        try {
            duty.fail(cause);
        } finally {
            unlock();
        }
    }
}
