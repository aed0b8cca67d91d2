package org.sluice.hybrid.progress;

/**
 * Runs due work outside the lock, one item at a time and by one thread at a time, so that its order is kept: the thread that finds it due when it leaves the
 * lock. Where that one led it still does, and nobody else leads meanwhile; what waits inside an item leads by itself ({@link Lead#isResting}).
 *
 * <p><i>Thread</i>: under the progress lock where a method doesn't say otherwise. <i>Fails</i>: what taking or ending an item throws ends the device. <i>Proof</i>: {@code ServingTest},
 * {@code HandlerCases}.
 */
public final class Serving {
    /** Items between two rounds of progress. */
    private static final int MOST_AT_ONCE = 64;

    private final ProgressLock lock;
    private final Needs needs;
    /** Which alone run it; null: any thread does. */
    private final ProgressThreads threads;
    private final Duty duty;
    private DueWork work;
    /** Who runs an item; null: nobody. */
    private Thread server;

    Serving(ProgressLock lock, Needs needs, ProgressThreads threads, Duty duty) {
        this.lock = lock;
        this.needs = needs;
        this.threads = threads;
        this.duty = duty;
    }

    /** Where work comes from, for good. */
    public void work(DueWork newWork) {
        work = newWork;
    }

    /** An item has come. While some are run, who runs them finds it. */
    public void due() {
        needs.due(server == null);
    }

    /** Runs what is due, with the lock at the beginning and at the end. */
    void serve() {
        if (!needs.isDue() || !mayRun()) {
            return;
        }
        server = Thread.currentThread();
        needs.due(false);
        try {
            for (int left = MOST_AT_ONCE; left > 0 && work.begin(); left--) {
                lock.unlock();
                work.run();
                lock.lock();
                work.end();
            }
        } catch (Throwable e) {
            duty.fail(e);
        } finally {
            server = null;
            needs.due(work.isDue());
        }
    }

    /** Whether the caller may run items. */
    private boolean mayRun() {
        return server == null && (threads == null || threads.isOne(Thread.currentThread())) && work.runsHere();
    }

    /** Something is due that others have to run, once they lead. */
    boolean isForOthers() {
        return needs.isDue() && !mayRun();
    }

    /** The caller is in an item. Also without the lock. */
    public boolean isServer() {
        return server == Thread.currentThread();
    }
}
