package org.sluice.hybrid.progress;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs due work outside the lock, one item at a time and by one thread at a time, so that its order is kept: the thread
 * that finds it due when it leaves the lock. Where that one led it still does, and nobody else leads meanwhile; what
 * waits inside an item leads by itself ({@link Lead#isResting}).
 *
 * <p><i>Thread</i>: under the progress lock where a method doesn't say otherwise. <i>Fails</i>: what taking or ending
 * an item throws ends the device. <i>Proof</i>: {@code ServingTest}, {@code HandlerCases}.
 */
public final class Serving {
    /** Threads of the device. */
    interface Runners {
        /** Whether a thread is one of these. Any thread may ask. */
        boolean isOne(Thread thread);
    }

    /** Items between two rounds of progress. */
    private static final int MOST_AT_ONCE = 64;

    private static final VarHandle RUNS;

    static {
        try {
            RUNS = MethodHandles.lookup().findVarHandle(Serving.class, "runs", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ProgressLock lock;
    private final Needs needs;
    /** The device's threads. */
    private final Runners threads;
    /** They alone run it; else any thread does. */
    private final boolean threadsAlone;

    private final Duty duty;
    private DueWork work;
    /** Somebody runs an item. */
    private boolean runs;
    /** Who that is, or was the last time; written rarely, as in {@link Lead}. */
    private Thread server;
    /** Calls that serve, and whose threads are parked. */
    private final List<ServingTurn> parked = new ArrayList<>();

    Serving(ProgressLock lock, Needs needs, Runners threads, boolean threadsAlone, Duty duty) {
        this.lock = lock;
        this.needs = needs;
        this.threads = threads;
        this.threadsAlone = threadsAlone;
        this.duty = duty;
    }

    /** Where work comes from, for good. */
    public void work(DueWork newWork) {
        work = newWork;
    }

    /** An item has come. While some are run, who runs them finds it. */
    public void due() {
        needs.due(!runs);
    }

    /** Runs what is due, with the lock at the beginning and at the end. */
    void serve() {
        if (!needs.isDue() || !mayRun()) {
            return;
        }
        begin(Thread.currentThread());
        needs.due(false);
        try {
            for (int left = MOST_AT_ONCE; left > 0 && work.begin(); left--) {
                lock.unlock();
                work.run();
                lock.lock();
                work.end();
            }
        } finally {
            runs = false;
            needs.due(work.isDue());
        }
    }

    /** An item that was not run here could not be ended. */
    public void broke(Throwable cause) {
        duty.fail(cause);
    }

    private void begin(Thread me) {
        if (server != me) {
            server = me;
        }
        RUNS.setRelease(this, true);
    }

    /** A call that serves has parked, or goes on. */
    void parked(ServingTurn turn, boolean is) {
        if (is) {
            parked.add(turn);
        } else {
            parked.remove(turn);
        }
    }

    /**
     * By a thread of the device that leads: where something is due, callers who wait for just that and may run it are
     * to go on.
     */
    void callParked() {
        if (!threadsAlone && needs.isDue()) {
            for (int i = 0; i < parked.size(); i++) {
                parked.get(i).call();
            }
        }
    }

    /** Whether the caller may run items. */
    private boolean mayRun() {
        return !runs && isOneThatMay() && work.runsHere();
    }

    private boolean isOneThatMay() {
        if (!threadsAlone && needs.letThreadsServe()) {
            return true;
        }
        return threads.isOne(Thread.currentThread()) == threadsAlone;
    }

    /** Something is due that others have to run, once they lead. */
    boolean isForOthers() {
        return needs.isDue() && !mayRun();
    }

    /** The caller is in an item. Also without the lock. */
    public boolean isServer() {
        // In this order: who runs an item has stored who it is before.
        return (boolean) RUNS.getAcquire(this) && server == Thread.currentThread();
    }
}
